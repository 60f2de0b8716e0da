// Parses the mapping of ranks, as the command line and studies name it.
#pragma once
#include <string_view>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// "fill", "round-robin", "per-node:2", or the node of each rank: "0,0,1,1". An Error (bad_option, where:
/// "--mapping") lists these forms.
Expected<Mapping> parse_mapping(std::string_view text);

}  // namespace busline
