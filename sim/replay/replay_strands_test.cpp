// Ranks of several strands: they share CPUs and requests.
#include <doctest/doctest.h>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;

TEST_CASE("two strands of a rank run side by side and share its requests") {
  ProgramBuilder b(2);
  b.begin_strand(0, false);
  const auto request = b.irecv({.peer = 1, .tag = 1}, Bytes{10});
  b.compute(ps(5));
  b.begin_strand(0, false);
  b.compute(ps(50));
  b.wait(request);
  b.begin_strand(1);
  b.compute(ps(70));
  b.send({.peer = 0, .tag = 1}, Bytes{10});
  Machine m = nodes_for(2);
  m.nodes.front().cpus = 2;
  CHECK(replay(b.build(), m).ranks[0].end.count() == 80);
}

TEST_CASE(
    "a strand that waits for an operation that another strand has not begun continues when it is complete") {
  struct Case {
    const char* what;
    std::int64_t sent_at;
    std::int64_t end;  // of the waiting strand
  };
  // The later strand begins the operation at 50.
  for (const auto& c : {Case{"the message is there before", 20, 50}, Case{"it comes later", 70, 80}}) {
    CAPTURE(c.what);
    ProgramBuilder b(2);
    b.begin_strand(0, false);
    b.noop();
    const auto place = b.wait_later();
    b.begin_strand(0, false);
    b.compute(ps(50));
    b.fill_wait(place, b.irecv({.peer = 1, .tag = 1}, Bytes{10}));
    b.begin_strand(1);
    b.compute(ps(c.sent_at));
    b.send({.peer = 0, .tag = 1}, Bytes{10});
    Machine m = nodes_for(2);
    m.nodes.front().cpus = 2;
    const auto r = replay(b.build(), m);
    CHECK(r.status == Result::Status::complete);
    CHECK(r.ranks[0].end.count() == c.end);
  }
  for (const bool rendezvous : {false, true}) {  // a send; its receive is posted at 90
    CAPTURE(rendezvous);
    ProgramBuilder b(2);
    b.begin_strand(0, false);
    b.noop();
    const auto place = b.wait_later();
    b.compute(ps(100));
    b.begin_strand(0, false);
    b.compute(ps(50));
    b.fill_wait(place,
                b.isend({.peer = 1}, Bytes{10}, rendezvous ? SendMode::synchronous : SendMode::standard));
    b.begin_strand(1);
    b.compute(ps(90));
    b.recv({.peer = 0}, Bytes{10});
    const auto r = replay(b.build(), one_node(2, 3));
    CHECK(r.status == Result::Status::complete);
    CHECK(r.ranks[0].end.count() == (rendezvous ? 190 : 150));
  }
}
