#include "studies/benchmark/part_benchmark.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

using namespace busline;

namespace {

PartBenchmarkOptions small(std::vector<std::string> parts) {
  PartBenchmarkOptions options;
  options.parts = std::move(parts);
  options.operations = 10'000;
  options.points = 25;
  options.threads = 2;
  options.repetitions = 1;
  return options;
}

const auto kGoOn = [](double) { return true; };

}  // namespace

TEST_CASE("without a place for temporary files there is no benchmark") {
  const char* const given = std::getenv("TMPDIR");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("TMPDIR", "/no/such/folder", 1);
  const auto rows = run_part_benchmark(small({"queue"}), kGoOn);
  if (given == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", before.c_str(), 1);
  REQUIRE_FALSE(rows);
  CHECK(to_string(rows.error()) == "a temporary folder cannot be created\n  set TMPDIR to a writable folder");
}

TEST_CASE("each part has rows that name the unit counted") {
  double last = 0;
  const auto rows = run_part_benchmark(small({}), [&](double share) {
    CHECK(share > last);
    last = share;
    return true;
  });
  REQUIRE(rows);
  CHECK(last == 1);
  std::map<std::string, int> rows_of;
  for (const auto& r : *rows) {
    CAPTURE(r.part);
    ++rows_of[r.part];
    CHECK(r.per_second() > 0);
    const bool is_trace = r.part == "dim" || r.part == "dumpi";
    CHECK((r.bytes > 0) == is_trace);
    if (is_trace) {
      CHECK(r.count > 8'500);  // an iteration has 1344
      CHECK(r.count <= 10'000);
    }
    if (r.part == "incast") CHECK(r.count == 960);  // 15 of each rank
    if (r.part == "study") CHECK(r.count == 30);    // 10 numbers of buses by as many latencies as it takes
  }
  CHECK(rows_of ==
        std::map<std::string, int>{{"queue", 2}, {"incast", 1}, {"dim", 1}, {"dumpi", 1}, {"study", 2}});
  const auto j = to_json(*rows);
  CHECK(j.size() == rows->size());
  CHECK(j[0]["unit"] == "events");
  CHECK_FALSE(j[0].contains("bytes"));
  CHECK(to_text(*rows).find("100,000 events pending") != std::string::npos);
}

TEST_CASE("a study that one thread runs is measured once") {
  auto options = small({"study"});
  options.threads = 1;
  const auto rows = run_part_benchmark(options, kGoOn);
  REQUIRE(rows);
  CHECK(rows->size() == 1);
}

TEST_CASE("a benchmark of parts stops on request, and an unknown part is an error") {
  const auto stopped = run_part_benchmark(small({"queue"}), [](double) { return false; });
  REQUIRE(stopped);
  CHECK(stopped->empty());
  const auto unknown = run_part_benchmark(small({"disk"}), kGoOn);
  REQUIRE_FALSE(unknown);
  CHECK(to_string(unknown.error()) ==
        "unknown part 'disk'\n  the parts are queue, incast, dim, dumpi, study");
}
