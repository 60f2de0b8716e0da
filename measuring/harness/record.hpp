// busline-measure record: real runs of a program, to check predictions against (docs/how-to/record.md).
#pragma once
#include <CLI/CLI.hpp>

#include "documents/command_line/command.hpp"

namespace busline::cli {

Command add_measure_record(CLI::App& program, Invocation& invocation);

}  // namespace busline::cli
