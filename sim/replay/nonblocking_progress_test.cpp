// When the rounds of a non-blocking collective's algorithm begin, with progress in calls and without.
#include <doctest/doctest.h>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

namespace busline {
namespace {

/// Messages take `bytes` and 10 ps; every rank has two CPUs, so that bursts hold nothing up by themselves.
Result run_beside(const Program& program, Algorithm algorithm, bool in_calls) {
  TestNetwork n;
  n.flight = 10;
  n.named = algorithm;
  n.in_calls = in_calls;
  auto machine = nodes_for(program.ranks());
  for (auto& node : machine.nodes) node.cpus = 2;
  auto result = replay(program, machine, n);
  CHECK(result.status == Result::Status::complete);
  return result;
}

CollectiveArgs nonblocking(CollectiveKind kind, std::uint64_t bytes, bool is_root = false) {
  CollectiveArgs a;
  a.kind = kind;
  a.sync = CollectiveArgs::Sync::nonblocking;
  a.is_root = is_root;
  a.send_bytes = a.recv_bytes = bytes;
  return a;
}

Program overlapped(std::uint32_t ranks, CollectiveKind kind, std::uint64_t bytes, std::int64_t burst) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    const auto request = b.collective_start(nonblocking(kind, bytes, has_root(kind) && r == 0));
    b.compute(ps(burst));
    b.wait(request);
  }
  return b.build();
}

}  // namespace

TEST_CASE("only the first round of a non-blocking collective overlaps with a burst without a thread for it") {
  // An Ibarrier of 8 ranks has three rounds of 10 ps.
  const auto program = overlapped(8, CollectiveKind::barrier, 0, 100);
  CHECK(run_beside(program, Algorithm::bruck, false).run_time.count() == 100);
  CHECK(run_beside(program, Algorithm::bruck, true).run_time.count() == 120);
  // Without a burst the ranks wait, and both are the same.
  const auto at_once = overlapped(8, CollectiveKind::barrier, 0, 0);
  CHECK(run_beside(at_once, Algorithm::bruck, false).run_time.count() == 30);
  CHECK(run_beside(at_once, Algorithm::bruck, true).run_time.count() == 30);
}

TEST_CASE("an algorithm of one round overlaps in any case") {
  const auto program = overlapped(4, CollectiveKind::alltoall, 50, 100);
  CHECK(run_beside(program, Algorithm::linear, true).run_time.count() == 100);
  CHECK(run_beside(overlapped(4, CollectiveKind::alltoall, 150, 100), Algorithm::linear, true)
            .run_time.count() == 160);
}

TEST_CASE("a rank that computes when its only message arrives sees the end when it waits") {
  // Rank 3 is a leaf of the tree; its parent, rank 1, passes the message on at the end of its burst.
  const auto r = run_beside(overlapped(4, CollectiveKind::bcast, 20, 100), Algorithm::binomial_at_once, true);
  CHECK(r.ranks[0].end.count() == 100);
  CHECK(r.ranks[1].end.count() == 100);
  CHECK(r.ranks[2].end.count() == 100);
  CHECK(r.ranks[3].end.count() == 130);
}

TEST_CASE("the root of a pipeline sends its first segment, computes, and then sends the others") {
  // Three segments of 8192 bytes. Rank 1 waits for the last, which leaves at the end of the root's burst.
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    const auto request = b.collective_start(nonblocking(CollectiveKind::bcast, 3 * 8192, r == 0));
    if (r == 0) b.compute(ps(1'000'000));
    b.wait(request);
  }
  const auto program = b.build();
  CHECK(run_beside(program, Algorithm::pipeline_8k, true).ranks[1].end.count() == 1'000'000 + 8192 + 10);
  CHECK(run_beside(program, Algorithm::pipeline_8k, false).ranks[1].end.count() == 8192 + 10);
}

TEST_CASE("a wait for anything else lets a non-blocking collective go on") {
  // Rank 0 is in a call from 20 to 45: it sends its message of the second round at 20, and sees the end when
  // it waits again, at 145.
  ProgramBuilder b(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    const auto request = b.collective_start(nonblocking(CollectiveKind::barrier, 0));
    if (r == 0) {
      b.compute(ps(20));
      b.recv({.peer = 3}, Bytes{0});
      b.compute(ps(100));
    }
    if (r == 3) {
      b.compute(ps(35));
      b.send({.peer = 0}, Bytes{0});
    }
    b.wait(request);
  }
  const auto r = run_beside(b.build(), Algorithm::bruck, true);
  // Rank 2 has rank 0's message at 30. Rank 3 begins its second round at 35, and rank 1 has that message
  // at 45.
  CHECK(r.ranks[2].end.count() == 30);
  CHECK(r.ranks[1].end.count() == 45);
  CHECK(r.ranks[3].end.count() == 35);
  CHECK(r.ranks[0].end.count() == 145);
}

TEST_CASE("a rank that has ended goes on with a non-blocking collective that it does not wait for") {
  ProgramBuilder b(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    const auto request = b.collective_start(nonblocking(CollectiveKind::barrier, 0));
    if (r == 0) b.compute(ps(70));
    if (r != 0) b.wait(request);
  }
  const auto r = run_beside(b.build(), Algorithm::bruck, true);
  CHECK(r.ranks[0].end.count() == 70);
  CHECK(r.ranks[2].end.count() == 80);
}

}  // namespace busline
