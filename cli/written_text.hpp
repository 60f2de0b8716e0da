// A text that a command writes to a file.
#pragma once
#include <string>

#include "sim/error.hpp"

namespace busline::cli {

/// The file is there whole or not at all (workloads/output_file.hpp, which has the errors).
Expected<void> write_text(const std::string& path, const std::string& text);

}  // namespace busline::cli
