#include "workloads/paraver/collective_sizes.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace busline::paraver {
using enum CollectiveKind;

namespace {

void check_sizes(CollectiveKind kind, CollectiveSizes recorded, std::uint64_t members,
                 CollectiveSizes expected) {
  const auto s = sizes_per_peer(kind, recorded, members);
  CAPTURE(name_of(kind));
  CHECK(s.sent == expected.sent);
  CHECK(s.received == expected.received);
  CHECK(s.is_root == expected.is_root);
}

}  // namespace

TEST_CASE("the sizes of a paraver trace's collectives become those of one pair of ranks") {
  // The root of a Bcast has only sent, the others have only received; a Reduce is the reverse.
  check_sizes(bcast, {4112, 0, true}, 4, {4112, 4112, true});
  check_sizes(bcast, {0, 4112, false}, 4, {4112, 4112, false});
  check_sizes(reduce, {0, 80, true}, 4, {80, 80, true});
  check_sizes(reduce, {80, 0, false}, 4, {80, 80, false});
  check_sizes(allreduce, {8, 8, false}, 4, {8, 8, false});
  // Who receives in a Gather has the parts of all.
  check_sizes(gather, {100, 400, true}, 4, {100, 100, true});
  check_sizes(gather, {100, 0, false}, 4, {100, 100, false});
  check_sizes(scatter, {400, 100, false}, 4, {100, 100, true});  // Extrae's mark is missing
  check_sizes(scatter, {0, 100, true}, 4, {100, 100, false});    // ... or on another rank
  check_sizes(gatherv, {50, 402, true}, 4, {101, 101, true});    // 100.5 to the nearest byte
  check_sizes(allgather, {100, 400, false}, 4, {100, 100, false});
  check_sizes(alltoall, {100, 400, false}, 4, {100, 100, false});
  check_sizes(alltoall, {0, 400, false}, 4, {100, 100, false});  // MPI_IN_PLACE
  check_sizes(alltoallv, {200, 400, false}, 4, {50, 100, false});
  check_sizes(reduce_scatter, {400, 100, false}, 4, {400, 100, false});
  check_sizes(barrier, {0, 0, false}, 4, {0, 0, false});
}

TEST_CASE("sizes that we write to a paraver trace are read again as they were") {
  for (const auto kind : {bcast, gather, gatherv, scatter, scatterv, allgather, allgatherv, alltoall,
                          alltoallv, alltoallw, reduce, allreduce, scan, exscan})
    for (const bool root : {false, true}) {
      const CollectiveSizes per_peer{96, 96, root && has_root(kind)};
      check_sizes(kind, recorded_sizes(kind, per_peer, 6), 6, per_peer);
    }
  check_sizes(reduce_scatter, recorded_sizes(reduce_scatter, {600, 100, false}, 6), 6, {600, 100, false});
}

}  // namespace busline::paraver
