// The anchor file of an OTF2 archive, NAME.otf2: who wrote it, and how its other files are laid out.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline::otf2 {

struct Anchor {
  std::string creator;                                  ///< "Score-P 8.4"; empty in archives of EZTrace
  std::uint64_t event_chunk = 0, definition_chunk = 0;  ///< bytes
};

/// `path` is for errors only. Refused: other trace formats than 2, compressed archives and those in SION
/// containers, chunk sizes outside of OTF2's limits.
Expected<Anchor> read_anchor(std::string_view bytes, const std::string& path);

/// Whether a file with these first bytes is an anchor file.
bool looks_like_otf2(std::string_view head);

}  // namespace busline::otf2
