// The optional parts of busline, for 'busline --version'.
#pragma once
#include <vector>

#include "documents/command_line/program.hpp"

namespace busline::cli {

/// All of them, present or not, in the order in which they are printed. Loads the libraries that are normally
/// loaded on demand, so an installed library that cannot be loaded counts as missing.
std::vector<OptionalPart> optional_parts();

}  // namespace busline::cli
