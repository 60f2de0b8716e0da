#include "studies/benchmark/trace_benchmark.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace busline;

namespace {

const std::string kTrace = std::string(BUSLINE_SOURCE_DIR) + "/validation/golden/dumpi/traces/pingpong";

}  // namespace

TEST_CASE("a trace is measured from its files to records, values, Program and prediction") {
  std::size_t told = 0;
  double last = 0;
  const auto measured = run_trace_benchmark({kTrace, {"ideal"}, 1}, [&](double share) {
    ++told;
    last = share;
    return true;
  });
  REQUIRE(measured.has_value());
  CHECK(measured->ranks == 2);
  CHECK(measured->calls > 100);
  CHECK(measured->bytes > 1000);
  REQUIRE(measured->rows.size() == 4);
  CHECK(measured->rows.back().what == "trace to prediction, ideal");
  for (const auto& row : measured->rows) {
    CHECK(row.user_seconds > 0);
    CHECK(row.anonymous_bytes > 0);
  }
  CHECK(told == 8);  // memory and time of each
  CHECK(last == 1);
  const auto j = to_json(*measured);
  CHECK(j["schema"] == "busline/trace-benchmark/1");
  CHECK(j["rows"][1]["what"] == "read all values");
  CHECK(to_text(*measured).find("read all values") != std::string::npos);
}

TEST_CASE("a benchmark of a trace stops on request") {
  const auto measured = run_trace_benchmark({kTrace, {"ideal"}, 1}, [](double) { return false; });
  REQUIRE(measured.has_value());
  CHECK(measured->rows.empty());
}

TEST_CASE("traces that cannot be read or simulated cannot be measured") {
  const auto never = [](double) { return true; };
  CHECK(run_trace_benchmark({"nowhere", {}, 1}, never).error().kind == Error::Kind::unreadable);
  CHECK(run_trace_benchmark({kTrace, {"no-such-model"}, 1}, never).error().kind == Error::Kind::bad_option);
}
