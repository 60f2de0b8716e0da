// The index at the end of a rank's file: where its parts are (docs/reference/dumpi.md, "Layout"). Only the
// index and the first 8 bytes of a file have a fixed place.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline::dumpi {

/// The 8 bytes at the start of a file and of its index.
inline constexpr std::string_view kMagic = "\xff\xaa\xdd\x44\x55\x4d\x50\x49";
/// The offset of the call records in every version of libdumpi.
inline constexpr std::size_t kBodyStart = kMagic.size();

/// What must be correct before a file's records can be read.
enum class Opening : std::uint8_t {
  whole,    ///< everything around the records
  salvage,  ///< its first bytes or its index; damaged parts are left out, each with a warning
};

/// The parts of a file, in the order of the index. Old files lack the first ones.
enum Part : std::size_t { kSizes, kLabels, kCounterLabels, kHeader, kBody, kFooter, kKeyvals, kParts };
inline constexpr std::array<const char*, kParts> kPartNames{
    "datatype sizes", "function labels", "counter labels", "header", "call records", "footer", "key values"};

struct PartIndex {
  std::size_t begin = 0;                   ///< of the index itself: the parts end there
  std::array<std::uint64_t, kParts> at{};  ///< where a part begins; 0: the file lacks it
  std::size_t first = kSizes;              ///< the first part that this form of the index has
};

/// An Error about the content of a trace file.
Error damaged(const std::string& path, std::uint64_t offset, std::string where, std::string message);

/// Decides by the Opening whether reading continues after damage around the records: the damage is either an
/// Error, or reported ("damaged-part"), and the part is left out.
class Tolerance {
 public:
  Tolerance(Opening how, Diagnostics& diagnostics) : how_(how), diagnostics_(diagnostics) {}
  bool accepts(const Error& wrong);

 private:
  Opening how_;
  Diagnostics& diagnostics_;
};

/// Reads the index of the file with these bytes. Each part begins between the first bytes and the index;
/// those that do not, and a file without an index, are an Error or, with Opening::salvage, missing: the call
/// records then begin at kBodyStart. Other missing parts are reported ("missing-part"), except the key
/// values, which libdumpi never indexes. Without an index the parts end where the bytes end.
Expected<PartIndex> read_index(const std::string& path, std::string_view bytes, Opening how,
                               Diagnostics& diagnostics);

}  // namespace busline::dumpi
