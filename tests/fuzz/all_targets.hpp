// All that is fuzzed.
#pragma once
#include <vector>

#include "tests/fuzz/fuzz_target.hpp"

namespace busline::fuzz {

/// Readers of files, of documents and of the command line.
std::vector<FuzzTarget> all_targets();

}  // namespace busline::fuzz
