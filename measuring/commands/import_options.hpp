// The options of commands that read results of other benchmarks (docs/reference/measuring.md, "Other
// benchmarks").
#pragma once
#include <CLI/CLI.hpp>

#include "measuring/import/job_nodes.hpp"

namespace busline::cli {

/// Adds --ranks and --ranks-per-node to `command`, in a group of their own. `options` must outlive it.
void add_import_options(CLI::App& command, measure::ImportOptions& options);

}  // namespace busline::cli
