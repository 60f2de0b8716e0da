#include "workloads/patterns/halo_allreduce.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "workloads/dim/read_dim.hpp"

using namespace busline;

TEST_CASE("the grid is the squarest with that many factors") {
  using Grid = std::array<std::uint32_t, 3>;
  CHECK(grid_of(64, 2) == Grid{8, 8, 1});
  CHECK(grid_of(128, 2) == Grid{16, 8, 1});
  CHECK(grid_of(12, 2) == Grid{4, 3, 1});
  CHECK(grid_of(7, 2) == Grid{7, 1, 1});
  CHECK(grid_of(64, 3) == Grid{4, 4, 4});
  CHECK(grid_of(24, 3) == Grid{4, 3, 2});
  CHECK(grid_of(6, 1) == Grid{6, 1, 1});
  CHECK(grid_of(1, 3) == Grid{1, 1, 1});
}

TEST_CASE("a rank of the halo does the same as the trace of that program") {
  // Rank 1 of 4, as a Dimemas trace has it. The burst is 200 us + (x mod 100000) ns, where x is
  // (1 * 2654435761 + 12345) * 1664525 + 1013904223 mod 2^32 = 3284891425, so 291425 ns.
  Diagnostics diagnostics;
  const auto traced = read_dim_text(
      "#DIMEMAS:\"halo\":0:4(1,1,1,1),1\nd:1:1:4:0:1:2:3\n1:1:0:0.000100000\n"
      "3:1:0:0:8192:1:1:1\n3:1:0:0:8192:0:1:1\n3:1:0:3:8192:3:1:1\n3:1:0:3:8192:2:1:1\n"
      "2:1:0:0:8192:0:1:2\n2:1:0:0:8192:1:1:2\n2:1:0:3:8192:2:1:2\n2:1:0:3:8192:3:1:2\n"
      "1:1:0:0.000291425\n"
      "3:1:0:0:8192:1:1:2\n3:1:0:0:8192:0:1:2\n3:1:0:3:8192:3:1:2\n3:1:0:3:8192:2:1:2\n"
      "10:1:0:11:1:0:0:8:8:1\n1:1:0:0.000010000\n",
      "halo.dim", diagnostics);
  REQUIRE(traced);
  HaloAllreduce pattern;
  pattern.ranks = 4;
  pattern.iterations = 1;
  const auto made = halo_allreduce(pattern);

  const auto expected = traced->operations(traced->strands()[1]), got = made.operations(made.strands()[1]);
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(got[i].kind == expected[i].kind);
    CHECK(got[i].flags == expected[i].flags);
    CHECK(got[i].peer == expected[i].peer);
    CHECK(got[i].amount == expected[i].amount);
    CHECK(got[i].request == expected[i].request);
    CHECK(made.call_names()[got[i].call] == traced->call_names()[expected[i].call]);
    if (got[i].kind == OpKind::isend || got[i].kind == OpKind::irecv) {
      const auto &a = made.channels()[got[i].detail], &b = traced->channels()[expected[i].detail];
      CHECK(std::tie(a.source, a.destination, a.tag) == std::tie(b.source, b.destination, b.tag));
    }
    if (got[i].kind == OpKind::collective)
      CHECK(made.collectives()[got[i].detail] == traced->collectives()[expected[i].detail]);
  }
}

TEST_CASE("every message of a halo has its receive on every grid") {
  for (const std::uint32_t ranks : {1U, 2U, 3U, 7U, 8U, 12U, 27U, 60U})
    for (const std::uint32_t dimensions : {1U, 2U, 3U}) {
      CAPTURE(ranks);
      CAPTURE(dimensions);
      HaloAllreduce pattern;
      pattern.ranks = ranks;
      pattern.dimensions = dimensions;
      pattern.iterations = 2;
      pattern.allreduce = false;
      const auto p = halo_allreduce(pattern);
      std::map<std::uint32_t, std::int64_t> balance;  // by channel: sends less receives
      for (const auto& op : p.operations()) {
        CHECK(op.kind != OpKind::collective);
        if (op.kind == OpKind::isend) ++balance[op.detail];
        if (op.kind == OpKind::irecv) --balance[op.detail];
      }
      CHECK(std::all_of(balance.begin(), balance.end(), [](const auto& b) { return b.second == 0; }));
      for (const auto& c : p.channels()) CHECK(c.source != c.destination);
    }
}

TEST_CASE("64 ranks and 1042 iterations are the million operations of the benchmark") {
  HaloAllreduce pattern;
  pattern.ranks = 64;
  pattern.iterations = 1042;
  // Per rank one burst, and per iteration 4 Irecv, 4 Isend, 4 Wait, an Allreduce and 2 bursts.
  CHECK(halo_allreduce(pattern).operations().size() == 64 * (1 + 1042 * 15));
}
