#include "models/run/region.hpp"

#include <doctest/doctest.h>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

/// Two ranks: 10 ps, Barrier, 20 or 30 ps, Barrier, 5 ps. No latency anywhere.
Program two_barriers() {
  ProgramBuilder b(2);
  const auto barrier = b.call_name("MPI_Barrier");
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.compute(Duration::picoseconds(10));
    b.begin_call(barrier);
    b.collective({.kind = CollectiveKind::barrier});
    b.compute(Duration::picoseconds(r == 0 ? 20 : 30));
    b.begin_call(barrier);
    b.collective({.kind = CollectiveKind::barrier});
    b.compute(Duration::picoseconds(5));
  }
  return b.build();
}

Expected<Result> run_region(const Region& region, const std::string& model, bool call_times = false) {
  Platform p;
  p.machines.resize(1);
  p.machines[0].nodes.resize(1);
  p.machines[0].nodes[0].count = 2;
  const Program program = two_barriers();
  const auto machine = place_ranks(p, 2);
  SimulateOptions options;
  options.model = model;
  options.region = region;
  options.call_times = call_times;
  return simulate(program, p, *machine, options);
}

}  // namespace

TEST_CASE("a region starts where its first call returns and ends where its last one is entered") {
  for (const auto* model : {"dimemas", "ideal"}) {
    const auto r = run_region({.from = CallRef{"MPI_Barrier", 1}, .to = CallRef{"MPI_Barrier", -1}}, model);
    REQUIRE(r);
    CAPTURE(model);
    CHECK(r->region->run_time.count() == 30);
    CHECK(r->region->ranks[0].compute.count() == 20);
    CHECK(r->run_time.count() == 45);
  }
}

TEST_CASE("a region without an end goes to the end of the run") {
  const auto r = run_region({.from = CallRef{"MPI_Barrier", 2}}, "dimemas");
  CHECK(r->region->run_time.count() == 5);
}

TEST_CASE(
    "a region between instants has all ranks' times there, with part of a burst that crosses a border") {
  const auto r =
      run_region({.after = Duration::picoseconds(4), .before = Duration::picoseconds(15)}, "dimemas");
  CHECK(r->region->run_time.count() == 11);
  CHECK(r->region->ranks[0].compute.count() == 11);
}

TEST_CASE("a region from an instant on goes to the end of the run") {
  const auto r = run_region({.after = Duration::picoseconds(40)}, "dimemas");
  CHECK(r->region->run_time.count() == 5);
  CHECK(r->region->ranks[1].compute.count() == 5);
  CHECK(r->run_time.count() == 45);
}

TEST_CASE("a call that no rank makes, or not that often, is refused") {
  CHECK(to_string(run_region({.from = CallRef{"MPI_Barier", 1}}, "dimemas").error()) ==
        "no rank calls MPI_Barier\n  did you mean MPI_Barrier?");
  CHECK(to_string(run_region({.to = CallRef{"MPI_Barrier", 3}}, "dimemas").error()) ==
        "no rank calls MPI_Barrier 3 times\n  'busline inspect' counts the calls of a workload");
  CHECK(to_string(run_region({.from = CallRef{"main", 1}}, "dimemas").error()) ==
        "no rank calls main\n  'busline inspect' lists the calls of a workload");
}

TEST_CASE("a user region begins where it is entered and ends where it is left, with the regions inside it") {
  ProgramBuilder b(1);
  b.label_event(293, 1, "step");
  b.label_event(293, 2, "ns::solve");
  b.begin_strand(0);
  const auto burst = [&](std::int64_t ps) { b.compute(Duration::picoseconds(ps)); };
  for (const std::int64_t length : {10, 100}) {
    b.event(293, 1);
    burst(1);
    b.event(293, 2);
    burst(length);
    b.event(293, 0);
    burst(2);
    b.event(293, 0);
    burst(5);
  }
  const auto program = b.build();
  const auto length = [&](const CallRef& from, const CallRef& to) {
    const auto borders = find_borders(program, {.from = from, .to = to});
    REQUIRE(borders);
    std::int64_t sum = 0;
    for (auto at = borders->front().from; at < borders->front().to; ++at)
      if (program.operations()[at].kind == OpKind::compute) sum += program.operations()[at].amount;
    return sum;
  };
  CHECK(length({"step", 2}, {"step", 2}) == 103);
  CHECK(length({"step", 1}, {"step", -1}) == 13 + 5 + 103);
  CHECK(length({"ns::solve", -1}, {"ns::solve", -1}) == 100);
  CHECK(to_string(find_borders(program, {.from = CallRef{"step", 3}}).error()) ==
        "no rank enters step 3 times\n  'busline inspect' counts the regions of a workload");
  CHECK(to_string(find_borders(program, {.from = CallRef{"ns::solv", 1}}).error()) ==
        "no rank calls ns::solv\n  did you mean ns::solve?");
}

TEST_CASE("times of calls are those between the borders, and of the whole run without a region") {
  for (const auto* model : {"dimemas", "ideal"}) {
    CAPTURE(model);
    const auto whole = run_region({}, model, true);
    REQUIRE(whole);
    // Rank 0 waits 10 ps in the second Barrier for rank 1, which computes longer.
    CHECK(whole->region->run_time.count() == 45);
    REQUIRE(whole->region->call_times.size() == 2);
    CHECK(whole->region->call_times[0].back().count() == 10);
    CHECK(whole->region->call_times[1].back().count() == 0);
    const auto before = run_region({.to = CallRef{"MPI_Barrier", 2}}, model, true);
    CHECK(before->region->call_times[0].back().count() == 0);
    const auto from = run_region({.from = CallRef{"MPI_Barrier", 1}}, model, true);
    CHECK(from->region->call_times[0].back().count() == 10);
  }
}
