// A result file of SKaMPI as a page for people.
#pragma once
#include <string>

#include "measuring/skampi/result_file.hpp"

namespace busline {

/// What the file says about itself, then a table for each suite; suites without rows are named.
std::string to_text(const std::string& name, const skampi::ResultFile& file);

}  // namespace busline
