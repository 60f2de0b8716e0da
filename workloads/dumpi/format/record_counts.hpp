// How many records of each function a file holds, and whether these are all that its footer tells of.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline::dumpi {

/// By function id.
using RecordCounts = std::array<std::uint32_t, kFunctions>;

/// What is wrong if `counts`, of all records of `file`, are not the calls that were made less those that were
/// not recorded. Files without a footer, and old ones whose footer counts nothing, are not checked.
std::optional<Error> check_record_counts(const TraceFile& file, const RecordCounts& counts);

}  // namespace busline::dumpi
