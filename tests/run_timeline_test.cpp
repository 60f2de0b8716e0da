#include "studies/timeline/run_timeline.hpp"

#include <map>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "sim/algorithms/registry.hpp"
#include "sim/base/text_parts.hpp"
#include "sim/program/program_builder.hpp"
#include "studies/timeline/test_timeline.hpp"
#include "tests/for_random_programs.hpp"
#include "tests/random_platform.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/otf2/read_otf2.hpp"

using namespace busline;
using namespace busline::timeline;

namespace {

/// What a Paje file of a run says, in ps.
struct Told {
  std::map<std::uint32_t, std::map<State, std::int64_t>> spent;  // by track
  std::size_t messages = 0;
  bool in_order = true;
};

std::int64_t picoseconds(std::string_view seconds) {
  std::string digits(seconds);
  std::erase(digits, '.');
  return whole_number<std::int64_t>(digits).value_or(-1);
}

Told read_paje(const std::string& text) {
  struct Place {
    State state = State::ended;
    std::int64_t since = 0;
  };
  Told told;
  std::map<std::uint32_t, Place> places;
  std::int64_t last = 0;
  for (const auto line : split(text, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() < 4 || words[0] == "%" || words[0] == "%EventDef" || words[1].find('.') == words[1].npos)
      continue;
    const auto now = picoseconds(words[1]);
    told.in_order = told.in_order && now >= last;
    last = now;
    if (words[0] == "10") ++told.messages;
    const bool state = words[0] == "8", gone = words[0] == "7" && words[2] == "R";
    if (!state && !gone) continue;
    const auto track = *whole_number<std::uint32_t>(words[3].substr(1));
    auto& p = places[track];
    told.spent[track][p.state] += now - p.since;
    p.since = now;
    if (state) p.state = static_cast<State>(*whole_number<unsigned>(words[4].substr(1)));
  }
  return told;
}

struct Run {
  Result result;
  std::string text;
};

Run run_with_timeline(const Program& program, const Platform& platform, const std::string& model,
                      const TestFolder& folder, const std::string& name = "t.paje") {
  const auto machine = place_ranks(platform, program.ranks());
  REQUIRE(machine);
  auto timeline = RunTimeline::of({.path = folder.file(name)}, program, *machine);
  REQUIRE_MESSAGE(timeline, to_string(timeline.error()));
  SimulateOptions options;
  options.model = model;
  options.observers = {timeline->get()};
  auto result = simulate(program, platform, *machine, options);
  REQUIRE_MESSAGE(result, to_string(result.error()));
  const auto written = (*timeline)->write(*result);
  REQUIRE_MESSAGE(written, to_string(written.error()));
  return {std::move(*result), folder.read(name)};
}

/// The result is what it is without a timeline, and the timeline's states are the times in it.
bool timeline_agrees(const RandomProgram& recipe, const Platform& platform, const std::string& model) {
  const TestFolder folder;
  const auto program = random_program(recipe);
  const auto run = run_with_timeline(program, platform, model, folder);
  const auto told = read_paje(run.text);
  SimulateOptions options;
  options.model = model;
  const auto plain = simulate(program, platform, *place_ranks(platform, program.ranks()), options);
  REQUIRE(plain);
  bool good = all_of(*plain) == all_of(run.result);
  CHECK_MESSAGE(good, model << ": a timeline changes nothing");
  const auto check = [&](bool holds, const char* what) {
    CHECK_MESSAGE(holds, model << ": " << what);
    good = good && holds;
  };
  check(told.in_order, "events are by time");
  check(told.messages == run.result.messages + run.result.collective_messages, "all messages are told");
  const auto ps = [](Duration d) { return d.count(); };
  for (std::uint32_t r = 0; r < run.result.ranks.size(); ++r) {
    const auto& rank = run.result.ranks[r];
    auto spent = told.spent.at(r);
    check(spent[State::compute] + spent[State::file_access] == ps(rank.times.compute), "computing");
    check(spent[State::for_cpu] == ps(rank.times.cpu_wait), "waiting for a CPU");
    check(spent[State::ended] == run.result.run_time.count() - rank.end.count(), "its end");
    std::int64_t all = 0;
    for (const auto& [state, time] : spent) all += time;
    check(all == run.result.run_time.count(), "every instant");
    if (run.result.collective_messages > 0) continue;  // whose waits count as the collective's
    check(spent[State::latency] == ps(rank.times.latency), "latency");
    check(spent[State::in_receive] + spent[State::in_send] + spent[State::in_wait] == ps(rank.times.wait),
          "waiting");
    check(spent[State::for_members] == ps(rank.times.collective_wait), "waiting for members");
    check(spent[State::collective] == ps(rank.times.collective), "collectives");
  }
  return good;
}

}  // namespace

TEST_CASE(
    "the states of a timeline are the times of the result, which it does not change, on every network") {
  RandomProgram kind;
  kind.one_sided = true;
  kind.to_oneself = true;
  for_random_programs(kind, 2, [](const RandomProgram& recipe) {
    const auto p = random_platform(recipe.ranks, recipe.seed);
    return timeline_agrees(recipe, p, "dimemas") && timeline_agrees(recipe, p, "ideal") &&
           timeline_agrees(recipe, p, "flow");
  });
}

TEST_CASE("a timeline changes nothing where collectives are algorithms, and shows their messages") {
  for (const auto& [name, algorithm] : kAlgorithmNames) {
    RandomProgram recipe;
    recipe.ranks = 5;
    recipe.steps = 60;
    auto p = random_platform(recipe.ranks, 1);
    CollectiveCost cost;
    cost.algorithm = algorithm;
    p.mpi.collectives.fallback = {cost};
    CHECK(timeline_agrees(recipe, p, "dimemas"));
  }
}

TEST_CASE("a message stands in the call that receives it, with the times of its transfer") {
  ProgramBuilder b(2);
  const auto send = b.call_name("MPI_Send"), receive = b.call_name("MPI_Recv");
  b.begin_strand(0);
  b.compute(Duration::picoseconds(5'000'000));
  b.begin_call(send);
  b.send({.peer = 1, .tag = 9}, Bytes{1'000'000});
  b.begin_strand(1);
  b.begin_call(receive);
  b.recv({.peer = 0, .tag = 9}, Bytes{1'000'000});
  const TestFolder folder;
  const auto text = run_with_timeline(b.build(), textbook::machine(2), "dimemas", folder, "t.prv").text;
  // Computes 5 us, pays 10 us of latency, and the bytes take 10 ms. The receiver has paid its latency before.
  CHECK(text.find("\n3:1:1:1:1:15000:15000:2:1:2:1:10015000:10015000:1000000:9\n") != text.npos);
  CHECK(text.find("\n1:1:1:1:1:0:5000:1\n") != text.npos);
  CHECK(text.find("\n1:1:1:1:1:5000:15000:18\n") != text.npos);
  CHECK(text.find("\n1:2:1:2:1:0:10000:18\n") != text.npos);
  CHECK(text.find("\n1:2:1:2:1:10000:10015000:3\n") != text.npos);
  CHECK(text.find("\n2:1:1:1:1:5000:50000001:1\n") != text.npos);
  CHECK(text.find("\n2:1:1:1:1:15000:50000001:0\n") != text.npos);
}

TEST_CASE("a run's OTF2 timeline is a workload that takes the same time again, on every rank") {
  if (!format_of("t.otf2")) return;  // built without OTF2
  constexpr std::uint32_t kRingRanks = 4, kRingRounds = 3;
  ProgramBuilder b(kRingRanks);
  const auto others = b.add_communicator({3, 1, 0});
  const auto irecv = b.call_name("MPI_Irecv"), isend = b.call_name("MPI_Isend"),
             send = b.call_name("MPI_Send"), wait = b.call_name("MPI_Waitall"),
             allreduce = b.call_name("MPI_Allreduce"), bcast = b.call_name("MPI_Bcast");
  for (std::uint32_t rank = 0; rank < kRingRanks; ++rank) {
    b.begin_strand(rank);
    const Envelope next{.peer = (rank + 1) % kRingRanks, .tag = 9},
        before{.peer = (rank + kRingRanks - 1) % kRingRanks, .tag = 9};
    for (std::uint32_t round = 0; round < kRingRounds; ++round) {
      b.compute(Duration::picoseconds((rank + 1) * 5'000'000));
      b.begin_call(irecv);
      const auto received = b.irecv(before, Bytes{50'000});
      const auto small = b.irecv(before, Bytes{8});
      b.begin_call(isend);
      const auto sent = b.isend(next, Bytes{50'000});
      b.compute(Duration::picoseconds(1'000'000));
      b.begin_call(send);
      b.send(next, Bytes{8});
      b.begin_call(wait);
      for (const auto slot : {small, sent, received}) b.wait(slot);
      b.begin_call(allreduce);
      b.collective({.kind = CollectiveKind::allreduce, .send_bytes = 24, .recv_bytes = 24});
      if (rank == 2) continue;
      b.begin_call(bcast);
      b.collective({.kind = CollectiveKind::bcast,
                    .is_root = rank == 3,
                    .communicator = others,
                    .send_bytes = 100,
                    .recv_bytes = 100});
    }
  }
  auto platform = textbook::machine(kRingRanks);
  platform.mpi.rendezvous_from = Bytes{1000};
  const TestFolder folder;
  const auto program = b.build();
  const auto first = run_with_timeline(program, platform, "dimemas", folder, "t.otf2");
  Diagnostics told;
  const auto again = read_otf2(folder.file("t.otf2"), told);
  REQUIRE_MESSAGE(again, to_string(again.error()));
  CHECK(told.empty());
  CHECK(again->operations().size() == program.operations().size());
  const auto second = textbook::simulated(*again, platform, "dimemas");
  REQUIRE(second);
  REQUIRE(second->ranks.size() == kRingRanks);
  for (std::uint32_t rank = 0; rank < kRingRanks; ++rank)
    CHECK(second->ranks[rank].end == first.result.ranks[rank].end);
}

TEST_CASE("a timeline of some ranks has no others, and no messages with them") {
  const TestFolder folder;
  RandomProgram recipe;
  recipe.ranks = 4;
  const auto program = random_program(recipe);
  const auto platform = random_platform(recipe.ranks, 1);
  const auto machine = place_ranks(platform, program.ranks());
  for (const auto& format : formats()) {
    if (format.write == nullptr) continue;
    auto timeline =
        RunTimeline::of({.path = folder.file("a").append(format.suffix), .ranks = {3, 1}}, program, *machine);
    REQUIRE(timeline);
    SimulateOptions options;
    options.observers = {timeline->get()};
    const auto result = simulate(program, platform, *machine, options);
    REQUIRE((*timeline)->write(*result));
  }
  CHECK(folder.read("a.row").ends_with("LEVEL THREAD SIZE 2\nrank 1\nrank 3\n"));
  CHECK(folder.read("a.json").find("rank 0") == std::string::npos);
  const auto wrong = RunTimeline::of({.path = folder.file("a.prv"), .ranks = {4}}, program, *machine);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "rank 4: the workload has 4 ranks, numbered from 0");
}
