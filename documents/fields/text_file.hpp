// Reads small text files whole.
#pragma once
#include <cstddef>
#include <string>

#include "sim/base/error.hpp"

namespace busline {

inline constexpr std::size_t kLargestText = std::size_t{64} << 20U;

/// The bytes of the file. An Error of kind unreadable if the system refuses, of kind bad_input if it has more
/// than `limit`.
Expected<std::string> read_text_file(const std::string& path, std::size_t limit = kLargestText);

}  // namespace busline
