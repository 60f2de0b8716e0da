// Marks, local calls, and operations that depend on the match of an open receive.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "sim/replay/replay.hpp"
#include "sim/replay/test_network.hpp"

namespace {

using namespace busline;

constexpr std::int32_t kRequest = 1, kWork = 2, kStop = 3;

// Rank 0 hands out `chunks` pieces of work to the rank that asks first, then stops all. Worker w computes w *
// `slowness` on each. The worker passes mark 1 at each piece, the master mark 2 at its end.
Program master_and_workers(std::uint32_t workers, std::uint32_t chunks, std::int64_t slowness) {
  ProgramBuilder b(workers + 1);
  b.begin_strand(0);
  for (std::uint32_t i = 0; i < chunks; ++i) {
    b.recv({.peer = kAnySource, .tag = kRequest}, Bytes{0});
    b.send_to_last_source({.tag = kWork}, Bytes{10});
  }
  b.mark(2);
  for (std::uint32_t i = 0; i < workers; ++i) {
    b.recv({.peer = kAnySource, .tag = kRequest}, Bytes{0});
    b.send_to_last_source({.tag = kStop}, Bytes{0});
  }
  for (std::uint32_t w = 1; w <= workers; ++w) {
    b.begin_strand(w);
    const auto begin = b.position();
    b.compute(ps(w * slowness));
    b.send({.peer = 0, .tag = kRequest}, Bytes{0});
    b.recv({.peer = 0, .tag = kAnyTag}, Bytes{10});
    b.mark(1);
    b.repeat_until(begin, kStop, 0, chunks + 1);
  }
  return b.build();
}

std::int64_t marks_of(const Result& r, std::uint32_t rank) {
  return std::count_if(r.marks.begin(), r.marks.end(), [&](const MarkedTime& m) { return m.rank == rank; });
}

}  // namespace

TEST_CASE("a mark records when its rank gets there, and costs nothing") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.mark(7);
  b.compute(ps(100));
  b.mark(8);
  b.send({.peer = 1, .tag = 1}, Bytes{50});
  b.begin_strand(1);
  b.recv({.peer = 0, .tag = 1}, Bytes{50});
  b.mark(8);
  const auto r = replay(b.build(), nodes_for(2), {.transfer = 5});
  const std::vector<MarkedTime> expected{
      {0, 7, Time::at(ps(0))}, {0, 8, Time::at(ps(100))}, {1, 8, Time::at(ps(155))}};
  CHECK(r.marks == expected);
  CHECK(r.run_time == Time::at(ps(155)));
}

TEST_CASE("a local call takes the CPU of its rank for the time that the model gives") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.local(Bytes{0});
  b.mark(1);
  b.local(Bytes{1000});
  const auto r = replay(b.build(), nodes_for(1), {.overhead = 3});
  CHECK(r.marks == std::vector<MarkedTime>{{0, 1, Time::at(ps(3))}});
  CHECK(r.run_time == Time::at(ps(1006)));
}

TEST_CASE("a master serves its workers in the order in which they ask") {
  // Worker 2 needs twice as long for a piece: of 30 pieces the first gets about two thirds.
  const auto r = replay(master_and_workers(2, 30, 1000), nodes_for(3));
  REQUIRE(r.status == Result::Status::complete);
  // Each worker marks its pieces, and once more when it is told to stop.
  CHECK(marks_of(r, 1) + marks_of(r, 2) == 30 + 2);
  CHECK(marks_of(r, 1) == 21);
  CHECK(marks_of(r, 2) == 11);
  CHECK(marks_of(r, 0) == 1);
}

TEST_CASE("repeated operations count as often as they run") {
  const auto r = replay(master_and_workers(3, 12, 10), nodes_for(4));
  REQUIRE(r.status == Result::Status::complete);
  CHECK(r.messages == 2 * (12 + 3));  // a request and an answer for each piece and for each stop
  CHECK(r.bytes == 12 * 10);
  // A worker has five operations for each piece and stop, the master two each, and the mark.
  CHECK(r.operations == 5 * (12 + 3) + 2 * (12 + 3) + 1);
}

TEST_CASE("a repeat ends at its limit if the message that ends it never comes") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  for (int i = 0; i < 5; ++i) b.send({.peer = 1, .tag = kWork}, Bytes{0});
  b.begin_strand(1);
  const auto begin = b.position();
  b.recv({.peer = kAnySource, .tag = kWork}, Bytes{0});
  b.repeat_until(begin, kStop, 0, 4);
  b.mark(1);
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.status == Result::Status::complete);
  CHECK(r.marks.size() == 1);
}

TEST_CASE("a deadlock reports a worker that waits in a repeated receive") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({.peer = 1, .tag = kWork}, Bytes{0});
  b.begin_strand(1);
  const auto begin = b.position();
  b.recv({.peer = kAnySource, .tag = kAnyTag}, Bytes{0});
  b.repeat_until(begin, kStop, 0, 4);
  const auto r = replay(b.build(), nodes_for(2));
  CHECK(r.status == Result::Status::deadlock);
  REQUIRE(r.blocked.size() == 1);
  CHECK(r.blocked[0].rank == 1);
}
