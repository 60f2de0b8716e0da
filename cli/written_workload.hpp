// Writes a workload to a file, and prints the output of the commands that do so.
#pragma once
#include <string>

#include "documents/command_line/command.hpp"
#include "sim/base/error.hpp"
#include "workloads/write_workload.hpp"

namespace busline::cli {

/// An Error that lists the formats, for a file name that has none of them.
Expected<void> check_workload_name(const std::string& path);

/// Writes it with a progress bar and prints its warnings, then a line about the file, or with --json
/// `document` and the diagnostics. An interrupted file is not created.
Expected<Exit> write_and_tell(const Workload& workload, const Origin& origin, const std::string& path,
                              nlohmann::ordered_json document, const Invocation& invocation,
                              Diagnostics diagnostics, const GoalOutput& goal = {});

}  // namespace busline::cli
