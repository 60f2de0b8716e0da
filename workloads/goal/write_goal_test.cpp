#include "workloads/goal/write_goal.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"
#include "workloads/files/text_sink.hpp"
#include "workloads/goal/read_goal.hpp"

using namespace busline;

namespace {

const GoalOutput kPicosecondUnits{.unit = Duration::picoseconds(1)};
Diagnostics written_news;

std::string written_goal(const Program& program, GoalForm form,
                         const GoalOutput& options = kPicosecondUnits) {
  written_news.clear();
  TextSink sink;
  const auto done = write_goal(program, form, options, sink, written_news);
  if (!done) FAIL(to_string(done.error()));
  return std::move(sink.text);
}

Program goal_again(const std::string& content) {
  Diagnostics diagnostics;
  auto program = read_goal_content(content, "x.goal", {.unit = Duration::picoseconds(1)}, diagnostics);
  if (!program) FAIL(to_string(program.error()));
  CHECK(diagnostics.empty());
  return *std::move(program);
}

std::string goal_write_refusal(const Program& program) {
  TextSink sink;
  Diagnostics diagnostics;
  const auto done = write_goal(program, GoalForm::text, kPicosecondUnits, sink, diagnostics);
  REQUIRE_FALSE(done);
  return to_string(done.error());
}

/// Calls aside.
bool same_operations(const Program& a, const Program& b) {
  if (a.operations().size() != b.operations().size() || a.strands().size() != b.strands().size())
    return false;
  for (std::size_t i = 0; i < a.operations().size(); ++i) {
    const auto &x = a.operations()[i], &y = b.operations()[i];
    if (x.kind != y.kind || x.peer != y.peer || x.amount != y.amount || x.request != y.request) return false;
    if (x.kind == OpKind::compute) continue;
    const auto &c = a.channels()[x.detail], &d = b.channels()[y.detail];
    if (c.source != d.source || c.destination != d.destination || c.tag != d.tag) return false;
  }
  return true;
}

/// All kinds of messages and waits that GOAL can say, between two ranks.
Program all_messages() {
  ProgramBuilder b(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    const std::uint32_t peer = 1 - rank;
    b.begin_strand(rank);
    b.compute(Duration::picoseconds(1234567));
    const auto r = b.irecv({.peer = peer, .tag = 1}, Bytes{100});
    b.send({.peer = peer, .tag = 1}, Bytes{100});
    b.wait(r);
    const auto s = b.isend({.peer = peer, .tag = 2}, Bytes{200});
    b.wait(s);
    b.recv({.peer = peer, .tag = 2}, Bytes{200});
    const auto r1 = b.irecv({.peer = peer, .tag = 3}, Bytes{7}),
               r2 = b.irecv({.peer = peer, .tag = 4}, Bytes{8});
    const auto s1 = b.isend({.peer = peer, .tag = 4}, Bytes{8}),
               s2 = b.isend({.peer = peer, .tag = 3}, Bytes{7});
    b.compute(Duration::picoseconds(99));
    for (const auto slot : {s2, r2, r1, s1}) b.wait(slot);
    b.isend_and_forget({.peer = peer, .tag = 5}, Bytes{9});
    b.recv({.peer = peer, .tag = 5}, Bytes{9});
    b.isend_and_forget({.peer = peer, .tag = 6}, Bytes{1});
    b.compute(Duration::picoseconds(5));
    const auto last = b.irecv({.peer = peer, .tag = 6}, Bytes{1});
    b.wait(last);
    b.isend_and_forget({.peer = peer, .tag = 7}, Bytes{1});
    b.recv({.peer = peer, .tag = 7}, Bytes{1});
    b.isend_and_forget({.peer = peer, .tag = 8}, Bytes{1});
    if (rank == 0) b.recv({.peer = peer, .tag = 8}, Bytes{1});
  }
  return b.build();
}

}  // namespace

TEST_CASE("messages and waits come back from a schedule as they were") {
  const auto program = all_messages();
  const auto text = written_goal(program, GoalForm::text), binary = written_goal(program, GoalForm::binary);
  CHECK(written_news.empty());
  CHECK(same_operations(goal_again(text), program));
  CHECK(same_operations(goal_again(binary), program));
  // The same again, byte by byte.
  CHECK(written_goal(goal_again(binary), GoalForm::text) == text);
  CHECK(written_goal(goal_again(text), GoalForm::binary) == binary);
}

TEST_CASE("a schedule is written as this text") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(Duration::picoseconds(3000));
  const auto s = b.isend({.peer = 1, .tag = 7}, Bytes{8});
  b.compute(Duration::picoseconds(4000));
  b.wait(s);
  b.begin_strand(1);
  b.recv({.peer = kAnySource, .tag = 7}, Bytes{0});
  CHECK(written_goal(b.build(), GoalForm::text, {}) ==
        "num_ranks 2\n\nrank 0 {\nl1: calc 3\nl2: send 8b to 1 tag 7\nl2 requires l1\nl3: calc 4\n"
        "l3 irequires l2\nl4: calc 0\nl4 requires l2\nl4 requires l3\n}\n\n"
        "rank 1 {\nl1: recv 1b from -1 tag 7\n}\n");
  REQUIRE(written_news.size() == 1);
  CHECK(written_news[0].code == "empty-messages");
}

TEST_CASE("fractions of units are kept for later bursts") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  // 1.4 + 1.4 + 0.4: 1, then 1.8 is 2 and 0.2 too much, then 0.2 is 0.
  for (const auto ps : {1400, 1400, 400}) b.compute(Duration::picoseconds(ps));
  CHECK(written_goal(b.build(), GoalForm::text, {}) ==
        "num_ranks 1\n\nrank 0 {\nl1: calc 1\nl2: calc 2\nl2 requires l1\n}\n");
  REQUIRE(written_news.size() == 1);
  CHECK(written_news[0].message ==
        "3 bursts are not whole multiples of 1 ns; their fractions are added to later ones");
}

TEST_CASE("communicators have tags of their own") {
  ProgramBuilder b(2);
  const auto dup = b.add_communicator({0, 1});
  b.begin_strand(0);
  b.send({.peer = 1, .tag = 1'000'000}, Bytes{8});
  b.send({.peer = 1, .tag = 5, .communicator = dup}, Bytes{8});
  b.begin_strand(1);
  b.recv({.peer = 0, .tag = 1'000'000}, Bytes{8});
  b.recv({.peer = 0, .tag = 5, .communicator = dup}, Bytes{8});
  // 1000000 is in use.
  CHECK(written_goal(b.build(), GoalForm::text).find("send 8b to 1 tag 1000001\n") != std::string::npos);
}

TEST_CASE("a collective takes as long as the messages that it is written as") {
  // Each has the algorithm of MPICH in both; messages of 3 ps + bytes and calls of 2 ps are of the test's
  // network.
  using enum CollectiveKind;
  for (const auto kind : {bcast, gather, scatter, allgather, alltoall, reduce, allreduce, reduce_scatter,
                          scan, allgatherv, alltoallv})
    for (const std::uint32_t ranks : {2U, 3U, 4U, 7U, 8U}) {
      CAPTURE(name_of(kind));
      CAPTURE(ranks);
      const auto algorithm = *chosen_algorithm(CollectivePreset::mpich, {kind, ranks, 4096});
      for (const bool starts : {false, true}) {
        ProgramBuilder b(ranks);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
          b.begin_strand(rank);
          b.compute(Duration::picoseconds(10 * (rank * 7 % 5)));
          const CollectiveArgs args{
              .kind = kind, .is_root = has_root(kind) && rank == 1, .send_bytes = 4096, .recv_bytes = 4096};
          if (starts)
            b.wait(b.collective_start(args));
          else
            b.collective(args);
          b.compute(Duration::picoseconds(1));
        }
        const auto program = b.build();
        const TestNetwork network{.overhead = 2, .transfer = 3, .rendezvous_from = 5000, .named = algorithm};
        const auto whole = replay(program, nodes_for(ranks), network);
        const auto parts =
            replay(goal_again(written_goal(program, GoalForm::binary)), nodes_for(ranks), network);
        CHECK(whole.run_time == parts.run_time);
      }
    }
}

TEST_CASE("a barrier is messages of one byte") {
  ProgramBuilder b(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    b.begin_strand(rank);
    b.collective({.kind = CollectiveKind::init});
    b.collective({.kind = CollectiveKind::barrier});
    b.collective({.kind = CollectiveKind::finalize});
  }
  const auto text = written_goal(b.build(), GoalForm::text);
  CHECK(
      text.find("l1: recv 1b from 1 tag 1000001\nl2: send 1b to 1 tag 1000001\nl2 irequires l1\nl3: calc 0\n"
                "l3 irequires l2\nl4: calc 0\nl4 requires l1\nl4 requires l2\nl4 requires l3\n}") !=
      std::string::npos);
  std::vector<std::string> codes;
  for (const auto& n : written_news) codes.push_back(n.code);
  CHECK(codes == std::vector<std::string>{"empty-messages", "collectives", "ends"});
}

TEST_CASE("threads are cpus, one of which may wait for a message of another") {
  ProgramBuilder b(2);
  b.begin_strand(0, false);
  const auto later = b.wait_later();
  b.compute(Duration::picoseconds(3));
  b.begin_strand(0, false);
  b.fill_wait(later, b.irecv({.peer = 1}, Bytes{8}));
  b.begin_strand(1);
  b.send({.peer = 0}, Bytes{8});
  const auto program = b.build();
  const auto text = written_goal(program, GoalForm::text);
  CHECK(text.find("l1: calc 0\nl2: calc 3\nl2 requires l1\nl3: recv 8b from 1 tag 0 cpu 1\nl4: calc 0 cpu 1\n"
                  "l4 irequires l3\nl1 requires l3\n}") != std::string::npos);
  CHECK(same_operations(goal_again(text), program));
  CHECK(same_operations(goal_again(written_goal(program, GoalForm::binary)), program));
}

TEST_CASE("what a schedule cannot say is refused with rank and call") {
  const auto refused = [](const auto& make) {
    ProgramBuilder b(2);
    b.begin_strand(0);
    b.begin_call(b.call_name("MPI_X"));
    make(b);
    return goal_write_refusal(b.build());
  };
  const std::string place = "rank 0, call 1 (MPI_X): ",
                    hint = "\n  a Program file can hold it: choose a name that ends in .program";
  CHECK(refused([](ProgramBuilder& b) { b.wait(b.put({.peer = 1}, Bytes{8})); }) ==
        place + "GOAL has no one-sided transfers: both ranks take part in each message" + hint);
  CHECK(refused([](ProgramBuilder& b) { b.recv({.peer = 1, .tag = kAnyTag}, Bytes{8}); }) ==
        place +
            "a receive with any tag would take messages of collectives and other communicators, which GOAL "
            "does not "
            "distinguish" +
            hint);
  CHECK(refused([](ProgramBuilder& b) { b.collective({.kind = CollectiveKind::barrier}); }) ==
        place + "this collective cannot be written as messages: its calls do not match, or threads share it" +
            hint);
  CHECK(refused([](ProgramBuilder& b) {
          b.recv({.peer = kAnySource}, Bytes{8});
          b.send_to_last_source({}, Bytes{8});
        }).find("GOAL has no work that depends on which message arrives first") != std::string::npos);
}
