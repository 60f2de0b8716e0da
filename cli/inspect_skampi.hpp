// busline inspect of a result of SKaMPI: what was measured, and how long it took.
#pragma once
#include <string>

#include "documents/command_line/command.hpp"

namespace busline::cli {

/// Whether the file begins like a result file of SKaMPI.
bool is_skampi_result(const std::string& path);

/// A page, or with --json the measurement document that the results are.
Expected<Exit> print_skampi(const std::string& path, const Invocation& invocation);

}  // namespace busline::cli
