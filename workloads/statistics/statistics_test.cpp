#include "workloads/statistics/statistics.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

// Rank 0 computes 5 ps and sends 0, 100 and 127 bytes to rank 1 (the last under another tag) and 4096 to rank
// 2; ranks 1 and 2 receive, rank 1 its first from any source; all meet in a Barrier and ranks 0 and 1 in an
// Allreduce.
Program example() {
  ProgramBuilder b(3);
  const auto pair = b.add_communicator({0, 1});
  const auto send = b.call_name("MPI_Send"), recv = b.call_name("MPI_Recv");
  const auto barrier = b.call_name("MPI_Barrier"), allreduce = b.call_name("MPI_Allreduce");
  const CollectiveArgs sum{
      .kind = CollectiveKind::allreduce, .communicator = pair, .send_bytes = 8, .recv_bytes = 16};
  const auto finish = [&](bool in_pair) {
    b.begin_call(barrier);
    b.collective({.kind = CollectiveKind::barrier});
    if (!in_pair) return;
    b.begin_call(allreduce);
    b.collective(sum);
  };
  b.begin_strand(0);
  b.compute(Duration::picoseconds(5));
  const std::array<std::pair<Envelope, std::uint64_t>, 4> sends{
      {{{1, 0, 0}, 0}, {{1, 0, 0}, 100}, {{1, 9, 0}, 127}, {{2, 0, 0}, 4096}}};
  for (const auto& [to, size] : sends) {
    b.begin_call(send);
    b.send(to, Bytes{size});
  }
  finish(true);
  b.begin_strand(1);
  for (const auto& from : {Envelope{kAnySource, kAnyTag, 0}, Envelope{0, 0, 0}, Envelope{0, 9, 0}}) {
    b.begin_call(recv);
    b.recv(from, Bytes{1000});
  }
  finish(true);
  b.begin_strand(2);
  b.begin_call(recv);
  b.recv({0, 0, 0}, Bytes{4096});
  finish(false);
  return b.build();
}

}  // namespace

TEST_CASE("messages are counted by pair, by size and by rank") {
  const auto s = statistics_of(example());
  CHECK(s.ranks == 3);
  CHECK(s.messages == 4);
  CHECK(s.bytes == 4323);
  REQUIRE(s.pairs.size() == 2);  // most bytes first
  CHECK((s.pairs[0].source == 0 && s.pairs[0].destination == 2 && s.pairs[0].bytes == 4096));
  CHECK((s.pairs[1].destination == 1 && s.pairs[1].messages == 3 && s.pairs[1].bytes == 227));
  REQUIRE(s.message_sizes.size() == 3);
  CHECK((s.message_sizes[0].from == 0 && s.message_sizes[0].messages == 1));
  CHECK(
      (s.message_sizes[1].from == 64 && s.message_sizes[1].messages == 2 && s.message_sizes[1].bytes == 227));
  CHECK(s.message_sizes[2].from == 4096);
  CHECK((s.per_rank[0].bytes_sent == 4323 && s.per_rank[0].messages_received == 0));
  CHECK((s.per_rank[1].bytes_received == 227 && s.per_rank[1].messages_received == 3));
}

TEST_CASE("a receive is open if it names no source or no tag") {
  CHECK(statistics_of(example()).open_receives == 1);
}

TEST_CASE("calls are listed by name, the most frequent first") {
  const auto s = statistics_of(example());
  REQUIRE(s.calls.size() == 4);
  CHECK((s.calls[0].name == "MPI_Recv" && s.calls[0].count == 4));
  CHECK((s.calls[1].name == "MPI_Send" && s.calls[1].count == 4));
  CHECK((s.calls[2].name == "MPI_Barrier" && s.calls[2].count == 3));
  CHECK(s.per_rank[0].calls == 6);
}

TEST_CASE("a collective counts once for each rank in it") {
  const auto s = statistics_of(example());
  REQUIRE(s.collectives.size() == 2);
  CHECK((s.collectives[0].kind == CollectiveKind::barrier && s.collectives[0].count == 3));
  CHECK((s.collectives[1].count == 2 && s.collectives[1].least_bytes == 16 &&
         s.collectives[1].most_bytes == 16));
  CHECK(s.communicator_sizes == std::vector<std::uint32_t>{3, 2});
  CHECK(s.per_rank[0].compute == Duration::picoseconds(5));
}

TEST_CASE("a collective that lists its sizes counts with the least and the most of them") {
  ProgramBuilder b(3);
  const std::vector<std::uint64_t> sizes{7, 0, 90};
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    // The sizes of rank 1 alone differ; the others send 20 bytes to each.
    const auto list = r == 1 ? b.block_list(sizes) : 0;
    b.collective({.kind = CollectiveKind::alltoallv, .block_list = list, .send_bytes = r == 1 ? 32U : 20U});
  }
  const auto s = statistics_of(b.build());
  REQUIRE(s.collectives.size() == 1);
  CHECK(s.collectives[0].least_bytes == 0);
  CHECK(s.collectives[0].most_bytes == 90);
}
