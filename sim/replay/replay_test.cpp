// Tests of the replay itself: CPUs, matching, requests, collectives' rendezvous, the clock. Networks are
// tested with the models.
#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;

TEST_CASE("a single rank ends with its last burst") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(ps(30));
  b.compute(ps(12));
  const auto r = replay(b.build(), nodes_for(1));
  CHECK(r.status == Result::Status::complete);
  CHECK(r.run_time.count() == 42);
  CHECK(r.ranks[0].times.compute == ps(42));
}

TEST_CASE("time that elapses in a call takes as long on every node") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(ps(30));
  b.begin_call(b.call_name("MPI_File_read"));
  b.elapse(ps(12));
  Machine m = nodes_for(1);
  m.nodes.front().speed = 2;
  const auto program = b.build();
  CHECK(program.call_names()[program.operations()[1].call] == "MPI_File_read");
  const auto r = replay(program, m);
  CHECK(r.run_time.count() == 15 + 12);
  CHECK(r.ranks[0].times.compute == ps(27));
}

TEST_CASE("a rank without operations ends at once") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(ps(5));
  b.begin_strand(1);
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.ranks[1].end.count() == 0);
  CHECK(r.run_time.count() == 5);
}

TEST_CASE("an early receiver gets its message one overhead and one transfer after the send") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(ps(100));
  b.send({.peer = 1, .tag = 3}, Bytes{50});
  b.begin_strand(1);
  b.recv({.peer = 0, .tag = 3}, Bytes{50});
  // 100 burst + 10 overhead, then 1 + 50 on the network and 7 in flight.
  const auto r = replay(b.build(), nodes_for(2), {.overhead = 10, .transfer = 1, .flight = 7});
  CHECK(r.ranks[0].end.count() == 110);
  CHECK(r.ranks[1].end.count() == 168);
  CHECK(r.ranks[1].times.latency == ps(10));
  CHECK(r.ranks[1].times.wait == ps(158));
}

TEST_CASE("a late receiver pays its overhead and waits for nothing") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({.peer = 1}, Bytes{50});
  b.begin_strand(1);
  b.compute(ps(1000));
  b.recv({.peer = 0}, Bytes{50});
  const auto r = replay(b.build(), nodes_for(2), {.overhead = 10});
  CHECK(r.ranks[1].end.count() == 1010);
  CHECK(r.ranks[1].times.wait == ps(0));
}

TEST_CASE("a rendezvous send waits for its receive and an eager one does not") {
  for (const bool rendezvous : {true, false}) {
    ProgramBuilder b(2);
    b.begin_strand(0);
    b.send({.peer = 1}, Bytes{20});
    b.begin_strand(1);
    b.compute(ps(500));
    b.recv({.peer = 0}, Bytes{20});
    const auto r = replay(b.build(), nodes_for(2), {.rendezvous_from = rendezvous ? 20U : 21U});
    CAPTURE(rendezvous);
    CHECK(r.ranks[0].end.count() == (rendezvous ? 500 : 0));  // it continues once the message has started
    CHECK(r.ranks[1].end.count() == (rendezvous ? 520 : 500));
  }
}

TEST_CASE("a handshake precedes a rendezvous transfer once its receive is posted") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({.peer = 1}, Bytes{20}, SendMode::synchronous);
  b.begin_strand(1);
  b.compute(ps(500));
  b.recv({.peer = 0}, Bytes{20});
  const auto r = replay(b.build(), nodes_for(2), {.handshake_time = 30});
  CHECK(r.ranks[0].end.count() == 530);
  CHECK(r.ranks[1].end.count() == 550);
}

TEST_CASE("a platform can let sends complete when their transfer is over") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.wait(b.isend({.peer = 1}, Bytes{20}, SendMode::synchronous));
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{20});
  const auto r = replay(b.build(), nodes_for(2), {.flight = 5, .complete_at_transfer = true});
  CHECK(r.ranks[0].end.count() == 20);
  CHECK(r.ranks[1].end.count() == 25);
}

TEST_CASE("a buffered send never waits, whatever its size") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({.peer = 1}, Bytes{20}, SendMode::buffered);
  b.begin_strand(1);
  b.compute(ps(500));
  b.recv({.peer = 0}, Bytes{20});
  CHECK(replay(b.build(), nodes_for(2), {.rendezvous_from = 0}).ranks[0].end.count() == 0);
}

TEST_CASE("messages of one channel are received in the order of their sends") {
  // The second message is shorter and arrives first; the first receive still gets the first one.
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.isend_and_forget({.peer = 1, .tag = 1}, Bytes{100});
  b.isend_and_forget({.peer = 1, .tag = 1}, Bytes{10});
  b.begin_strand(1);
  b.recv({.peer = 0, .tag = 1}, Bytes{100});
  b.compute(ps(3));
  b.recv({.peer = 0, .tag = 1}, Bytes{10});
  CHECK(replay(b.build(), nodes_for(2)).ranks[1].end.count() == 103);
}

TEST_CASE("tags keep messages apart") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.isend_and_forget({.peer = 1, .tag = 1}, Bytes{100});
  b.isend_and_forget({.peer = 1, .tag = 2}, Bytes{10});
  b.begin_strand(1);
  b.recv({.peer = 0, .tag = 2}, Bytes{10});
  b.compute(ps(1));
  b.recv({.peer = 0, .tag = 1}, Bytes{100});
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.ranks[1].end.count() == 100);
  CHECK(r.ranks[1].times.wait == ps(99));
}

TEST_CASE("a receive from any source takes the first message to arrive") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{0});
  b.compute(ps(1));
  b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{0});
  b.begin_strand(1);
  b.send({.peer = 0, .tag = 1}, Bytes{300});
  b.begin_strand(2);
  b.compute(ps(50));
  b.send({.peer = 0, .tag = 2}, Bytes{20});
  const auto r = replay(b.build(), nodes_for(3));
  CHECK(r.status == Result::Status::complete);
  CHECK(r.ranks[0].end.count() == 300);  // at 70 that of rank 2, at 300 that of rank 1
}

TEST_CASE("from one source even an open receive takes the message sent first") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{0});
  b.compute(ps(1000));
  b.recv({.peer = 1, .tag = 2}, Bytes{0});
  b.begin_strand(1);
  b.isend_and_forget({.peer = 0, .tag = 1}, Bytes{300});
  b.isend_and_forget({.peer = 0, .tag = 2}, Bytes{20});
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.ranks[0].times.wait == ps(300));
  CHECK(r.ranks[0].end.count() == 1300);
}

TEST_CASE("a rendezvous message meets an open receive that was posted before") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.recv({.peer = kAnySource, .tag = 7}, Bytes{0});
  b.begin_strand(1);
  b.compute(ps(10));
  b.send({.peer = 0, .tag = 7}, Bytes{20}, SendMode::synchronous);
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.ranks[0].end.count() == 30);
  CHECK(r.ranks[1].end.count() == 10);
}

TEST_CASE("a probe returns when a message could be received, and leaves it there") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.probe({.peer = 1, .tag = 4});
  b.compute(ps(5));
  b.recv({.peer = 1, .tag = 4}, Bytes{20});
  b.begin_strand(1);
  b.compute(ps(100));
  b.send({.peer = 0, .tag = 4}, Bytes{20});
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.ranks[0].end.count() == 125);
}

TEST_CASE("a probe sees a rendezvous message that waits for its receive") {
  for (const auto tag : {4, kAnyTag}) {
    ProgramBuilder b(2);
    b.begin_strand(0);
    b.probe({.peer = 1, .tag = tag});
    b.compute(ps(5));
    b.recv({.peer = 1, .tag = 4}, Bytes{20});
    b.begin_strand(1);
    b.compute(ps(100));
    b.send({.peer = 0, .tag = 4}, Bytes{20}, SendMode::synchronous);
    const auto r = replay(b.build(), nodes_for(2));
    CAPTURE(tag);
    CHECK(r.status == Result::Status::complete);
    CHECK(r.ranks[0].end.count() == 125);
    CHECK(r.ranks[1].end.count() == 105);
  }
}

TEST_CASE("a message to oneself is received") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  const auto request = b.irecv({.peer = 0, .tag = 1}, Bytes{20});
  b.send({.peer = 0, .tag = 1}, Bytes{20});
  b.wait(request);
  const auto r = replay(b.build(), nodes_for(1));
  CHECK(r.status == Result::Status::complete);
  CHECK(r.run_time.count() == 20);
}

TEST_CASE("ranks beyond the CPUs take turns, and only bursts hold a CPU") {
  // Two ranks, one CPU: rank 1 computes while rank 0 waits for its message.
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.compute(ps(10));
  b.recv({.peer = 2}, Bytes{0});
  b.compute(ps(10));
  b.begin_strand(1);
  b.compute(ps(100));
  b.begin_strand(2);
  b.compute(ps(50));
  b.send({.peer = 0}, Bytes{0});
  Machine m = one_node(3, 1);
  m.nodes.resize(2);
  m.rank_node = {NodeId{0}, NodeId{0}, NodeId{1}};
  const auto r = replay(b.build(), m);
  CHECK(r.ranks[1].end.count() == 110);  // 10 after rank 0
  CHECK(r.ranks[0].end.count() == 120);  // has its message at 50, and the CPU at 110
  CHECK(r.ranks[0].times.cpu_wait == ps(60));
  CHECK(r.ranks[0].times.wait == ps(40));
}

TEST_CASE("a faster CPU shortens bursts and nothing else") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(ps(100));
  b.send({.peer = 1}, Bytes{40});
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{40});
  Machine m = nodes_for(2);
  m.nodes.front().speed = 4;
  CHECK(replay(b.build(), m).run_time.count() == 25 + 40);
}

TEST_CASE("an open module scales bursts and the innermost of several counts") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.event(7, 1);
  b.compute(ps(100));
  b.event(8, 1);
  b.compute(ps(100));
  b.event(8, 0);
  b.compute(ps(100));
  b.event(7, 0);
  b.compute(ps(100));
  Machine m = nodes_for(1);
  m.modules = {{7, 1, 2, {}}, {8, 1, 10, {}}};
  CHECK(replay(b.build(), m).run_time.count() == 50 + 10 + 50 + 100);
}

TEST_CASE("a context switch comes before each work item") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(ps(100));
  b.compute(ps(100));
  Machine m = nodes_for(1);
  m.nodes.front().context_switch = ps(5);
  CHECK(replay(b.build(), m).run_time.count() == 210);
}

TEST_CASE("a collective begins when the last member arrives") {
  ProgramBuilder b(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    b.compute(ps(10 * (r + 1)));
    b.collective({.kind = CollectiveKind::barrier});
  }
  const auto r = replay(b.build(), nodes_for(3), {.collective = 7});
  for (const auto& rank : r.ranks) CHECK(rank.end.count() == 37);
  CHECK(r.ranks[0].times.collective_wait == ps(20));
  CHECK(r.ranks[0].times.collective == ps(7));
}

TEST_CASE("Init and Finalize synchronise at no cost") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.compute(ps(10 * (r + 1)));
    b.collective({.kind = CollectiveKind::finalize});
  }
  CHECK(replay(b.build(), nodes_for(2), {.collective = 7}).run_time.count() == 20);
}

TEST_CASE("computation hides a non-blocking collective") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    const auto request =
        b.collective_start({.kind = CollectiveKind::allreduce, .sync = CollectiveArgs::Sync::nonblocking});
    b.compute(ps(100));
    b.wait(request);
  }
  CHECK(replay(b.build(), nodes_for(2), {.collective = 60}).run_time.count() == 100);
}

TEST_CASE("non-blocking collectives of one communicator are matched in the order of their calls") {
  ProgramBuilder b(2);
  const CollectiveArgs args{.kind = CollectiveKind::allreduce, .sync = CollectiveArgs::Sync::nonblocking};
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    const auto first = b.collective_start(args);
    b.compute(ps(r == 0 ? 10 : 200));
    const auto second = b.collective_start(args);
    b.wait(first);
    b.wait(second);
  }
  const auto r = replay(b.build(), nodes_for(2), {.collective = 60});
  CHECK(r.status == Result::Status::complete);
  CHECK(r.run_time.count() == 260);
}

TEST_CASE("in a root-synchronised Reduce a member continues once its own message has arrived") {
  ProgramBuilder b(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    b.compute(ps(10 * r));
    b.collective({.kind = CollectiveKind::reduce,
                  .sync = CollectiveArgs::Sync::root_synchronised,
                  .is_root = r == 0,
                  .root = 0,
                  .send_bytes = 100});
  }
  const auto r = replay(b.build(), nodes_for(3));
  CHECK(r.ranks[1].end.count() == 110);
  CHECK(r.ranks[2].end.count() == 120);
  CHECK(r.ranks[0].end.count() == 120);
}

TEST_CASE("a deadlock names each blocked rank, its call and what it waits for") {
  ProgramBuilder b(3);
  const auto send = b.call_name("MPI_Send");
  const auto recv = b.call_name("MPI_Recv");
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.begin_call(send);
    b.send({.peer = 1 - r, .tag = 5}, Bytes{99}, SendMode::synchronous);
    b.begin_call(recv);
    b.recv({.peer = 1 - r, .tag = 5}, Bytes{99});
  }
  b.begin_strand(2);
  b.begin_call(b.call_name("MPI_Barrier"));
  b.collective({.kind = CollectiveKind::barrier});
  const auto r = replay(b.build(), nodes_for(3));
  CHECK(r.status == Result::Status::deadlock);
  REQUIRE(r.blocked.size() == 3);
  CHECK(r.blocked[1].rank == 1);
  CHECK(r.blocked[1].call_number == 1);
  CHECK(r.blocked[1].call == "MPI_Send");
  CHECK(r.blocked[1].waits_for == "rank 0 to post the receive of 99 bytes, tag 5, communicator 0");
  CHECK(r.blocked[2].waits_for == "2 of the 3 ranks of communicator 0 to call MPI_Barrier");
}

TEST_CASE("members that call different collectives never meet") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.begin_call(b.call_name("MPI_Barrier"));
  b.collective({.kind = CollectiveKind::barrier});
  b.begin_strand(1);
  b.begin_call(b.call_name("MPI_Bcast"));
  b.collective({.kind = CollectiveKind::bcast});
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.status == Result::Status::deadlock);
  REQUIRE(r.blocked.size() == 2);
  CHECK(r.blocked[0].waits_for == "1 of the 2 ranks of communicator 0 to call MPI_Barrier");
  CHECK(r.blocked[1].waits_for == "MPI_Bcast on communicator 0 (2 ranks) to be over");
}

TEST_CASE("a clock that would overflow stops the run") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(Duration::max() - ps(10));
  b.compute(ps(100));
  CHECK(replay(b.build(), nodes_for(1)).status == Result::Status::clock_overflow);
}

TEST_CASE("progress can interrupt a run") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  for (int i = 0; i < 300'000; ++i) b.compute(ps(1));
  const Program p = b.build();
  const Machine m = nodes_for(1);
  TestNetwork network;
  NullObserver observer;
  Replay<TestNetwork> r(p, m, network, observer);
  double share = 0;
  const auto status = r.run([&](double done) {
    share = done;
    return false;
  });
  CHECK(status == Result::Status::interrupted);
  CHECK(share > 0.8);
  CHECK(share < 1);
}

TEST_CASE("stepping through a run gives the same result as running it") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    for (int i = 0; i < 20; ++i) {
      const auto request = b.irecv({.peer = 1 - r, .tag = 1}, Bytes{10});
      b.isend_and_forget({.peer = 1 - r, .tag = 1}, Bytes{10});
      b.compute(ps(3 + r));
      b.wait(request);
    }
  }
  const Program p = b.build();
  const Machine m = nodes_for(2);
  TestNetwork network{.overhead = 2};
  NullObserver observer;
  Replay<TestNetwork> stepped(p, m, network, observer);
  std::int64_t last = 0;
  while (stepped.next() != Time::never()) {
    CHECK(stepped.next().count() >= last);
    last = stepped.next().count();
    stepped.step();
  }
  CHECK(stepped.complete());
  CHECK(stepped.result(Result::Status::complete).run_time == replay(p, m, network).run_time);
}

namespace {

/// A ring of ranks, each of which sends `forth` bytes to the rank after it and `back` bytes to the rank
/// before. Rank 0 computes for `late` ps first, and all for `between` ps before they wait.
Program ring_of_neighbors(std::uint32_t ranks, std::uint64_t forth, std::uint64_t back, std::int64_t late,
                          std::int64_t between) {
  ProgramBuilder b(ranks);
  std::vector<std::uint32_t> members(ranks);
  std::iota(members.begin(), members.end(), 0U);
  const auto apart = b.add_communicator(std::move(members));
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    if (r == 0) b.compute(ps(late));
    b.begin_call(b.call_name("MPI_Ineighbor_alltoallv"));
    const auto before = (r + ranks - 1) % ranks, after = (r + 1) % ranks;
    const Neighbor sources[] = {{before, Bytes{forth}}, {after, Bytes{back}}};
    const Neighbor destinations[] = {{before, Bytes{back}}, {after, Bytes{forth}}};
    const auto requests = b.exchange_with_neighbors(sources, destinations, apart);
    b.compute(ps(between));
    for (const auto request : requests) b.wait(request);
  }
  return b.build();
}

std::vector<std::int64_t> ends_after(const Result& r) {
  std::vector<std::int64_t> ends;
  for (const auto& rank : r.ranks) ends.push_back(rank.end.count());
  return ends;
}

}  // namespace

TEST_CASE("in a neighbourhood collective a late rank delays its neighbours alone") {
  // The largest message that reaches a rank takes 70 ps; rank 0 begins 1000 ps late.
  const auto r = replay(ring_of_neighbors(5, 70, 20, 1000, 0), nodes_for(5));
  CHECK(r.status == Result::Status::complete);
  CHECK(ends_after(r) == std::vector<std::int64_t>{1000, 1070, 70, 70, 1020});
  CHECK(r.ranks[2].messages_sent == 2);
}

TEST_CASE("a non-blocking neighbourhood collective moves while its ranks compute") {
  CHECK(ends_after(replay(ring_of_neighbors(3, 70, 20, 0, 50), nodes_for(3))) ==
        std::vector<std::int64_t>{70, 70, 70});
  CHECK(ends_after(replay(ring_of_neighbors(3, 70, 20, 0, 90), nodes_for(3))) ==
        std::vector<std::int64_t>{90, 90, 90});
}

TEST_CASE("a rank that is its own neighbour, or another's twice, gets all messages") {
  for (const std::uint32_t ranks : {1U, 2U}) {
    const auto r = replay(ring_of_neighbors(ranks, 70, 20, 0, 0), nodes_for(ranks));
    CHECK(r.status == Result::Status::complete);
    CHECK(r.run_time.count() == 70);
    CHECK(r.ranks[0].messages_sent == 2);
  }
}
