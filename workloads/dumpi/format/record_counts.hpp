// Counts the records of each function in a file and compares them with the file's footer.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/error.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

namespace busline::dumpi {

/// By function id.
using RecordCounts = std::array<std::uint32_t, kFunctions>;

/// An error message if `counts`, of all records of `file`, differ from the calls made less those not
/// recorded. Files without a footer, and old ones whose footer counts nothing, are not checked.
std::optional<Error> check_record_counts(const TraceFile& file, const RecordCounts& counts);

}  // namespace busline::dumpi
