// One-sided transfers, and messages internal to MPI.
#include <doctest/doctest.h>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;

TEST_CASE("a put or get takes its caller's overhead and the transfer time, whatever the other rank does") {
  for (const bool put : {true, false}) {
    CAPTURE(put);
    ProgramBuilder b(2);
    b.begin_strand(0);
    b.compute(ps(100));
    const auto request = put ? b.put({.peer = 1}, Bytes{50}) : b.get({.peer = 1}, Bytes{50});
    b.compute(ps(20));
    b.wait(request);
    b.begin_strand(1);
    b.compute(ps(1000));
    // 100 burst + 10 overhead, then 1 + 50 on the network and 7 in flight, while the caller computes for 20.
    // A size that would use rendezvous as a send does not wait here.
    const auto r =
        replay(b.build(), nodes_for(2), {.overhead = 10, .transfer = 1, .flight = 7, .rendezvous_from = 1});
    CHECK(r.status == Result::Status::complete);
    CHECK(r.ranks[0].end.count() == 168);
    CHECK(r.ranks[0].times.latency == ps(10));
    CHECK(r.ranks[0].times.wait == ps(38));
    CHECK(r.ranks[1].end.count() == 1000);
    CHECK(r.ranks[put ? 0 : 1].bytes_sent == 50);
    CHECK(r.messages == 1);
  }
}

TEST_CASE("open receives do not match one-sided transfers") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.wait(b.put({.peer = 1, .tag = 4}, Bytes{50}));
  b.send({.peer = 1, .tag = 4}, Bytes{30});
  b.begin_strand(1);
  b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{50});
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.status == Result::Status::complete);
  CHECK(r.ranks[1].end.count() == 80);
}

TEST_CASE("open receives do not match messages with tags below 0, which are internal to MPI") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({.peer = 1, .tag = -3}, Bytes{1});
  b.begin_strand(1);
  b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{1});
  auto r = replay(b.build(), nodes_for(2));
  REQUIRE(r.blocked.size() == 1);
  CHECK(r.blocked[0].waits_for == "a message from any rank, any tag, communicator 0");

  ProgramBuilder named(2);
  named.begin_strand(0);
  named.begin_strand(1);
  named.recv({.peer = 0, .tag = -5}, Bytes{1});
  r = replay(named.build(), nodes_for(2));
  REQUIRE(r.blocked.size() == 1);
  CHECK(r.blocked[0].waits_for == "a message from rank 0, internal to MPI, communicator 0");
}
