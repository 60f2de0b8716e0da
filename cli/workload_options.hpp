// The options that control how a trace becomes a Program, shared by all commands that read workloads.
#pragma once
#include <CLI/CLI.hpp>

#include "workloads/load_workload.hpp"

namespace busline::cli {

/// Adds them to `command`, in groups of their own. `options` must outlive it.
void add_workload_options(CLI::App& command, WorkloadOptions& options);

}  // namespace busline::cli
