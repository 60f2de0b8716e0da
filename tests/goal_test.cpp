// GOAL schedules and LogGOPS parameters: LogGOPSim's times where messages do not meet, and collectives as
// they are written.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "models/test_run.hpp"
#include "platforms/loggops/loggops.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/files/text_sink.hpp"
#include "workloads/goal/read_goal.hpp"
#include "workloads/goal/write_goal.hpp"

namespace {

using namespace busline;

Program schedule(const std::string& text, Duration unit = Duration::picoseconds(1000)) {
  Diagnostics diagnostics;
  auto program = read_goal_content(text, "x.goal", {.unit = unit}, diagnostics);
  if (!program) FAIL(to_string(program.error()));
  CHECK(diagnostics.empty());
  return *std::move(program);
}

/// L = 2500 ns, o = 1500 ns, G = 6 ns: a message of S bytes takes 2 o + L + (S - 1) G = 5500 + 6 (S - 1) ns.
Platform loggops_machine() {
  Diagnostics diagnostics;
  auto p = parse_loggops("-L 2500 -o 1500 -g 6 -G 6 -O 0 -S 65535", "p.txt", diagnostics);
  if (!p) FAIL(to_string(p.error()));
  p->machines[0].nodes[0].count = 8;
  return *std::move(p);
}

std::vector<std::int64_t> ends_in_ns(const Program& program, const std::string& model) {
  std::vector<std::int64_t> ends;
  for (const auto& rank : complete_run(program, loggops_machine(), model).ranks)
    ends.push_back(rank.end.count() / 1000);
  return ends;
}

constexpr const char* kModels[] = {"dimemas", "ideal", "flow"};

}  // namespace

TEST_CASE("a ping-pong with bursts takes LogGOPSim's time") {
  // Rank 1 has the ping at 1000 + 5500 + 6 x 99 = 7094, answers at 7794 and is free at 9294. Rank 0 has the
  // answer at 7794 + 5500 + 6 x 4999 = 43288 and ends 300 later. LogGOPSim (its commit 76451de) prints 43588
  // and 9294.
  const auto program = schedule(
      "num_ranks 2\nrank 0 {\na: calc 1000\nb: send 100b to 1 tag 1\nb requires a\nc: recv 5000b from 1 tag "
      "2\n"
      "c requires b\nd: calc 300\nd requires c\n}\nrank 1 {\na: recv 100b from 0 tag 1\nb: calc 700\nb "
      "requires a\n"
      "c: send 5000b to 0 tag 2\nc requires b\n}\n");
  for (const auto* model : kModels)
    CHECK(ends_in_ns(program, model) == std::vector<std::int64_t>{43588, 9294});
}

TEST_CASE("a token in a ring takes LogGOPSim's time") {
  // A hop takes 5500 + 6 x 999 = 11494. Ranks 1 to 3 have it after 1 to 3 hops and end o later, rank 0
  // after 4. LogGOPSim prints 45976, 12994, 24488, 35982.
  std::string text = "num_ranks 4\nrank 0 {\na: send 1000b to 1\nb: recv 1000b from 3\nb requires a\n}\n";
  for (int r = 1; r < 4; ++r)
    text += "rank " + std::to_string(r) + " {\na: recv 1000b from " + std::to_string(r - 1) +
            "\nb: send 1000b to " + std::to_string((r + 1) % 4) + "\nb requires a\n}\n";
  const auto program = schedule(text);
  for (const auto* model : kModels)
    CHECK(ends_in_ns(program, model) == std::vector<std::int64_t>{45976, 12994, 24488, 35982});
}

TEST_CASE("a collective and the schedule that it is written as are predicted the same under contention") {
  auto machine = textbook::machine(4, 2);
  machine.machines[0].nodes[0].links = {Links::Kind::full_duplex, 1, 1};
  textbook::network_of(machine).buses = 2;
  machine.mpi.rendezvous_from = Bytes{3000};
  machine.mpi.collectives.preset = CollectivePreset::mpich;
  using enum CollectiveKind;
  for (const auto kind : {bcast, gather, scatter, allgather, alltoall, reduce, allreduce, scan})
    for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{5000}}) {
      CAPTURE(name_of(kind));
      CAPTURE(bytes);
      const auto program = one_collective(kind, 7, bytes);
      TextSink sink;
      Diagnostics diagnostics;
      REQUIRE(write_goal(program, GoalForm::binary, {.unit = Duration::picoseconds(1)}, sink, diagnostics));
      CHECK(diagnostics.size() == 1);  // that collectives are written as messages
      const auto again = schedule(sink.text, Duration::picoseconds(1));
      for (const auto* model : {"dimemas", "ideal"})
        CHECK(complete_run(again, machine, model).run_time == complete_run(program, machine, model).run_time);
    }
}
