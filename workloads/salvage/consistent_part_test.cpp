#include "workloads/salvage/consistent_part.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "sim/program/program_builder.hpp"

namespace {

using namespace busline;

Envelope with(std::uint32_t peer, std::int32_t tag = 1) {
  return {peer, tag, 0};
}

CollectiveArgs barrier() {
  return {};
}

std::size_t length(const Program& p, std::size_t strand) {
  return p.operations(p.strands()[strand]).size();
}
OpKind kind(const Program& p, std::size_t strand, std::size_t i) {
  return p.operations(p.strands()[strand])[i].kind;
}

}  // namespace

TEST_CASE("a consistent Program stays unchanged") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.begin_call(b.call_name("MPI_Isend"));
  const auto sent = b.isend(with(1), Bytes{8});
  b.wait(sent);
  b.collective(barrier());
  b.begin_strand(1);
  b.begin_call(b.call_name("MPI_Recv"));
  b.recv({kAnySource, kAnyTag, 0}, Bytes{8});
  b.collective(barrier());
  b.set_traced_run_time(Duration::picoseconds(5));
  const auto part = consistent_part(b.build());
  CHECK(part.whole());
  CHECK(part.program.operations().size() == 5);
  CHECK(part.program.operations()[3].peer == kAnySource);
  CHECK(part.program.traced_run_time());
}

TEST_CASE(
    "a rank ends where it would wait for a message that is never sent, and so do those that wait for it") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.compute(Duration::picoseconds(7));  // and then its file was truncated
  b.begin_strand(1);
  b.begin_call(b.call_name("MPI_Send"));
  b.send(with(0), Bytes{8});
  b.begin_call(b.call_name("MPI_Recv"));
  b.recv(with(0), Bytes{8});
  b.send(with(2), Bytes{8});
  b.begin_strand(2);
  b.begin_call(b.call_name("MPI_Probe"));
  b.probe(with(1));
  b.recv(with(1), Bytes{8});
  b.set_traced_run_time(Duration::picoseconds(5));
  const auto part = consistent_part(b.build());
  CHECK(length(part.program, 0) == 1);
  REQUIRE(length(part.program, 1) == 1);
  CHECK(kind(part.program, 1, 0) == OpKind::noop);  // no rank receives it: by rendezvous it would block
  CHECK(length(part.program, 2) == 0);
  CHECK(!part.program.traced_run_time());
  CHECK(part.unmatched == Unmatched{1, 0, 0, 0});
  REQUIRE(part.early_ends.size() == 2);
  const auto& end = part.early_ends[0];
  CHECK(end.rank == 1);
  CHECK(end.operations == 3);
  CHECK(end.kept == 1);
  CHECK(end.call == 2);
  CHECK(end.call_name == "MPI_Recv");
  CHECK(end.waits_for == "a message from rank 0, tag 1, communicator 0");
  CHECK(part.early_ends[1].waits_for == "a message from rank 1, tag 1, communicator 0");
}

TEST_CASE("posted receives and probes whose message is never received are removed") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  (void)b.irecv(with(1, 5), Bytes{8});  // never sent; its wait is missing
  b.probe(with(1));                     // the receive is missing
  b.begin_strand(1);
  b.send(with(0), Bytes{8});
  const auto part = consistent_part(b.build());
  CHECK(part.early_ends.empty());
  CHECK(part.unmatched == Unmatched{1, 1, 1, 0});
  for (const auto& op : part.program.operations()) CHECK(op.kind == OpKind::noop);
}

TEST_CASE("members of a collective end before it if one of them does not call it") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.collective(barrier());
  b.collective(barrier());
  b.begin_strand(1);
  b.collective(barrier());
  CollectiveArgs other;
  other.kind = CollectiveKind::allreduce;
  const auto started = b.collective_start(other);
  b.collective(barrier());
  b.wait(started);
  b.begin_strand(2);
  b.collective(barrier());
  const auto part = consistent_part(b.build());
  CHECK(length(part.program, 0) == 1);
  CHECK(length(part.program, 1) == 2);
  CHECK(kind(part.program, 1, 1) == OpKind::noop);
  CHECK(part.unmatched == Unmatched{0, 0, 0, 1});
  REQUIRE(part.early_ends.size() == 2);
  CHECK(part.early_ends[0].waits_for == "1 of the 3 ranks of communicator 0 to call MPI_Barrier");
}

TEST_CASE("open receives keep what they got once something was left out") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  const auto any = b.irecv({kAnySource, 1, 0}, Bytes{8});
  b.recv(with(2), Bytes{8});
  b.wait(any);
  b.recv({kAnySource, 1, 0}, Bytes{8});
  b.begin_strand(1);
  b.recv(with(0), Bytes{8});  // never sent
  b.send(with(0), Bytes{8});
  b.begin_strand(2);
  b.send(with(0), Bytes{8});
  b.send(with(0), Bytes{8});
  const auto part = consistent_part(b.build());
  REQUIRE(length(part.program, 0) == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(part.program.operations()[i].peer == 2);
  CHECK(part.unmatched == Unmatched{});
  REQUIRE(part.early_ends.size() == 2);
  CHECK(part.early_ends[0].waits_for == "a message from any rank, tag 1, communicator 0");
}

TEST_CASE("receives of unrecorded messages are skipped one by one") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send(with(1), Bytes{8});
  b.begin_strand(1);
  const auto first = b.irecv(with(0), Bytes{8});
  const auto second = b.irecv(with(0), Bytes{8});
  b.probe(with(0));
  b.recv(with(0), Bytes{8});
  b.wait(second);
  b.wait(first);
  b.compute(Duration::picoseconds(1));
  const auto program = b.build();
  const auto cut = consistent_part(program);
  CHECK(length(cut.program, 1) == 2);
  const auto part = consistent_part(program, {true, false});
  CHECK(part.early_ends.empty());
  CHECK(part.unmatched == Unmatched{0, 2, 1, 0});
  REQUIRE(length(part.program, 1) == 7);
  CHECK(kind(part.program, 1, 0) == OpKind::irecv);
  CHECK(kind(part.program, 1, 1) == OpKind::noop);
  CHECK(kind(part.program, 1, 4) == OpKind::noop);  // the wait for the second
  CHECK(kind(part.program, 1, 5) == OpKind::wait_recv);
}

TEST_CASE("a request may be waited for by another strand of its rank") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send(with(1), Bytes{8});
  b.begin_strand(1, false);
  b.recv(with(0, 9), Bytes{8});  // never sent
  const auto request = b.irecv(with(0), Bytes{8});
  b.begin_strand(1, false);
  b.wait(request);
  const auto part = consistent_part(b.build());
  CHECK(length(part.program, 1) == 0);
  CHECK(length(part.program, 2) == 0);
  CHECK(part.unmatched == Unmatched{1, 0, 0, 0});
}
