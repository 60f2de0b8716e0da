#include "measuring/runs/trace_times.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "workloads/dumpi/format/test_trace.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

const std::string kJacobi =
    BUSLINE_SOURCE_DIR "/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d";

double longest(const Borders& borders) {
  const auto times = trace_times(kJacobi, borders);
  REQUIRE(times);
  REQUIRE(times->size() == 8);
  return std::max_element(times->begin(), times->end())->in_seconds();
}

std::string border_refusal(const CallRef& from) {
  const auto times = trace_times(kJacobi, {from, {}});
  return times ? "" : times.error().message;
}

}  // namespace

TEST_CASE("the time between two calls of a trace is what the program measured there itself") {
  // times_traced.jsonl beside the trace says 0.238131 s for jacobi2d.
  CHECK(longest({CallRef{"MPI_Barrier", 1}, CallRef{"MPI_Reduce", -3}}) ==
        doctest::Approx(0.238131).epsilon(3e-3));
}

TEST_CASE("without borders it is the time from MPI_Init to MPI_Finalize") {
  CHECK(longest({}) == doctest::Approx(0.25256).epsilon(1e-4));  // the README's traced run time
  CHECK(longest({}) == longest({{}, CallRef{"MPI_Finalize", 1}}));
  CHECK(longest({CallRef{"MPI_Barrier", 1}, {}}) < longest({}));
}

TEST_CASE("a trace without the run's start, end or times is refused") {
  const auto refused = [](const dumpi::TestTrace& trace) {
    const auto times = trace_times(trace.write(), {});
    return times ? "" : times.error().message;
  };
  dumpi::TestTrace endless(1);
  endless.ranks[0].init();
  CHECK(refused(endless) == "found no MPI_Finalize, expected a complete run");
  dumpi::TestTrace timeless(1);
  timeless.ranks[0].mask = 0x43;
  timeless.ranks[0].init().finalize(0);
  CHECK(refused(timeless) == "has no wall time, which is needed to time the run");
}

TEST_CASE("a call that no rank makes is refused, and borders in the wrong order take no time") {
  CHECK(border_refusal({"MPI_Alltoallw", 1}) == "no rank calls MPI_Alltoallw");
  CHECK(border_refusal({"MPI_Reduce", 4}) == "no rank calls MPI_Reduce 4 times");
  CHECK(border_refusal({"MPI_Reduce", -4}) == "no rank calls MPI_Reduce 4 times");
  CHECK(longest({CallRef{"MPI_Reduce", 1}, CallRef{"MPI_Barrier", 1}}) == 0);
}
