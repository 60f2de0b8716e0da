// What a user should know of how a Paraver trace was read.
#pragma once
#include <string>

#include "sim/base/error.hpp"
#include "workloads/paraver/prv_header.hpp"
#include "workloads/paraver/strand_compiler.hpp"
#include "workloads/paraver/survey.hpp"
#include "workloads/paraver/trace.hpp"

namespace busline::paraver {

/// Adds a Diagnostic for each finding. `path`: the trace.
void tell(const std::string& path, const Header& header, const Survey& survey, std::uint32_t application,
          const Names& names, const Trace& trace, const Findings& findings, Diagnostics& diagnostics);

}  // namespace busline::paraver
