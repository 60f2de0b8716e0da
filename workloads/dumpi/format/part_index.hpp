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

/// The 8 bytes with which a file, and its index, begin.
inline constexpr std::string_view kMagic = "\xff\xaa\xdd\x44\x55\x4d\x50\x49";
/// Where libdumpi puts the call records, in every version.
inline constexpr std::size_t kBodyStart = kMagic.size();

/// What has to be right before a file's records can be read.
enum class Opening : std::uint8_t {
  whole,    ///< everything around the records
  salvage,  ///< its first bytes or its index; parts that are wrong are left out, each with a warning
};

/// The parts of a file, in the order of the index. Old files lack the first ones.
enum Part : std::size_t { kSizes, kLabels, kCounterLabels, kHeader, kBody, kFooter, kKeyvals, kParts };
inline constexpr std::array<const char*, kParts> kPartNames{
    "datatype sizes", "function labels", "counter labels", "header", "call records", "footer", "key values"};

struct PartIndex {
  std::size_t begin = 0;                   ///< of the index itself: the parts end there
  std::array<std::uint64_t, kParts> at{};  ///< where a part begins; 0: the file does not have it
  std::size_t first = kSizes;              ///< the first part that this form of the index has
};

/// An Error about the content of a trace file.
Error damaged(const std::string& path, std::uint64_t offset, std::string where, std::string message);

/// Whether reading can go on with what is wrong around the records, by the Opening: either it is an Error, or
/// it is told ("damaged-part") and the part is left out.
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
/// records then begin at kBodyStart. Other parts that are missing are told, but for the key values, which
/// libdumpi never indexes ("missing-part"). Without an index the parts end where the bytes end.
Expected<PartIndex> read_index(const std::string& path, std::string_view bytes, Opening how,
                               Diagnostics& diagnostics);

}  // namespace busline::dumpi
