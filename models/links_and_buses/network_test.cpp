// Links and buses: what messages wait for, and for how long. 100 MB/s, so 1000 bytes take 10 us; no latency.
#include "models/links_and_buses/network.hpp"

#include <doctest/doctest.h>

#include "models/test_machine.hpp"
#include "models/test_run.hpp"
#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

/// Ranks 2i send `count` messages each to 2i + 1 at once.
Program pairs(std::uint32_t n, int count) {
  ProgramBuilder b(2 * n);
  for (std::uint32_t r = 0; r < 2 * n; ++r) {
    b.begin_strand(r);
    for (int i = 0; i < count; ++i) {
      if (r % 2 == 0)
        b.isend_and_forget({.peer = r + 1}, kSize);
      else
        b.recv({.peer = r - 1}, kSize);
    }
  }
  return b.build();
}

}  // namespace

TEST_CASE("n messages over one bus take n transfers, over B buses ceil(n / B)") {
  for (const Count buses : {1U, 2U, 3U, 4U, 8U, kUnlimited}) {
    const auto r = complete_run(pairs(8, 1), test_machine(16, {}, buses));
    const auto rounds = buses == kUnlimited ? 1 : (8 + buses - 1) / buses;
    CAPTURE(buses);
    CHECK(r.run_time.count() == static_cast<std::int64_t>(rounds) * kTransfer);
  }
}

TEST_CASE("gets from one node share its output link, and puts to it its input link") {
  for (const bool get : {true, false}) {
    CAPTURE(get);
    ProgramBuilder b(4);
    b.begin_strand(0);
    for (std::uint32_t rank = 1; rank < 4; ++rank) {
      b.begin_strand(rank);
      b.wait(get ? b.get({.peer = 0}, kSize) : b.put({.peer = 0}, kSize));
    }
    const auto r = complete_run(b.build(), test_machine(4, full(1, 1)));
    CHECK(r.run_time.count() == 3 * kTransfer);
    CHECK(r.ranks[0].end.count() == 0);
    // Two of them wait, for one transfer and for two.
    CHECK(resource(r, get ? "node 0/links out" : "node 0/links in").wait ==
          Duration::picoseconds(3 * kTransfer));
  }
}

TEST_CASE("L output links carry L messages of a node at once") {
  for (const Count links : {1U, 2U, 4U})
    CHECK(complete_run(pairs(1, 4), test_machine(2, full(4, links))).run_time.count() ==
          static_cast<std::int64_t>(4 / links) * kTransfer);
}

TEST_CASE("messages to one node share its input links") {
  ProgramBuilder b(4);
  b.begin_strand(0);
  for (std::uint32_t r = 1; r < 4; ++r) b.recv({.peer = r}, kSize);
  for (std::uint32_t r = 1; r < 4; ++r) {
    b.begin_strand(r);
    b.isend_and_forget({.peer = 0}, kSize);
  }
  const auto r = complete_run(b.build(), test_machine(4, full(1, 1)));
  CHECK(r.run_time.count() == 3 * kTransfer);
  CHECK(r.ranks[2].link_wait.count() == kTransfer);
  CHECK(r.ranks[3].link_wait.count() == 2 * kTransfer);
  CHECK(resource(r, "node 0/links in").busy.count() == 3 * kTransfer);
  CHECK(resource(r, "node 0/links in").wait.count() == 3 * kTransfer);
  CHECK(resource(r, "node 0/links in").peak_queue == 2);
}

TEST_CASE("both directions carry messages at once in full duplex and in turn in half duplex") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.isend_and_forget({.peer = 1 - r}, kSize);
    b.recv({.peer = 1 - r}, kSize);
  }
  const Program p = b.build();
  CHECK(complete_run(p, test_machine(2, full(1, 1))).run_time.count() == kTransfer);
  CHECK(complete_run(p, test_machine(2, {Links::Kind::half_duplex, 1, 1})).run_time.count() == 2 * kTransfer);
}

TEST_CASE("a message that waits for its input link lends its output link to one that can use it") {
  // Rank 0's first message waits for rank 3, which rank 1 keeps busy for two transfers; its second one to
  // rank 2 does not.
  ProgramBuilder b(4);
  b.begin_strand(0);
  b.compute(Duration::picoseconds(kUs));
  b.isend_and_forget({.peer = 3}, kSize);
  b.isend_and_forget({.peer = 2}, kSize);
  b.begin_strand(1);
  b.isend_and_forget({.peer = 3}, Bytes{2000});
  b.begin_strand(2);
  b.recv({.peer = 0}, kSize);
  b.begin_strand(3);
  b.recv({.peer = 1}, Bytes{2000});
  b.recv({.peer = 0}, kSize);
  const auto r = complete_run(b.build(), test_machine(4, full(1, 1)));
  CHECK(r.ranks[2].end.count() == kUs + kTransfer);
  CHECK(r.ranks[3].end.count() == 3 * kTransfer);
}

TEST_CASE("nodes with and without limits mix") {
  Platform p = test_machine(1, full(1, 1));
  p.machines[0].nodes.push_back(p.machines[0].nodes[0]);
  p.machines[0].nodes[1].links = {};
  const auto r = complete_run(pairs(1, 3), p);
  CHECK(r.status == Result::Status::complete);
  CHECK(r.run_time.count() == 3 * kTransfer);
}

TEST_CASE("memory has ports per rank and buses per node") {
  Platform p = test_machine(1);
  p.machines[0].nodes[0].cpus = 4;
  auto& memory = p.machines[0].nodes[0].intra_node;
  memory.bandwidth = Bandwidth::bytes_per_second(1e8);
  CHECK(complete_run(pairs(2, 2), p).run_time.count() == kTransfer);
  memory.links = full(1, 1);
  CHECK(complete_run(pairs(2, 2), p).run_time.count() == 2 * kTransfer);
  memory.buses = 1;
  CHECK(complete_run(pairs(2, 2), p).run_time.count() == 4 * kTransfer);
}

TEST_CASE("a message that waits for its bus keeps its links") {
  // Ranks 0 and 2 send to 1 and 3 over one bus; rank 2's second message, to rank 5, waits behind its first
  // for the link.
  ProgramBuilder b(6);
  b.begin_strand(0);
  b.isend_and_forget({.peer = 1}, kSize);
  b.begin_strand(1);
  b.recv({.peer = 0}, kSize);
  b.begin_strand(2);
  b.isend_and_forget({.peer = 3}, kSize);
  b.isend_and_forget({.peer = 5}, kSize);
  b.begin_strand(3);
  b.recv({.peer = 2}, kSize);
  b.begin_strand(4);
  b.begin_strand(5);
  b.recv({.peer = 2}, kSize);
  const auto r = complete_run(b.build(), test_machine(6, full(1, 1), 1));
  CHECK(r.ranks[5].end.count() == 3 * kTransfer);
  CHECK(r.ranks[2].bus_wait.count() == kTransfer);
  CHECK(r.ranks[2].link_wait.count() == 2 * kTransfer);
}

TEST_CASE("a collective between nodes holds all buses, and takes them one by one as they fall free") {
  // Two messages hold both buses until 10 us; the Barrier of ranks 4 and 5 (0.5 us latency, LOG in and out: 1
  // us) starts then, and the message of rank 0 that follows waits for it.
  Platform p = test_machine(6, {}, 2);
  p.machines[0].network.latency_at = Network::LatencyAt::flight;
  p.machines[0].network.latency = Duration::picoseconds(kUs / 2);
  for (const bool hold : {true, false}) {
    p.mpi.collectives_hold_buses = hold;
    ProgramBuilder b(6);
    const auto two = b.add_communicator({4, 5});
    for (std::uint32_t r = 0; r < 4; ++r) {
      b.begin_strand(r);
      if (r % 2 == 0) {
        b.isend_and_forget({.peer = r + 1}, kSize);
        b.compute(Duration::picoseconds(2 * kUs));
        if (r == 0) b.isend_and_forget({.peer = 1}, kSize);
      } else {
        b.recv({.peer = r - 1}, kSize);
        if (r == 1) b.recv({.peer = 0}, kSize);
      }
    }
    for (std::uint32_t r = 4; r < 6; ++r) {
      b.begin_strand(r);
      b.compute(Duration::picoseconds(kUs));
      b.collective({.kind = CollectiveKind::barrier, .communicator = two});
    }
    const auto r = complete_run(b.build(), p);
    CAPTURE(hold);
    CHECK(r.ranks[4].end.count() == (hold ? 11 * kUs : 2 * kUs));
    CHECK(r.ranks[1].end.count() == (hold ? 21 * kUs : 20 * kUs) + kUs / 2);
  }
}

TEST_CASE("a WAN carries one message each way unless it has more links") {
  Platform p = test_machine(2);
  p.machines.push_back(p.machines[0]);
  p.wan.bandwidth = Bandwidth::bytes_per_second(1e8);
  ProgramBuilder b(4);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.isend_and_forget({.peer = r + 2}, kSize);
  }
  for (std::uint32_t r = 2; r < 4; ++r) {
    b.begin_strand(r);
    b.recv({.peer = r - 2}, kSize);
  }
  const Program program = b.build();
  CHECK(complete_run(program, p).run_time.count() == 2 * kTransfer);
  p.wan.links = full(2, 2);
  CHECK(complete_run(program, p).run_time.count() == kTransfer);
}

TEST_CASE("a dedicated connection carries one message at a time, whatever its direction") {
  Platform p = test_machine(2);
  p.machines.push_back(p.machines[0]);
  DedicatedConnection d;
  d.machine_b = 1;
  d.bandwidth = Bandwidth::bytes_per_second(1e8);
  d.flight = Duration::picoseconds(3 * kUs);
  d.tags = {1};
  p.dedicated_connections.push_back(d);
  ProgramBuilder b(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    if (r == 0 || r == 3) b.isend_and_forget({.peer = 3 - r, .tag = 1}, kSize);
    if (r == 0 || r == 3) b.recv({.peer = 3 - r, .tag = 1}, kSize);
  }
  CHECK(complete_run(b.build(), p).run_time.count() == 2 * kTransfer + 3 * kUs);
}
