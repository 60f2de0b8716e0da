// Where a DUMPI file says how long something is, how many there are, or where it begins: the numbers that
// must not be believed.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace busline {

struct LengthField {
  std::size_t offset = 0;
  std::size_t bytes = 0;  ///< 1, 2, 4 or 8, big-endian
};

/// All of them in an undamaged file, by ascending offset: the lengths of texts, lists and statuses in records
/// and of counters in their prefixes, those of the parts around the records, and the offsets of the index.
/// Empty for bytes that are not a DUMPI file.
std::vector<LengthField> length_fields(std::string_view bytes);

}  // namespace busline
