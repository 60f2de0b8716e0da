// The bytes of a collective as Extrae records them, those of the call's own arguments, and as a Program has
// them, per peer (docs/model.md, section 5.3). Source: Extrae's wrappers of collectives and its merger.
#pragma once
#include <cstdint>

#include "sim/program/collective.hpp"

namespace busline::paraver {

struct CollectiveSizes {
  std::uint64_t sent = 0, received = 0;
  bool is_root = false;
};

/// Per peer, from what one rank of `members` recorded. The root of Gather and Scatter is who has all parts:
/// Extrae compares a rank of the communicator with one of the job, so its mark is wrong on others than the
/// world.
CollectiveSizes sizes_per_peer(CollectiveKind kind, CollectiveSizes recorded, std::uint64_t members);

/// The reverse, for traces that we write. sizes_per_peer gives `per_peer` again, except for sizes that do not
/// count (docs/model.md, section 5.3) and for means that are no whole bytes.
CollectiveSizes recorded_sizes(CollectiveKind kind, CollectiveSizes per_peer, std::uint64_t members);

}  // namespace busline::paraver
