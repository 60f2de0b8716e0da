// What explains the times of messages: a protocol, and ranges of sizes with a straight line each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "validation/calibrate/message_curves.hpp"
#include "validation/calibrate/robust_fit.hpp"

namespace busline::calibrate {

/// Which rows have what. `from`: rendezvous from there, nothing: all are eager. `starts`: of ranges, the
/// first is 0.
struct MessageStructure {
  std::optional<std::uint64_t> from;
  bool waits = false;
  bool own_synchronous = false;  ///< an MPI_Ssend below `from` has another handshake
  /// The ranges follow octaves. Calls that wait for the transfer then show a bandwidth of their own: buffers
  /// hide another part of it at each size.
  bool by_octaves = false;
  std::vector<std::uint64_t> starts{0};

  /// The number of a size's range.
  std::size_t range(std::uint64_t bytes) const {
    std::size_t r = 0;
    while (r + 1 < starts.size() && bytes >= starts[r + 1]) ++r;
    return r;
  }
  /// Numbers of columns.
  std::size_t handshake() const { return 2 * starts.size(); }
  std::size_t call() const { return handshake() + 1; }
  std::size_t call_per_byte() const { return handshake() + 2; }
  std::size_t synchronous_handshake() const { return handshake() + 3; }
  std::size_t rendezvous_call() const { return handshake() + 4; }
  std::size_t waiting_per_byte() const { return handshake() + 5; }
  std::size_t columns() const { return handshake() + 6; }
};

/// The columns of a point:
/// MPI_Send:   latency + bytes * per byte, and from the limit on the handshake
/// MPI_Ssend:  the same with a handshake at every size; below the limit it may have one of its own
/// the call:   a constant and, while eager, something for each byte that is copied; from the limit on another
///             constant and, if it waits for it, the transfer
Row row_of_point(const CurvePoint& point, const MessageStructure& structure);

}  // namespace busline::calibrate
