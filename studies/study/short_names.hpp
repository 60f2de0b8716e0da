// Short names for long values: paths of traces and platforms, and what is generated.
#pragma once
#include <string>
#include <vector>

namespace busline {

/// A name for each of the values of an axis, which are paths or workloads as JSON texts: as short as they
/// stay apart. "apps/hpcg/trace.meta" and "apps/milc/trace.meta" become "hpcg" and "milc"; {"generate":
/// "halo", "ranks": 8} becomes "halo" or, beside another halo, "halo ranks=8". Equal values have equal names.
std::vector<std::string> short_names(const std::vector<std::string>& values);

}  // namespace busline
