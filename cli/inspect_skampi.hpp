// busline inspect of a SKaMPI result: what was measured, and the times.
#pragma once
#include <string>

#include "documents/command_line/command.hpp"

namespace busline::cli {

/// Whether the file begins like a result file of SKaMPI.
bool is_skampi_result(const std::string& path);

/// A page, or with --json the results as a measurement document.
Expected<Exit> print_skampi(const std::string& path, const Invocation& invocation);

}  // namespace busline::cli
