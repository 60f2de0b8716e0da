#include "validation/compare/run_comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "platforms/alternatives.hpp"
#include "platforms/load_platform.hpp"

using namespace busline;
using namespace busline::compare;

namespace {

const std::string kSource = BUSLINE_SOURCE_DIR;

/// jacobi2d of set A; its trace is real, the times of its runs are ours: 200, 240 and 250 ms.
runs::RunSet jacobi() {
  runs::RunSet set;
  set.name = "jacobi2d";
  set.machine.name = "cluster";
  set.ranks = 8;
  set.region = {CallRef{"MPI_Barrier", 1}, CallRef{"MPI_Reduce", -3}};
  for (const double seconds : {0.25, 0.2, 0.24}) set.runs.push_back({.time = Duration::seconds(seconds)});
  set.traced =
      runs::TracedRun{{}, kSource + "/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d"};
  set.folder = "F";
  return set;
}

Platform emulated_cluster() {
  Diagnostics diagnostics;
  auto platform = load_platform(kSource + "/platforms/examples/emulated-100mbit.json", diagnostics);
  REQUIRE(platform);
  return *std::move(platform);
}

Expected<RunComparison> compared_sets(const runs::RunSet& set, const CompareOptions& options = {}) {
  Diagnostics diagnostics;
  return compare_run(set, emulated_cluster(), options, diagnostics);
}

std::string comparison_refusal(const runs::RunSet& set, const CompareOptions& options = {}) {
  const auto run = compared_sets(set, options);
  return run ? "" : to_string(run.error());
}

}  // namespace

TEST_CASE("a prediction is set against the median of the runs that were not traced") {
  const auto run = compared_sets(jacobi());
  REQUIRE(run);
  CHECK(run->measured.median == Duration::seconds(0.24));
  CHECK(*run->spread() == doctest::Approx(0.05 / 0.24));
  CHECK(run->error() == doctest::Approx(run->predicted.in_seconds() / 0.24 - 1));
  CHECK(run->traced_time->in_seconds() == doctest::Approx(0.2387).epsilon(1e-3));
  CHECK(run->status == Result::Status::complete);
}

TEST_CASE("other explanations of a platform's measurements predict, too") {
  auto platform = emulated_cluster();
  auto other = platform;
  other.machines.front().network.latency = Duration::seconds(1e-2);
  platform.calibration.emplace();
  platform.calibration->alternatives = {alternative("latency", platform, other)};
  Diagnostics diagnostics;
  const auto run = compare_run(jacobi(), platform, {}, diagnostics);
  REQUIRE(run);
  REQUIRE(run->alternatives.size() == 1);
  CHECK(run->alternatives[0].explanation.starts_with("latency as /network/latency="));
  CHECK(run->alternatives[0].predicted == compare_run(jacobi(), other, {}, diagnostics)->predicted);
  CHECK(run->alternatives[0].predicted > run->predicted);
}

TEST_CASE("failed runs are counted apart, and a single run has no spread") {
  auto set = jacobi();
  set.runs = {{.time = Duration::seconds(0.2)}, {.exit_code = 3}};
  const auto run = compared_sets(set);
  CHECK(run->runs == 1);
  CHECK(run->failed_runs == 1);
  CHECK_FALSE(run->spread());
}

TEST_CASE("predicted and traced calls of a rank lie within its region, and computation is the trace's") {
  const auto run = compared_sets(jacobi());
  REQUIRE(run->rank_calls.size() == 8);
  for (const auto& rank : run->rank_calls) {
    Duration predicted, traced;
    for (const auto& c : rank.calls) {
      predicted += c.predicted;
      traced += c.traced;
    }
    CHECK(predicted <= rank.predicted);
    CHECK(traced <= rank.traced);
    // One rank a CPU: what is not in calls is what the trace says, to a nanosecond per burst.
    const auto outside = (rank.predicted - predicted) - (rank.traced - traced);
    CHECK(std::abs(outside.in_seconds()) < 1e-6);
  }
  const auto differences = call_differences(*run);
  CHECK(std::is_sorted(differences.begin(), differences.end(), [](const auto& a, const auto& b) {
    return std::abs(a.difference().count()) > std::abs(b.difference().count());
  }));
  CHECK(std::any_of(differences.begin(), differences.end(),
                    [](const auto& c) { return c.call == "MPI_Waitall"; }));
}

TEST_CASE("the differences of calls are means over ranks, with the rank where they are largest") {
  const auto ms = [](int n) { return Duration::seconds(n * 1e-3); };
  RunComparison run;
  run.rank_calls = {{ms(10), ms(10), {{"MPI_Recv", ms(4), ms(3)}, {"MPI_Send", ms(1), ms(1)}}},
                    {ms(12), ms(10), {{"MPI_Recv", ms(3), ms(6)}}}};
  const auto all = call_differences(run);
  REQUIRE(all.size() == 3);
  // Outside: 5 and 9 predicted, 6 and 4 traced.
  CHECK(all[0].call == kOutside);
  CHECK(all[0].difference() == ms(2));
  CHECK(all[0].worst_rank == 1);
  CHECK(all[0].worst == ms(5));
  CHECK(all[1].call == "MPI_Recv");
  CHECK(all[1].difference() == ms(-1));
  CHECK(all[1].worst == ms(-3));
  CHECK(all[2].call == "MPI_Send");
}

TEST_CASE("another region is measured in the traced run, which is one run") {
  const runs::Borders whole{};
  const auto run = compared_sets(jacobi(), {.region = whole});
  REQUIRE(run);
  CHECK(run->measured_in == MeasuredIn::trace);
  CHECK(run->runs == 1);
  CHECK(run->measured.median == *run->traced_time);
  CHECK(run->measured.median.in_seconds() == doctest::Approx(0.25256).epsilon(1e-4));
  CHECK(compared_sets(jacobi(), {.region = jacobi().region})->measured_in == MeasuredIn::runs);
}

TEST_CASE("ranks sit where they sat, unless a mapping is given") {
  auto set = jacobi();
  for (std::uint32_t rank = 0; rank < 8; ++rank) set.placement.push_back({"h", rank / 2, -1});
  const auto shared = compared_sets(set);
  CHECK(shared->predicted > compared_sets(jacobi())->predicted);
  CHECK(compared_sets(set, {.replay = {.mapping = Mapping{}}})->predicted ==
        compared_sets(jacobi())->predicted);
  // Eight nodes with a CPU each.
  set.placement[7].node = 8;
  CHECK(comparison_refusal(set).find(
            "F: jacobi2d: ran on 9 nodes, but the platform emulated-100mbit has 8 nodes\n") == 0);
}

TEST_CASE("ranks that each had a CPU of their node are not predicted on a node with fewer CPUs") {
  auto set = jacobi();
  for (std::uint32_t rank = 0; rank < 8; ++rank) set.placement.push_back({"h", rank / 2, -1});
  set.machine.cpus_per_node = 2;
  CHECK(comparison_refusal(set).find("F: jacobi2d: 2 ranks ran on node 0, which had 2 CPUs, but that node of "
                                     "the platform emulated-100mbit has 1 CPU\n") == 0);
  CHECK(compared_sets(set, {.replay = {.mapping = Mapping{}}}));
  set.machine.cpus_per_node = 1;  // they shared it there, too
  CHECK(compared_sets(set));
}

TEST_CASE("a run set that cannot be compared says why") {
  auto set = jacobi();
  set.ranks = 4;
  CHECK(comparison_refusal(set).find("F: jacobi2d: ran on 4 ranks, but its trace ") == 0);
  set = jacobi();
  set.traced.reset();
  CHECK(
      comparison_refusal(set) ==
      "F: jacobi2d: has no trace to replay\n  record one with 'busline-measure record', without --no-trace");
  set = jacobi();
  set.traced->trace = "/nowhere";
  CHECK(comparison_refusal(set).find("/nowhere: ") == 0);
  set = jacobi();
  set.runs = {{.exit_code = 1}};
  CHECK(comparison_refusal(set) ==
        "F: jacobi2d: no run was timed\n  add runs with 'busline-measure record --append'");
  set = jacobi();
  for (auto& run : set.runs) run.time = Duration();
  CHECK(comparison_refusal(set) == "F: jacobi2d: the region has zero length in the real runs");
  CHECK(comparison_refusal(jacobi(), {.region = runs::Borders{CallRef{"MPI_Scan", 1}, {}}})
            .find("no rank calls MPI_Scan") != std::string::npos);
}

TEST_CASE("a replay that cannot continue is reported, with what each rank waits for") {
  // Every send waits for its receive, and all ranks of the ring send first.
  auto set = jacobi();
  set.name = "ring";
  set.traced->trace = kSource + "/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_ring";
  auto platform = emulated_cluster();
  platform.mpi.rendezvous_from = Bytes{0};
  Diagnostics diagnostics;
  const auto run = compare_run(set, platform, {}, diagnostics);
  REQUIRE(run);
  CHECK(run->status == Result::Status::deadlock);
  CHECK(run->blocked.size() == 8);
  CHECK_FALSE(run->predicted_at_all());
}

TEST_CASE(
    "another set's trace is replayed for this set's runs, and its calls are set against the own trace") {
  auto elsewhere = jacobi();
  elsewhere.machine.name = "old";
  elsewhere.traced->trace = kSource + "/validation/golden/real_runs/P_r50_l500_8x1_forced/dumpi_jacobi2d";
  const auto own = compared_sets(jacobi()),
             foreign = compared_sets(jacobi(), {.replay = {.traces = &elsewhere}});
  REQUIRE(foreign);
  CHECK_FALSE(own->traced_on);
  CHECK(*foreign->traced_on == "old");
  CHECK(foreign->machine == "cluster");
  CHECK(foreign->measured.median == own->measured.median);
  CHECK(foreign->traced_time == own->traced_time);
  CHECK(foreign->rank_calls[0].traced == own->rank_calls[0].traced);
  // Sleeps are as long there, though its network is half as fast.
  CHECK(foreign->predicted != own->predicted);
  CHECK(foreign->predicted.in_seconds() == doctest::Approx(own->predicted.in_seconds()).epsilon(0.03));
}

TEST_CASE("a set that was not traced is predicted from another one's trace, without a comparison of calls") {
  const auto elsewhere = jacobi();
  auto set = jacobi();
  set.traced.reset();
  const CompareOptions options{.replay = {.traces = &elsewhere}};
  const auto run = compared_sets(set, options);
  REQUIRE(run);
  CHECK(run->predicted == compared_sets(jacobi())->predicted);
  CHECK_FALSE(run->traced_time);
  CHECK(run->rank_calls.empty());
  CHECK(call_differences(*run).empty());
  CHECK(comparison_refusal(set, {.region = runs::Borders{}, .replay = {.traces = &elsewhere}}) ==
        "F: jacobi2d: has no trace of its own, in which to measure another region\n  leave out --from and "
        "--to: "
        "the region is then that of the run set");
  set.ranks = 4;
  CHECK(comparison_refusal(set, options).find("F: jacobi2d: ran on 4 ranks, but its trace ") == 0);
}
