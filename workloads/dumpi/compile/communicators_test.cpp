#include "workloads/dumpi/compile/communicators.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "workloads/dumpi/compile/test_reading.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

using Lists = std::vector<List>;
using Members = std::vector<std::uint32_t>;

constexpr std::int64_t kNullCommunicator = 1, kSelf = 3;

std::string error_of(const TestTrace& trace) {
  Diagnostics diagnostics;
  const auto program = read_dumpi(trace.write(), {}, diagnostics);
  REQUIRE(!program.has_value());
  return program.error().where + ": " + program.error().message;
}

// Members of the communicator of a rank's n-th MPI_Barrier.
Members barrier_members(const Program& p, std::uint32_t rank, std::size_t n = 0) {
  for (const auto& op : p.operations(p.strands()[rank])) {
    if (op.kind != OpKind::collective || p.collectives()[op.detail].kind != CollectiveKind::barrier) continue;
    if (n-- == 0) return p.communicators()[p.collectives()[op.detail].communicator].members;
  }
  return {};
}

TestTrace& each(TestTrace& t, const std::function<void(TestRank&, std::int64_t)>& with) {
  for (std::size_t r = 0; r < t.ranks.size(); ++r) {
    t.ranks[r].init();
    with(t.ranks[r], static_cast<std::int64_t>(r));
    t.ranks[r].finalize(0);
  }
  return t;
}

}  // namespace

TEST_CASE("a split orders by key, leaves out who has no colour, and ids are local to a rank") {
  TestTrace t(5);
  each(t, [](TestRank& r, std::int64_t rank) {
    const auto color = rank == 2 ? kUndefined : rank % 2;
    const auto made = rank == 2 ? kNullCommunicator : 10 + rank;
    r.call("MPI_Comm_split", 0, {kWorld, color, -rank, made});
    if (rank != 2) r.call("MPI_Barrier", 0, {made}).call("MPI_Comm_free", 0, {made});
    // The id is used again for another communicator.
    r.call("MPI_Comm_dup", 0, {kWorld, 10 + rank}).call("MPI_Barrier", 0, {10 + rank});
  });
  const auto p = read_well(t);
  CHECK(barrier_members(p, 0) == Members{4, 0});
  CHECK(barrier_members(p, 3) == Members{3, 1});
  CHECK(barrier_members(p, 2) == Members{0, 1, 2, 3, 4});
  CHECK(barrier_members(p, 0, 1) == Members{0, 1, 2, 3, 4});
}

TEST_CASE("messages in a communicator go to its ranks") {
  TestTrace t(3);
  each(t, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Comm_split", 0, {kWorld, 0, -rank, 4}).call("MPI_Send", 0, {1, 9, 0, 1, 4});
  });
  const auto p = read_well(t);
  CHECK(p.operations(p.strands()[1])[2].peer == 2);
}

TEST_CASE("groups are followed through all their operations") {
  TestTrace t(6);
  each(t, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Comm_group", 0, {kWorld, 3});
    r.call("MPI_Group_incl", 0, {3, 3, List{5, 0, 1}, 4});            // 5 0 1
    r.call("MPI_Group_excl", 0, {3, 2, List{0, 5}, 5});               // 1 2 3 4
    r.call("MPI_Group_range_incl", 0, {3, 1, Lists{{4, 0, -2}}, 6});  // 4 2 0
    r.call("MPI_Group_range_excl", 0, {3, 1, Lists{{0, 4, 2}}, 7});   // 1 3 5
    const auto make = [&](std::string_view how, std::int64_t a, std::int64_t b, const List& members) {
      r.call(how, 0, {a, b, 8});
      const bool member = std::find(members.begin(), members.end(), rank) != members.end();
      r.call("MPI_Comm_create", 0, {kWorld, 8, member ? 9 : kNullCommunicator})
          .call("MPI_Group_free", 0, {8});
      if (member) r.call("MPI_Barrier", 0, {9}).call("MPI_Comm_free", 0, {9});
    };
    make("MPI_Group_union", 4, 5, {0, 1, 2, 3, 4, 5});
    make("MPI_Group_intersection", 6, 5, {2, 4});
    make("MPI_Group_difference", 4, 7, {0});
    make("MPI_Group_union", 2, 7, {1, 3, 5});  // with the empty group
  });
  const auto p = read_well(t);
  CHECK(barrier_members(p, 3) == Members{5, 0, 1, 2, 3, 4});
  CHECK(barrier_members(p, 2, 1) == Members{4, 2});
  CHECK(barrier_members(p, 0, 1) == Members{0});
  CHECK(barrier_members(p, 3, 1) == Members{1, 3, 5});
}

TEST_CASE("disjoint groups may make their communicators in one call") {
  TestTrace t(4);
  each(t, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Comm_group", 0, {kWorld, 3})
        .call("MPI_Group_incl", 0, {3, 2, rank < 2 ? List{0, 1} : List{3, 2}, 4});
    r.call("MPI_Comm_create", 0, {kWorld, 4, 4}).call("MPI_Barrier", 0, {4});
  });
  const auto p = read_well(t);
  CHECK(barrier_members(p, 1) == Members{0, 1});
  CHECK(barrier_members(p, 2) == Members{3, 2});
}

TEST_CASE("MPI_Cart_sub splits a Cartesian communicator along its dimensions") {
  TestTrace t(7);  // one rank too many
  each(t, [](TestRank& r, std::int64_t rank) {
    const bool in = rank < 6;
    r.call("MPI_Cart_create", 0, {kWorld, 2, List{2, 3}, List{0, 0}, 0, in ? 4 : kNullCommunicator});
    if (!in) return;
    r.call("MPI_Cart_sub", 0, {2, 4, List{1, 0}, 5}).call("MPI_Barrier", 0, {5});
    r.call("MPI_Cart_sub", 0, {2, 4, List{0, 1}, 6}).call("MPI_Barrier", 0, {6});
  });
  const auto p = read_well(t);
  CHECK(barrier_members(p, 4) == Members{1, 4});
  CHECK(barrier_members(p, 4, 1) == Members{3, 4, 5});
}

TEST_CASE("a reordered communicator has the ranks that MPI_Comm_rank returned") {
  TestTrace t(3);
  each(t, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Cart_create", 0, {kWorld, 1, List{3}, List{1}, 1, 4});
    r.call("MPI_Comm_rank", 0, {4, (rank + 1) % 3}).call("MPI_Barrier", 0, {4});
  });
  CHECK(barrier_members(read_well(t), 0) == Members{2, 0, 1});
}

TEST_CASE("a gather across groups has the sizes of the group that has the parts") {
  TestTrace t(4);
  each(t, [](TestRank& r, std::int64_t rank) {
    const bool even = rank % 2 == 0;  // 0 2 and 1 3; rank 2 is the root
    const std::int64_t root = rank == 2 ? -4 : even ? -2 : 1, own = rank / 2, any = 77;
    r.call("MPI_Comm_split", 0, {kWorld, rank % 2, 0, 4});
    r.call("MPI_Intercomm_create", 0, {4, 0, kWorld, even ? 1 : 0, 99, 5});
    if (own == root)  // of the other group, but the tracer takes it for the root
      r.call("MPI_Gather", 0, {own, 6, 9, root, 5, any, any});
    else
      r.call("MPI_Gather", 0, {own, even ? any : 6, even ? any : 9, root, 5});
    if (own == root)
      r.call("MPI_Scatterv", 0, {own, 2, any, 5, 9, root, 5, List{any, -1}, List{any, any}});
    else
      r.call("MPI_Scatterv", 0, {own, 2, any, even ? any : 5, even ? any : 9, root, 5});
    if (own == root)
      r.call("MPI_Gatherv", 0, {own, 2, 4, 9, root, 5, List{any, -1}, List{any, any}, any});
    else
      r.call("MPI_Gatherv", 0, {own, 2, even ? any : 4, even ? any : 9, root, 5, any});
    if (own == root)
      r.call("MPI_Scatter", 0, {own, 3, 9, root, 5, any, any});
    else
      r.call("MPI_Scatter", 0, {own, even ? any : 3, even ? any : 9, root, 5});
  });
  const auto p = read_well(t);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    std::vector<std::uint64_t> sizes;
    for (const auto& op : p.operations(p.strands()[rank]))
      if (op.kind == OpKind::collective) {
        const auto& c = p.collectives()[op.detail];
        if (!has_root(c.kind)) continue;
        CHECK(!c.is_root);
        sizes.push_back(c.send_bytes);
      }
    CHECK(sizes == (rank % 2 == 0 ? std::vector<std::uint64_t>{0, 0, 0, 0}
                                  : std::vector<std::uint64_t>{24, 20, 16, 12}));
  }
}

TEST_CASE("an inter-communicator addresses the other group, and a merge puts the low group first") {
  TestTrace t(5);
  each(t, [](TestRank& r, std::int64_t rank) {
    const bool even = rank % 2 == 0;  // 0 2 4 and 1 3
    r.call("MPI_Comm_split", 0, {kWorld, rank % 2, 0, 4});
    r.call("MPI_Intercomm_create", 0, {4, 0, kWorld, even ? 1 : 0, 99, 5});
    r.call("MPI_Send", 0, {1, 9, 1, 3, 5});
    r.call("MPI_Bcast", 0, {1, 9, even ? (rank == 2 ? -4 : -2) : 1, 5});
    r.call("MPI_Intercomm_merge", 0, {5, even ? 1 : 0, 6}).call("MPI_Barrier", 0, {6});
  });
  const auto p = read_well(t);
  const auto peer = [&](std::uint32_t rank) {
    for (const auto& op : p.operations(p.strands()[rank]))
      if (op.kind == OpKind::send) return op.peer;
    return kAnySource;
  };
  CHECK(peer(0) == 3);
  CHECK(peer(3) == 2);
  CHECK(barrier_members(p, 0) == Members{1, 3, 0, 2, 4});
  std::size_t roots = 0;
  for (std::uint32_t rank = 0; rank < 5; ++rank)
    for (const auto& op : p.operations(p.strands()[rank]))
      if (op.kind == OpKind::collective && p.collectives()[op.detail].is_root) ++roots;
  CHECK(roots == 1);
}

TEST_CASE("MPI_COMM_SELF is one communicator for each rank") {
  TestTrace t(2);
  each(t, [](TestRank& r, std::int64_t) {
    r.call("MPI_Comm_dup", 0, {kSelf, 4}).call("MPI_Barrier", 0, {kSelf}).call("MPI_Barrier", 0, {4});
  });
  const auto p = read_well(t);
  CHECK(barrier_members(p, 1) == Members{1});
  CHECK(barrier_members(p, 1, 1) == Members{1});
}

TEST_CASE("ranks that disagree about a communicator are an error with the call") {
  TestTrace missing(3);
  each(missing, [](TestRank& r, std::int64_t rank) {
    if (rank != 1) r.call("MPI_Comm_dup", 0, {kWorld, 4});
  });
  CHECK(error_of(missing) == "MPI_Comm_dup record 2: rank 1 of the communicator has no matching call");

  TestTrace other(2);
  each(other, [](TestRank& r, std::int64_t rank) {
    if (rank == 0)
      r.call("MPI_Comm_dup", 0, {kWorld, 4});
    else
      r.call("MPI_Comm_split", 0, {kWorld, 0, 0, 4});
  });
  CHECK(error_of(other) == "MPI_Comm_split record 2: rank 0 calls MPI_Comm_dup here");

  TestTrace size(2);
  each(size, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Comm_split", 0, {kWorld, rank, 0, 4}).call("MPI_Comm_size", 0, {4, 2});
  });
  CHECK(error_of(size) == "MPI_Comm_split record 2: MPI_Comm_size says 2, but the recorded calls make it 1");

  TestTrace place(2);
  each(place, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Comm_dup", 0, {kWorld, 4}).call("MPI_Comm_rank", 0, {4, 1 - rank});
  });
  CHECK(error_of(place) ==
        "MPI_Comm_dup record 2: MPI_Comm_rank says 1, but the recorded calls make it a different rank");

  TestTrace left_out(2);
  each(left_out, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Comm_split", 0, {kWorld, 0, 0, rank == 0 ? 4 : kNullCommunicator});
  });
  CHECK(error_of(left_out) ==
        "MPI_Comm_split record 2: the rank got no communicator, but the other ranks' calls hold it");

  TestTrace leader(4);
  each(leader, [](TestRank& r, std::int64_t rank) {
    r.call("MPI_Comm_split", 0, {kWorld, rank % 2, 0, 4});
    if (rank % 2 == 0) r.call("MPI_Intercomm_create", 0, {4, 0, kWorld, 1, 99, 5});
  });
  CHECK(error_of(leader) == "MPI_Intercomm_create record 3: rank 1, the remote leader, has no matching call");

  TestTrace unknown(1);
  each(unknown, [](TestRank& r, std::int64_t) { r.call("MPI_Barrier", 0, {77}); });
  CHECK(error_of(unknown) == "MPI_Barrier record 2: no recorded call made communicator 77");
}
