// Versions of the library that writes trace files, and their differences (docs/reference/dumpi.md,
// "Versions").
#pragma once
#include <compare>
#include <cstdint>

namespace busline::dumpi {

struct Version {
  int major = 0, minor = 0, patch = 0;
  auto operator<=>(const Version&) const = default;
};

/// The newest version whose files were available to check this reader against.
inline constexpr Version kNewestKnown{13, 0, 0};

/// From these versions on, records match the function table.
inline constexpr Version kStructHasLists{0, 6, 9};      ///< MPI_Type_struct stores a list of indices
inline constexpr Version kCartHasCoordinates{0, 6, 8};  ///< MPI_Cart_get stores a list of coordinates
inline constexpr Version kStatusHasTag{0, 6, 3};
inline constexpr Version kInitHasOneCount{0, 6, 2};  ///< MPI_Init stores its argument count once

/// Bytes of a status in files of a version.
constexpr std::uint8_t status_bytes(Version version) {
  return version < kStatusHasTag ? 10 : 14;
}

}  // namespace busline::dumpi
