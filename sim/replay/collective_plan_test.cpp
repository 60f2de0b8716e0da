#include "sim/algorithms/collective_plan.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "sim/program/program_builder.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;

namespace {

using enum CollectiveKind;

const Schedule* linear(CollectiveKind kind, CommunicatorId, std::uint64_t, bool) {
  return find_schedule(Algorithm::linear, kind);
}

CollectiveArgs args(CollectiveKind kind, std::uint64_t bytes, bool is_root = false,
                    std::uint32_t communicator = 0) {
  CollectiveArgs a;
  a.kind = kind;
  a.is_root = is_root;
  a.communicator = communicator;
  a.send_bytes = a.recv_bytes = bytes;
  return a;
}

}  // namespace

TEST_CASE("the plan knows the root and the sizes of all members") {
  ProgramBuilder b(3);
  const auto reversed = b.add_communicator({2, 1, 0});
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    b.collective(args(bcast, r == 1 ? 10 : 3, r == 1));
    b.collective(args(gatherv, 100 * r, r == 0, reversed));
  }
  const auto program = b.build();
  const CollectivePlan plan(program, linear);
  REQUIRE(plan.collectives() == 2);
  const auto& first = plan[plan.index(CommunicatorId{0}, 0)];
  CHECK(first.root == 1);
  CHECK(plan.sizes(first).bytes(first.site(3, 0), 1, {0, 3}) == 10);
  const auto& second = plan[plan.index(CommunicatorId{reversed}, 0)];
  CHECK(plan.position(CommunicatorId{reversed}, RankId{2}) == 0);
  CHECK(second.root == 2);
  const auto site = second.site(3, 0);
  CHECK(plan.sizes(second).bytes(site, 0, {0, 1}) == 200);
  CHECK(plan.sizes(second).bytes(site, 0, {2, 1}) == 0);
  CHECK(plan.sizes(second).bytes(site, 0, {1, 3}) == 300);  // cyclic
}

TEST_CASE("calls that do not match stay closed forms") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.collective(args(barrier, 0));
    b.collective(args(r == 0 ? allreduce : barrier, 0));  // two operations
    b.collective(args(bcast, 8));                         // no rank is the root
    b.collective(args(reduce, 8, true));                  // both are
    if (r == 0) b.collective(args(barrier, 0));           // one is missing
  }
  const auto program = b.build();
  const CollectivePlan plan(program, linear);
  REQUIRE(plan.collectives() == 5);
  CHECK(plan[0].schedule != nullptr);
  for (std::uint32_t i = 1; i < 5; ++i) CHECK(plan[i].schedule == nullptr);
}

TEST_CASE("collectives called by two threads of a rank stay closed forms, since their order is unknown") {
  ProgramBuilder b(2);
  const auto other = b.add_communicator({0, 1});
  b.begin_strand(0, false);
  b.collective(args(barrier, 0));
  b.begin_strand(0, false);
  b.collective(args(barrier, 0));
  b.collective(args(barrier, 0, false, other));
  b.begin_strand(1);
  for (const auto c : {0U, 0U, other}) b.collective(args(barrier, 0, false, c));
  const auto program = b.build();
  const CollectivePlan plan(program, linear);
  CHECK(plan[plan.index(CommunicatorId{0}, 0)].schedule == nullptr);
  CHECK(plan[plan.index(CommunicatorId{other}, 0)].schedule != nullptr);
}

TEST_CASE("a plan without algorithms is empty") {
  ProgramBuilder b(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.collective(args(barrier, 0));
  }
  const auto program = b.build();
  CHECK(CollectivePlan(program, [](auto, auto, auto, auto) -> const Schedule* { return nullptr; }).empty());
}

TEST_CASE("a vector is split into whole bytes, and sums of sizes do not overflow") {
  const Site site{3, 0, 0, 3};
  const auto parts = BlockSizes::parts_of(10);
  CHECK(parts.bytes(site, 0, {0, 1}) == 4);
  CHECK(parts.bytes(site, 0, {1, 1}) == 3);
  CHECK(parts.bytes(site, 0, {2, 2}) == 7);  // the last and the first
  CHECK(parts.bytes(site, 0, {0, 3}) == 10);
  const auto huge = BlockSizes::equal(~std::uint64_t{0});
  CHECK(huge.bytes(site, 0, {0, 3}) == kMostBlockBytes);
  CHECK(BlockSizes::listed(std::vector<std::uint64_t>(3, ~std::uint64_t{0})).bytes(site, 0, {0, 3}) ==
        kMostBlockBytes);
}

TEST_CASE("each block of an Alltoallv has its own size") {
  // Rank 0 sends 40 bytes to rank 1 and 2 to rank 2, rank 1 sends each 10, rank 2 sends 300 to rank 0 alone.
  const std::vector<std::vector<std::uint64_t>> sizes{{0, 40, 2}, {10, 10, 10}, {300, 0, 0}};
  ProgramBuilder b(3), by_hand(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    const auto list = b.block_list(sizes[r]);
    b.collective({.kind = alltoallv, .block_list = list, .send_bytes = sizes[r][1]});
    by_hand.begin_strand(r);
    std::vector<std::uint32_t> slots;
    for (const auto peer : {(r + 2) % 3, (r + 1) % 3})
      slots.push_back(by_hand.irecv({.peer = peer}, Bytes{sizes[peer][r]}));
    for (const auto peer : {(r + 1) % 3, (r + 2) % 3})
      slots.push_back(by_hand.isend({.peer = peer}, Bytes{sizes[r][peer]}));
    for (const auto slot : slots) by_hand.wait(slot);
  }
  TestNetwork network;
  network.named = Algorithm::linear;
  network.flight = 5;
  const auto made = replay(b.build(), nodes_for(3), network),
             expected = replay(by_hand.build(), nodes_for(3), network);
  REQUIRE(made.status == Result::Status::complete);
  for (std::size_t r = 0; r < 3; ++r) CHECK(made.ranks[r].end == expected.ranks[r].end);
  CHECK(made.ranks[0].end.count() == 305);
}

TEST_CASE("the blocks of an Allgatherv have the sizes that all members list") {
  const std::vector<std::uint64_t> sizes{100, 0, 7};
  ProgramBuilder b(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    b.collective({.kind = allgatherv, .block_list = b.block_list(sizes), .send_bytes = 36, .recv_bytes = 36});
  }
  const auto program = b.build();
  const CollectivePlan plan(
      program, [](auto, auto, auto, auto) { return find_schedule(Algorithm::ring, allgatherv); });
  const auto& blocks = plan.sizes(plan[0]);
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(blocks.bytes({3, 0, 0, 3}, 1, {i, 1}) == sizes[i]);
}

TEST_CASE(
    "a deadlock inside an algorithm names the blocked rank and the number of members that have arrived") {
  ProgramBuilder b(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    b.begin_strand(r);
    if (r == 0) b.recv({.peer = 1, .tag = 5}, Bytes{1});
    b.begin_call(b.call_name("MPI_Barrier"));
    b.collective(args(barrier, 0));
  }
  const auto program = b.build();
  TestNetwork network;
  network.named = Algorithm::recursive_doubling;
  const auto result = replay(program, nodes_for(3), network);
  CHECK(result.status == Result::Status::deadlock);
  REQUIRE(result.blocked.size() == 3);
  CHECK(result.blocked[1].waits_for == "1 of the 3 ranks of communicator 0 to call MPI_Barrier");
}
