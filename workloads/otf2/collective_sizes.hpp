// The sizes of a collective as a trace records them, as the sizes per peer that models need (docs/model.md,
// section 5.3).
#pragma once
#include <cstdint>
#include <optional>

#include "sim/program/collective.hpp"

namespace busline::otf2 {

/// What a writer of traces means by the bytes of a collective.
enum class SizeMeaning : std::uint8_t {
  totals,     ///< all that a rank sends and receives: the block times the ranks (Score-P)
  arguments,  ///< what the call's arguments say: the block, or the sum of its parts (EZTrace)
  per_peer,   ///< as models need them (Busline)
};

/// The operation with this number (OTF2_CollectiveOp), if it moves data or is a barrier.
std::optional<CollectiveKind> data_collective(std::uint8_t operation);

struct PlaceInGroup {
  std::uint64_t ranks = 1;  ///< of the communicator, or of the other group
  std::uint64_t rank = 0;   ///< in the communicator
  bool is_root = false;
};

struct CollectiveBytes {
  std::uint64_t sent = 0, received = 0;
  bool operator==(const CollectiveBytes&) const = default;
};

/// The sizes per peer. A record does not show whether MPI_IN_PLACE was given: then a total is that of one
/// rank fewer. It is taken for that where the total is not a multiple of the ranks.
CollectiveBytes bytes_per_peer(CollectiveKind kind, SizeMeaning meaning, const PlaceInGroup& place,
                               const CollectiveBytes& recorded);

}  // namespace busline::otf2
