// SKaMPI's parameter files on simulated machines, from the text of the file to results, result file and log.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measuring/skampi/run_suites.hpp"
#include "measuring/skampi/ski_suites.hpp"
#include "measuring/skampi/suite_plan.hpp"
#include "measuring/testbed/noisy_testbed.hpp"
#include "validation/simulated/simulated_testbed.hpp"
#include "validation/simulated/test_testbed.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/files/test_folder.hpp"

namespace {

using namespace busline;
using namespace busline::skampi;
using measure::Pattern;
using measure::TimeOf;
using measure::Varies;
using textbook::kLatency;
using textbook::network;

ParameterFile parameters(std::string_view text) {
  Diagnostics diagnostics;
  auto file = parse_parameter_file(text, "x.skampi", {}, diagnostics);
  if (!file) FAIL(to_string(file.error()));
  return *std::move(file);
}

Expected<std::vector<measure::SuitePlan>> planned(measure::Testbed& testbed, std::string_view text,
                                                  Diagnostics* warnings = nullptr) {
  Diagnostics diagnostics;
  auto plans = plan_suites(parameters(text), "x.skampi", testbed, diagnostics);
  if (warnings != nullptr) *warnings = diagnostics;
  return plans;
}

std::string plan_refused(measure::Testbed& testbed, std::string_view keys) {
  const auto plans = planned(testbed, "@MEASUREMENTS A {" + std::string(keys) + "}");
  return plans ? "it was planned" : to_string(plans.error());
}

std::vector<measure::Suite> measured_suites(measure::Testbed& testbed, std::string_view text) {
  const auto plans = planned(testbed, text);
  if (!plans) FAIL(to_string(plans.error()));
  Diagnostics diagnostics;
  auto run = run_suites(testbed, *plans, {}, {}, diagnostics);
  REQUIRE(run);
  CHECK(run->failed.empty());
  return std::move(run->suites);
}

std::vector<std::uint64_t> arguments(const measure::Suite& suite) {
  std::vector<std::uint64_t> all;
  for (const auto& p : suite.points) all.push_back(p.argument);
  return all;
}

// Reads, interprets and runs a script of SKaMPI 5.
Expected<SuiteRun> script_run(measure::Testbed& testbed, std::string_view text, Diagnostics& diagnostics) {
  const auto tokens = ski_tokens(text, "x.ski");
  REQUIRE(tokens);
  const auto script = parse_ski(*tokens);
  REQUIRE(script);
  const auto measurements = interpret_ski(*script, machine_of(testbed), diagnostics);
  REQUIRE(measurements);
  return run_ski(testbed, *measurements, {}, {}, diagnostics);
}

}  // namespace

TEST_CASE("SKaMPI's ping-pong on a machine with L and BW takes 2 (L + S/BW) exactly") {
  const auto testbed = textbook_testbed(2);
  const auto suites = measured_suites(*testbed, R"(@MEMORY 1024
@MAXSTEPSDEFAULT 100
@MEASUREMENTS
MPI_Send-MPI_Recv { Type = 1; Scale = Fixed_log; Stepwidth = 2; }
)");
  REQUIRE(suites.size() == 1);
  CHECK(suites[0].pattern == Pattern::pingpong);
  CHECK(suites[0].time == TimeOf::round_trip);
  CHECK(suites[0].points.front().argument == 0);
  CHECK(suites[0].points.back().argument == 1U << 20U);
  CHECK(suites[0].points.size() == 22);
  for (const auto& point : suites[0].points)
    CHECK(point.result_ps.value == static_cast<double>(((kLatency + network(point.argument)) * 2).count()));
}

TEST_CASE("the manual's new measurement, Type 50, runs with the manual's own block") {
  const auto testbed = textbook_testbed(2);
  const auto suites = measured_suites(*testbed, R"(@MEASUREMENTS
MPI_Send
{
  Type = 50;
  Variation = Length;
  Scale = Dynamic_log;
  Max_Repetition = Default_Value;
  Min_Repetition = Default_Value;
  Multiple_of = Default_Value;
  Time_Measurement = Default_Value;
  Time_Suite = Default_Value;
  Node_Times = yes;
  Cut_Quantile = Default_Value;
  Default_Chunks = 0;
  Default_Message_length = 256;
  Start_Argument = 0;
  End_Argument = Max_Value;
  Stepwidth = 1.414213562;
  Max_Steps = Default_Value;
  Min_Distance = 2;
  Max_Distance = 512;
  Standard_error = Default_Value;
}
)");
  REQUIRE(suites.size() == 1);
  CHECK(suites[0].points.size() == 16);
  for (const auto& point : suites[0].points) {
    CHECK(point.result_ps.value == static_cast<double>(kLatency.count()));
    REQUIRE(point.node_results_ps.size() == 2);
    // The receiver waits until the message is there.
    CHECK(point.node_results_ps[1] == static_cast<double>((kLatency + network(point.argument)).count()));
  }
}

TEST_CASE("a jump at the eager limit draws the arguments of a parameter file's suite") {
  auto platform = textbook::machine(2);
  platform.mpi.rendezvous_from = Bytes{10'000};
  platform.mpi.handshake = us(200);
  const auto testbed = simulated_testbed(platform, 2);
  const auto suites = measured_suites(*testbed, R"(@MEASUREMENTS
MPI_Send-MPI_Recv { Type = 1; Scale = Dynamic_log; Stepwidth = 2; Start_Argument = 64; End_Argument = 131072;
                    Max_Steps = 24; Standard_error = 1%; }
)");
  const auto all = arguments(suites.at(0));
  // The limit is found to within 1 %, and with fewer measurements than were allowed.
  CHECK(all.size() < 24);
  const auto next = std::lower_bound(all.begin(), all.end(), 10'000U);
  REQUIRE(next != all.begin());
  CHECK(*next - *(next - 1) <= 100);
}

TEST_CASE("pairs are rank 0 and the rank that is farthest from it, the lowest of several") {
  // Ranks 0 and 1 share a node; 2 and 3 are on another.
  const auto testbed = simulated_testbed(textbook::machine(2, 2), 4);
  CHECK(farthest_rank(*testbed) == 2U);
  const auto suites = measured_suites(*testbed, "@MEASUREMENTS A { Type = 5; Variation = No_variation; }");
  CHECK(suites.at(0).ranks == std::vector<std::uint32_t>{0, 2});
  CHECK(arguments(suites[0]) == std::vector<std::uint64_t>{0});
  CHECK(suites[0].bytes == 256);
}

TEST_CASE("each pattern varies over what it has") {
  const auto testbed = textbook_testbed(5);
  const auto suites = measured_suites(*testbed, R"(@MEMORY 1
@MEASUREMENTS
Barrier { Type = 18; }
Bcast-nodes { Type = 17; Variation = Nodes; Start_Argument = 0; Default_Message_length = 1000; }
Gather { Operation = MPI_Gather; Scale = Fixed_linear; Stepwidth = 60; }
Waitsome-chunks { Type = 10; Variation = Chunks; Start_Argument = 2; End_Argument = 6; Stepwidth = 2; }
Waitsome-nodes { Type = 10; Variation = Nodes; }
Wtime { Type = 24; }
Alltoall-SM { Type = 20; Scale = Fixed_linear; Multiple_of = 50; Stepwidth = 50; }
)");
  REQUIRE(suites.size() == 7);
  const auto check = [&](std::size_t i, Pattern pattern, Varies varies, std::vector<std::uint64_t> expected) {
    CAPTURE(suites[i].name);
    CHECK(suites[i].pattern == pattern);
    CHECK(suites[i].varies == varies);
    CHECK(arguments(suites[i]) == expected);
  };
  check(0, Pattern::collective, Varies::ranks, {1, 2, 3, 4, 5});
  check(1, Pattern::collective, Varies::ranks, {1, 2, 3, 4, 5});
  // 1024 bytes for one's own part and those of five ranks: 170.
  check(2, Pattern::collective, Varies::bytes, {0, 60, 120, 170});
  check(3, Pattern::master_worker, Varies::chunks, {2, 4, 6});
  check(4, Pattern::master_worker, Varies::ranks, {2, 3, 4, 5});
  check(5, Pattern::local, Varies::nothing, {0});
  // 1024 / (2 * 5) = 102, and down to a multiple.
  check(6, Pattern::collective, Varies::bytes, {0, 50, 100});
  CHECK(suites[1].time == TimeOf::root);
  CHECK(suites[6].time == TimeOf::max_over_ranks);
  CHECK(suites[1].bytes == 1000);
  CHECK(suites[3].bytes == 256);
}

TEST_CASE("a suite's range ends where buffers and ranks do") {
  const auto testbed = textbook_testbed(4);
  Diagnostics warnings;
  const auto plans =
      planned(*testbed, "@MEASUREMENTS A { Type = 17; Variation = Nodes; End_Argument = 64; }", &warnings);
  REQUIRE(plans);
  CHECK(plans->at(0).range.end == 4);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].message == "End_Argument of A is 64, but the maximum is 4: it ends there");
}

TEST_CASE("blocks that make no sense on a machine are refused with line and key") {
  const auto testbed = textbook_testbed(4);
  CHECK(plan_refused(*testbed, "Type = 77;") ==
        "x.skampi:1: Type of A: no operation has the number 77\n  docs/reference/kernels.md lists "
        "the "
        "operations");
  CHECK(plan_refused(*testbed, "Operation = MPI_Gathr;") ==
        "x.skampi:1: Operation of A: unknown operation 'MPI_Gathr'\n  did you mean MPI_Gather?");
  CHECK(plan_refused(*testbed, "Type = 24; Variation = Length;") ==
        "x.skampi:1: Variation of A: MPI_Wtime is a call of one rank, expected No_variation");
  CHECK(plan_refused(*testbed, "Type = 18; Variation = Length;") ==
        "x.skampi:1: Variation of A: MPI_Barrier has no message whose length could vary");
  CHECK(plan_refused(*testbed, "Type = 1; Variation = Nodes;") ==
        "x.skampi:1: Variation of A: MPI_Send-MPI_Recv runs between two ranks, expected Length or "
        "No_variation");
  CHECK(plan_refused(*testbed, "Type = 17; Variation = Chunks; End_Argument = 2;") ==
        "x.skampi:1: Variation of A: MPI_Bcast has no chunks whose number could vary");
  CHECK(plan_refused(*testbed, "Type = 10; Variation = Chunks;") ==
        "x.skampi:1: End_Argument of A: is Max_Value, but the number of chunks has no maximum\n  give a "
        "number");
  const auto alone = textbook_testbed(1);
  CHECK(plan_refused(*alone, "Type = 1;") ==
        "x.skampi:1: A: MPI_Send-MPI_Recv needs two ranks, but the job has one");
}

TEST_CASE("a run that was stopped ends as if it had not been") {
  const std::string_view text = R"(@STANDARDERRORDEFAULT 0.1%
@MEASUREMENTS
Send { Type = 1; End_Argument = 4096; }
Bcast { Type = 17; Variation = Nodes; }
Barrier { Type = 18; }
)";
  const TestFolder folder;
  const RunFileNames names{folder.file("s.out"), folder.file("s.log")};
  const auto head = head_text(head_of(parameters(text)));
  // Runs until `stop` suites are begun; with noise, so that a suite that is measured again is the same only
  // if the testbed says so.
  const auto run = [&](std::size_t stop, Diagnostics& diagnostics) {
    auto testbed = std::make_unique<measure::NoisyTestbed>(textbook_testbed(4), measure::Noise{0.01, 7});
    const auto plans = planned(*testbed, text);
    REQUIRE(plans);
    auto files = RunFiles::open(names, head, diagnostics);
    REQUIRE(files);
    std::string last;
    std::size_t begun = 0;
    auto result = run_suites(
        *testbed, *plans, {.files = &*files, .others = {}},
        [&](const measure::SuiteProgress& p) {
          if (std::exchange(last, p.suite) != p.suite) ++begun;
          return begun < stop;
        },
        diagnostics);
    REQUIRE(result);
    return *std::move(result);
  };
  Diagnostics diagnostics;
  const auto whole = run(9, diagnostics);
  CHECK_FALSE(whole.interrupted);
  CHECK(whole.suites.size() == 3);
  const auto expected = content_of(names.out);
  CHECK(expected.ends_with("#eol\nskampi finished.\n"));
  std::filesystem::remove(names.out);

  const auto first = run(2, diagnostics);
  CHECK(first.interrupted);
  CHECK(first.suites.size() == 1);
  CHECK(content_of(names.log) ==
        "Process 0: Send started\nProcess 0: Send ended\nProcess 0: Bcast started\nProcess 0: Bcast "
        "interrupted\n");
  const auto second = run(9, diagnostics);
  CHECK_FALSE(second.interrupted);
  REQUIRE(second.suites.size() == 3);
  CHECK(second.suites[0].points.size() == whole.suites[0].points.size());
  CHECK(second.suites[1].points.size() == whole.suites[1].points.size());
  CHECK(diagnostics.empty());
  CHECK(content_of(names.out) == expected);
}

TEST_CASE("a run continued for some of its suites is finished when the others are also there") {
  const auto file = parameters("@MEASUREMENTS A { Type = 1; End_Argument = 64; } B { Type = 18; }");
  const TestFolder folder;
  const RunFileNames names{folder.file("s.out"), folder.file("s.log")};
  const auto testbed = textbook_testbed(2);
  Diagnostics diagnostics;
  const auto plans = plan_suites(file, "s.skampi", *testbed, diagnostics);
  REQUIRE(plans);
  const std::span all(*plans);
  const auto finishes = [&](std::span<const measure::SuitePlan> chosen, std::vector<std::string> others,
                            const measure::Watch& watch) {
    auto files = RunFiles::open(names, "#@MACHINE test\n", diagnostics);
    REQUIRE(files);
    REQUIRE(
        run_suites(*testbed, chosen, {.files = &*files, .others = std::move(others)}, watch, diagnostics));
    return content_of(names.out).ends_with("skampi finished.\n");
  };
  CHECK_FALSE(finishes(all, {}, [](const measure::SuiteProgress& p) { return p.suite == "A"; }));
  CHECK_FALSE(finishes(all.first(1), {"B"}, {}));
  CHECK(finishes(all.last(1), {"A"}, {}));
  // A new run has what it was asked for.
  CHECK(finishes(all.first(1), {"B"}, {}));
}

TEST_CASE("complete runs are merged into one file, and kept") {
  const TestFolder folder;
  const RunFileNames names{folder.file("s.out"), folder.file("s.log")};
  Diagnostics diagnostics;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    measure::NoisyTestbed testbed(textbook_testbed(2), measure::Noise{0.05, seed});
    const auto plans =
        planned(testbed, "@MEASUREMENTS A { Type = 1; Scale = Fixed_log; End_Argument = 64; }");
    auto files = RunFiles::open(names, "#@MACHINE test\n", diagnostics);
    REQUIRE(files);
    REQUIRE(run_suites(testbed, *plans, {.files = &*files, .others = {}}, {}, diagnostics));
    CHECK(merge_older_runs(names.out, diagnostics) == seed);
  }
  CHECK(diagnostics.empty());
  CHECK(older_runs(names.out).size() == 3);
  const auto merged = read_results(names.out, diagnostics);
  REQUIRE(merged);
  CHECK(merged->finished);
  CHECK(merged->head_text("POSTPROC") == "3 runs");
  // Each result is that of one of the runs, the one in the middle if they have as many samples.
  for (const auto& row : merged->suites.at(0).rows) {
    std::size_t same = 0;
    for (const auto& name : older_runs(names.out)) {
      const auto single = read_results(name, diagnostics);
      REQUIRE(single);
      for (const auto& r : single->suites.at(0).rows)
        if (r.argument == row.argument && r.cleaned == row.cleaned) ++same;
    }
    CHECK(same >= 1);
  }
}

TEST_CASE("a script cannot refine a variable that is neither a size nor a number of processes") {
  const auto testbed = textbook_testbed(4);
  Diagnostics diagnostics;
  const auto run = script_run(*testbed, R"(begin measurement "roots"
  autorefine root = 1 to 3 step 1 do
    measure comm(4) : Bcast(8, MPI_INT, root)
  od
end measurement
)",
                              diagnostics);
  REQUIRE_FALSE(run);
  CHECK(to_string(run.error()) ==
        "x.ski:3: 'autorefine' needs a variable that is a number of message elements or of processes");
}

TEST_CASE("a script of SKaMPI 5 measures its loops, and refines those that ask for it") {
  const auto testbed = textbook_testbed(4);
  Diagnostics diagnostics;
  const auto run = script_run(*testbed, R"(
set_max_relative_standard_error(0.01)
set_autorefine_factor(1.5)
begin measurement "length"
  for count = 1 to ... step *2 do
    measure comm2(0, 1) : Pingpong_Send_Recv(count, MPI_INT, 0, 10)
  od
end measurement
begin measurement "procs"
  for procs = 2 to get_np() do
    measure comm(procs) : Barrier()
  od
end measurement
begin measurement "refined"
  autorefine count = 1 to 4096 step *2 do
    measure comm2(0, 1) : Pingpong_Send_Recv(count, MPI_INT, 0, 1)
  od
end measurement
begin measurement "partners"
  for partner = 1 to last_proc() do
    measure comm2(0, partner) : Pingpong_Send_Recv(1, MPI_INT, 0, 1)
  od
end measurement
)",
                              diagnostics);
  REQUIRE(run);
  REQUIRE(run->suites.size() == 4);
  const auto& length = run->suites[0];
  CHECK(length.varies == Varies::bytes);
  CHECK(length.messages == 10);
  // 4 MiB by default, half of it used, for two buffers.
  CHECK(length.points.back().argument == 1U << 20U);
  for (const auto& point : length.points)
    CHECK(point.result_ps.value == static_cast<double>(((kLatency + network(point.argument)) * 2).count()));
  CHECK(run->suites[1].varies == Varies::ranks);
  CHECK(arguments(run->suites[1]) == std::vector<std::uint64_t>{2, 3, 4});
  CHECK(run->suites[1].time == TimeOf::max_over_ranks);
  CHECK(run->suites[1].points[0].node_results_ps.size() == 2);
  const auto& refined = run->suites[2];
  CHECK(refined.points.size() == 20);  // 1.5 times the 13 of the loop
  for (const auto argument : arguments(refined)) CHECK(argument % 4 == 0);
  // Other ranks at each point: the document says between whom.
  const auto& partners = run->suites[3];
  CHECK(partners.points.size() == 3);
  CHECK(partners.ranks == std::vector<std::uint32_t>{0, 1});
  CHECK(diagnostics.empty());
}
