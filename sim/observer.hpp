// Observers watch a replay without changing it. They are compile-time policies: what is not watched costs
// nothing.
#pragma once
#include <cstdint>

namespace busline {

/// Watches nothing, and lists what can be watched. Times are picoseconds.
struct NullObserver {
  /// The strand has come to the operation at `index` of Program::operations(), which may be one past its
  /// last; the one before it is over.
  void reached(std::uint32_t /*strand*/, std::uint64_t /*index*/, std::int64_t /*now*/) {}
};

}  // namespace busline
