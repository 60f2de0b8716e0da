#include "validation/compare/traces_from.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace busline;
using namespace busline::compare;

namespace {

runs::RunSet run_of(std::string program, std::string machine, std::uint32_t ranks,
                    std::vector<std::string> command = {}) {
  runs::RunSet set;
  set.name = std::move(program);
  set.machine.name = std::move(machine);
  set.ranks = ranks;
  set.command = std::move(command);
  set.traced = runs::TracedRun{{}, "trace"};
  return set;
}

struct Matched {
  Expected<std::vector<TracedRuns>> sets;
  std::string warnings;
};

Matched matched(const std::vector<runs::RunSet>& traced, const std::vector<runs::RunSet>& timed) {
  Diagnostics diagnostics;
  Matched m{traces_from(traced, timed, diagnostics), ""};
  for (const auto& d : diagnostics) m.warnings += d.code + ": " + d.message + "\n";
  return m;
}

std::string refusal_of(const std::vector<runs::RunSet>& traced, const std::vector<runs::RunSet>& timed) {
  const auto m = matched(traced, timed);
  return m.sets ? "" : to_string(m.sets.error());
}

}  // namespace

TEST_CASE("a run goes with the trace of its program on as many ranks, and others are left out by name") {
  auto untraced = run_of("ring", "old", 8);
  untraced.traced.reset();
  const std::vector traced{run_of("farm", "old", 4), run_of("farm", "old", 8), untraced,
                           run_of("fft", "old", 2), run_of("fft", "old", 4)};
  const std::vector timed{run_of("farm", "new", 8), run_of("ring", "new", 8), run_of("fft", "new", 8),
                          run_of("farm", "newer", 4)};
  const auto m = matched(traced, timed);
  REQUIRE(m.sets);
  REQUIRE(m.sets->size() == 2);
  CHECK(m.sets->at(0).timed == &timed[0]);
  CHECK(m.sets->at(0).traced == &traced[1]);
  CHECK(m.sets->at(1).timed == &timed[3]);
  CHECK(m.sets->at(1).traced == &traced[0]);
  CHECK(m.warnings ==
        "no-trace: --traces: runs are left out; not traced: ring on new; traced on another number of ranks: "
        "fft on new (8, traced on 2, 4)\n");
}

TEST_CASE("traces of which none fits a run are refused, with the reasons") {
  CHECK(
      refusal_of({run_of("farm", "old", 4)}, {run_of("farm", "new", 8), run_of("ring", "new", 8)}) ==
      "--traces: has no trace for any of the runs; not traced: ring on new; traced on another number of "
      "ranks: farm on new (8, traced on 4)\n  a trace is that of a run set with the same name and number of "
      "ranks");
}

TEST_CASE("arguments choose between traces of one program, however it was launched") {
  const std::vector traced{
      run_of("farm", "old", 8, {"mpirun", "-n", "8", "{}", "/opt/farm", "size=1", "/a/in"}),
      run_of("farm", "old", 8, {"mpirun", "-n", "8", "{}", "/opt/farm", "size=2", "/a/in"})};
  const auto m =
      matched(traced, {run_of("farm", "new", 8, {"srun", "{}", "pin.sh", "./farm", "size=2", "/b/in"})});
  REQUIRE(m.sets);
  CHECK(m.sets->front().traced == &traced[1]);
  CHECK(m.warnings.empty());
  CHECK(refusal_of({run_of("farm", "old", 8), run_of("farm", "older", 8)}, {run_of("farm", "new", 8)}) ==
        "--traces: has several traces for farm on new: of farm on old and of farm on older\n  name a folder "
        "with one of them");
}

TEST_CASE("other arguments than those of the only trace are told") {
  const auto m =
      matched({run_of("farm", "old", 8, {"farm", "size=1"})}, {run_of("farm", "new", 8, {"farm", "size=2"})});
  CHECK(m.sets);
  CHECK(
      m.warnings ==
      "other-arguments: farm on new ran with other arguments than on old, where it was traced: 'size=2' and "
      "'size=1'\n");
  // A program under another name, behind a mark; and commands that do not show the program.
  CHECK(matched({run_of("farm", "old", 8, {"{}", "/opt/farm.x"})},
                {run_of("farm", "new", 8, {"{}", "./f.exe"})})
            .warnings.empty());
  CHECK(matched({run_of("farm", "old", 8, {"mpirun", "f"})},
                {run_of("farm", "new", 8, {"srun", "-n", "8", "f"})})
            .warnings.empty());
  CHECK(matched({run_of("farm", "old", 8, {"{}"})}, {run_of("farm", "new", 8, {"{}"})}).warnings.empty());
}
