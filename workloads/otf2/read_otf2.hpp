// OTF2 archives (docs/reference/otf2.md) as Score-P, EZTrace and Busline write them, compiled into a Program.
#pragma once
#include <cstdint>
#include <string>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "workloads/otf2/archive.hpp"
#include "workloads/otf2/collective_sizes.hpp"

namespace busline {

/// Type of the user events that regions other than calls of MPI become. The value identifies the region's
/// name (Program::event_labels), and is 0 where one is left.
inline constexpr std::uint32_t kOtf2RegionEvent = 293;

/// Reads the archive with this anchor file, NAME.otf2. Needs no library of OTF2.
///
/// `diagnostics` names what is left out or assumed, with counts (workloads/otf2/notices.hpp). Errors: damaged
/// or missing files (path, byte offset, event); archives that are not of MPI programs; receives of which the
/// trace does not tell what they received; MPI calls on several threads of a rank. Memory is bounded by the
/// size of the files. Cost: two passes over them, by location on at most `threads` threads; the result does
/// not depend on their number.
Expected<Program> read_otf2(const otf2::ArchiveFiles& files, Diagnostics& diagnostics, unsigned threads = 1);
Expected<Program> read_otf2(const std::string& path, Diagnostics& diagnostics, unsigned threads = 1);

}  // namespace busline
