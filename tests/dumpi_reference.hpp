// Compares our reader's output for a DUMPI file with a text dump of libdumpi's own program (dumpi2ascii
// -HSFXA): every value of every record, and all that stands around them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/dumpi/format/trace_file.hpp"

namespace busline {

struct ReferenceComparison {
  std::uint64_t records = 0;
  std::uint64_t values = 0;              ///< that were compared
  std::vector<std::string> differences;  ///< the first ones
};

/// `dump` is the reference's text for `file`. Known differences are allowed: a count may be the length of the
/// list beside it, numbers that a record does not have are 0, and times do not follow the roll-over of
/// seconds.
ReferenceComparison compare_with_reference(const dumpi::TraceFile& file, std::string_view dump);

}  // namespace busline
