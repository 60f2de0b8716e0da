// Checks a run set recorded from sample_main.cpp on 2 ranks; holds on any machine, however noisy. The
// environment variable BUSLINE_RECORDED_RUNS names its folder.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "measuring/runs/read_run_sets.hpp"
#include "measuring/runs/trace_times.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

RunSet recorded() {
  const char* const folder = std::getenv("BUSLINE_RECORDED_RUNS");
  REQUIRE(folder != nullptr);
  auto sets = read_run_sets(folder);
  REQUIRE_MESSAGE(sets, to_string(sets.error()));
  REQUIRE(sets->size() == 1);
  return sets->front();
}

// Two rounds of 2 ms, and no more than the launch.
void check_times(const Run& run) {
  REQUIRE(run.time);
  REQUIRE(run.wall);
  CHECK(run.rank_times.size() == 2);
  CHECK(*std::min_element(run.rank_times.begin(), run.rank_times.end()) >= Duration::seconds(0.004));
  CHECK(*run.time < *run.wall);
}

}  // namespace

TEST_CASE("each run was timed on both ranks, and the machine is described") {
  const auto set = recorded();
  CHECK(set.name == "record_sample");
  CHECK(set.ranks == 2);
  CHECK(set.placement.size() == 2);
  CHECK(set.machine.nodes.size() == 1);
  CHECK_FALSE(set.machine.mpi.empty());
  REQUIRE(set.runs.size() == 3);  // two, and one that was added
  for (const auto& run : set.runs) {
    check_times(run);
    CHECK(run.disturbance.preempted);  // every Linux counts it
  }
}

TEST_CASE("the traced run was timed between the same calls") {
  const auto set = recorded();
  REQUIRE(set.traced);
  check_times(set.traced->run);
  const auto whole = trace_times(trace_path(set), {});
  REQUIRE(whole);
  CHECK(*set.traced->run.time < *std::max_element(whole->begin(), whole->end()));
}
