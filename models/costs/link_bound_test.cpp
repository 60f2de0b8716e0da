#include "models/costs/link_bound.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "models/costs/costs.hpp"
#include "models/test_machine.hpp"
#include "models/test_run.hpp"

using namespace busline;

namespace {

using enum CollectiveKind;

/// 16 ranks on 4 nodes of 100 MB/s: 10 ns a byte on each link.
Platform four_nodes(Links links) {
  auto p = test_machine(4, links);
  p.machines[0].nodes[0].cpus = 4;
  return p;
}

Duration bound(CollectiveKind kind, Links links, std::uint64_t bytes, Contention contention) {
  const auto p = four_nodes(links);
  const auto machine = place_ranks(p, 16);
  REQUIRE(machine);
  const DimemasCosts costs(p, *machine, contention);
  std::vector<std::uint32_t> members;
  for (std::uint32_t r = 0; r < 16; ++r) members.push_back(r);
  return costs.link_bound(kind, costs.shape(members), bytes, bytes);
}

Result all_to_all(const Platform& p, const std::string& model = "dimemas") {
  return complete_run(one_collective(alltoall, 16, 1000), p, model);
}

}  // namespace

TEST_CASE("bytes of a collective pass the links of a node, L at a time") {
  const auto us = [](CollectiveKind kind, Links links) {
    return bound(kind, links, 1000, Contention::counted).count() / kUs;
  };
  CHECK(us(alltoall, full(1)) == 4 * 12 * 10);  // 4 ranks send 12 others 1000 bytes each: 10 us each
  CHECK(us(alltoall, full(4)) == 12 * 10);
  CHECK(us(alltoallv, full(1)) == 12 * 10);
  CHECK(us(allgather, full(1)) == 12 * 10);
  CHECK(us(gather, full(2)) == 6 * 10);
  CHECK(us(bcast, full(1)) == 10);
  CHECK(us(allreduce, full(1)) == 15);  // 2 x 3/4 of the vector
  CHECK(us(barrier, full(1)) == 0);
  CHECK(us(alltoall, {}) == 0);
  CHECK(bound(alltoall, full(1), 1000, Contention::ignored) == Duration());
}

TEST_CASE("parts of a v-form that differ bind the links by their sum, not by the largest") {
  const MembersOfNode node{16, 4, 4};
  // One rank of 16 has 1000 bytes, the others nothing: three of four nodes lack them.
  const OwnParts single{1000, 1000};
  CHECK(is_uneven(single, 16));
  CHECK(uneven_bytes_through_node(allgatherv, node, single) == 750);
  CHECK(uneven_bytes_through_node(gatherv, node, single) == 0);  // the root may have them
  // Equal parts, but for one of half the size.
  const OwnParts nearly{1000, 15'500};
  CHECK(uneven_bytes_through_node(scatterv, node, nearly) == 11'500);
  CHECK(uneven_bytes_through_node(allgatherv, {16, 1, 16}, nearly) == 0);
  CHECK_FALSE(is_uneven({1000, 16'000}, 16));
}

TEST_CASE("an Allgatherv of one rank's bytes is not held against those of all") {
  ProgramBuilder builder(16);
  for (std::uint32_t rank = 0; rank < 16; ++rank) {
    builder.begin_strand(rank);
    CollectiveArgs args;
    args.kind = allgatherv;
    args.send_bytes = rank == 0 ? 1000 : 0;
    args.recv_bytes = 62;  // the mean
    builder.collective(args);
  }
  // 16 ranks on 4 nodes take 40 us for 1000 bytes in the closed form; 750 bytes pass a link in 7.5 us.
  CHECK(complete_run(builder.build(), four_nodes(full(1))).below_link_bound.empty());
  CHECK(complete_run(one_collective(allgatherv, 16, 1000), four_nodes(full(1))).below_link_bound.size() == 1);
}

TEST_CASE("a v-form that lists sizes is held against the bytes of each node") {
  // 16 ranks on 4 nodes; rank 0 sends all it has to rank 15, or to rank 3 of its own node.
  const auto alltoallv_to = [](std::uint32_t target) {
    ProgramBuilder b(16);
    for (std::uint32_t r = 0; r < 16; ++r) {
      b.begin_strand(r);
      std::vector<std::uint64_t> sizes(16, 0);
      if (r == 0) sizes[target] = 16'000;
      const auto mean = r == 0 ? 1000U : 0U;
      b.collective(
          {.kind = alltoallv, .block_list = b.block_list(sizes), .send_bytes = mean, .recv_bytes = 0});
    }
    return complete_run(b.build(), four_nodes(full(1))).below_link_bound;
  };
  // The closed form's 4 + 4 steps take 500 bytes each, 40 us; 16,000 bytes pass a link in 160 us.
  const auto found = alltoallv_to(15);
  REQUIRE(found.size() == 1);
  CHECK(found[0].time.count() == 40 * kUs);
  CHECK(found[0].least.count() == 160 * kUs);
  CHECK(alltoallv_to(3).empty());

  // Ranks 0 and 1, both on node 0, have 6000 bytes each: the other nodes lack 12,000. Node 0 lacks none.
  const auto of_parts = [](CollectiveKind kind, std::uint32_t root) {
    const std::vector<std::uint64_t> parts{6000, 6000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    ProgramBuilder b(16);
    for (std::uint32_t r = 0; r < 16; ++r) {
      b.begin_strand(r);
      const bool listed = !has_root(kind) || r == root;
      b.collective({.kind = kind,
                    .is_root = has_root(kind) && r == root,
                    .block_list = listed ? b.block_list(parts) : 0,
                    .send_bytes = 750,
                    .recv_bytes = 750});
    }
    return complete_run(b.build(), four_nodes(full(1))).below_link_bound;
  };
  // 750 bytes a step: 8 steps of 7.5 us for an Allgatherv, 4 of them for a Gatherv.
  const auto gathered = of_parts(allgatherv, 0);
  REQUIRE(gathered.size() == 1);
  CHECK(gathered[0].time.count() == 60 * kUs);
  CHECK(gathered[0].least.count() == 120 * kUs);
  const auto to_others = of_parts(gatherv, 15);
  REQUIRE(to_others.size() == 1);
  CHECK(to_others[0].time.count() == 30 * kUs);
  CHECK(to_others[0].least.count() == 120 * kUs);
  CHECK(of_parts(gatherv, 2).empty());
}

TEST_CASE("a run counts the closed forms that are faster than their bytes pass a node's links") {
  // 4 + 4 steps of 1000 bytes: 80 us, where the links need 480 us.
  const auto found = all_to_all(four_nodes(full(1))).below_link_bound;
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == alltoall);
  CHECK(found[0].calls == 1);
  CHECK(found[0].below == 1);
  CHECK(found[0].time.count() == 80 * kUs);
  CHECK(found[0].least.count() == 480 * kUs);
  CHECK(all_to_all(four_nodes(full(6))).below_link_bound.empty());  // 480 us / 6 links = 80 us
  CHECK(all_to_all(four_nodes({})).below_link_bound.empty());
  CHECK(all_to_all(four_nodes(full(1)), "ideal").below_link_bound.empty());
}

TEST_CASE("closed forms are counted under every model with links, and the algorithms of a library never") {
  auto p = four_nodes(full(1));
  p.machines[0].network.sharing = Network::Sharing::fair;
  CHECK(all_to_all(p).below_link_bound.size() == 1);
  CHECK(all_to_all(p, "flow").below_link_bound.size() == 1);
  p.mpi.collectives.preset = CollectivePreset::open_mpi;
  CHECK(all_to_all(p).below_link_bound.empty());
}
