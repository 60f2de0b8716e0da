// What busline may be built without, for 'busline --version'.
#pragma once
#include <vector>

#include "documents/command_line/program.hpp"

namespace busline::cli {

/// All of them, present or not, in the order in which they are printed. Loads the libraries that would be
/// loaded when they are needed, so that one that is installed and cannot be loaded counts as missing.
std::vector<OptionalPart> optional_parts();

}  // namespace busline::cli
