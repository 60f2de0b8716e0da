#include "measuring/import/network_results.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace busline;
using namespace busline::measure;

TEST_CASE("more tests of all ranks than a computer can list are refused") {
  constexpr std::size_t kRanks = 40'000;
  std::string hosts = "\"h\"", results;
  for (std::size_t i = 1; i < kRanks; ++i) hosts += ",\"h\"";
  for (std::size_t i = 0; i < kRanks; ++i)
    results.append(i == 0 ? "" : ",").append(R"({"test":"barrier","n":2,"bytes":0,"samples_us":[1]})");
  const auto document = Document::parse(
      R"({"label":"x","ranks":40000,"hosts":[)" + hosts + R"(],"results":[)" + results + "]}", "x.json");
  REQUIRE(document);
  Diagnostics diagnostics;
  const auto m = parse_network_result(*document, diagnostics);
  REQUIRE_FALSE(m);
  CHECK(m.error().where == "/results");
  CHECK(m.error().message == "there are too many tests of too many ranks");
}
