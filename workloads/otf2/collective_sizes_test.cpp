#include "workloads/otf2/collective_sizes.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::otf2;

TEST_CASE("Score-P's totals of a block of 12 bytes on 4 ranks give the block back, in place too") {
  using enum CollectiveKind;
  constexpr std::uint64_t kRanks = 4;
  const auto per_peer = [](CollectiveKind kind, bool root, std::uint64_t sent, std::uint64_t received,
                           std::uint64_t rank = 1) {
    return bytes_per_peer(kind, SizeMeaning::totals, {kRanks, rank, root}, {sent, received});
  };
  const CollectiveBytes block{12, 12};
  CHECK(per_peer(bcast, true, 48, 12) == block);
  CHECK(per_peer(bcast, false, 0, 12) == block);
  CHECK(per_peer(scatter, true, 36, 0) == block);  // in place
  CHECK(per_peer(gather, true, 12, 48) == block);
  CHECK(per_peer(gather, false, 12, 0) == block);
  CHECK(per_peer(reduce, true, 0, 36) == block);  // in place
  CHECK(per_peer(allreduce, false, 48, 48) == block);
  CHECK(per_peer(alltoall, false, 39, 39) ==
        CollectiveBytes{13, 13});                   // in place: 3 x 13 is no multiple of 4
  CHECK(per_peer(gatherv, true, 10, 48) == block);  // parts that differ: their mean
  CHECK(per_peer(gatherv, false, 10, 0) == CollectiveBytes{10, 10});
  CHECK(per_peer(scatterv, true, 48, 10) == block);
  CHECK(per_peer(allgatherv, false, 40, 48) == block);
  CHECK(per_peer(alltoallv, false, 48, 24) == CollectiveBytes{12, 6});
  CHECK(per_peer(reduce_scatter, false, 48, 40) == CollectiveBytes{48, 12});
  CHECK(per_peer(reduce_scatter_block, false, 48, 48) == CollectiveBytes{48, 12});
  CHECK(per_peer(scan, false, 36, 24) == block);      // to 3 ranks, from 2
  CHECK(per_peer(exscan, false, 36, 0, 0) == block);  // rank 0 receives nothing
  CHECK(per_peer(exscan, false, 0, 36, 3) == block);
  CHECK(per_peer(barrier, false, 0, 0) == CollectiveBytes{});
}

TEST_CASE("EZTrace's arguments are the block, and sums of the parts that differ") {
  using enum CollectiveKind;
  const auto per_peer = [](CollectiveKind kind, bool root, std::uint64_t sent, std::uint64_t received) {
    return bytes_per_peer(kind, SizeMeaning::arguments, {4, 1, root}, {sent, received});
  };
  CHECK(per_peer(bcast, false, 200, 200) == CollectiveBytes{200, 200});
  CHECK(per_peer(gather, true, 200, 200) == CollectiveBytes{200, 200});
  CHECK(per_peer(gatherv, true, 100, 800) == CollectiveBytes{200, 200});
  CHECK(per_peer(scatterv, false, 800, 100) == CollectiveBytes{100, 100});
  CHECK(per_peer(alltoallv, false, 800, 400) == CollectiveBytes{200, 100});
  CHECK(per_peer(reduce_scatter, false, 800, 800) == CollectiveBytes{800, 200});
}

TEST_CASE("operations that make or free something move no data") {
  CHECK(data_collective(16) == CollectiveKind::reduce_scatter_block);
  CHECK_FALSE(data_collective(17));
  CHECK_FALSE(data_collective(255));
}
