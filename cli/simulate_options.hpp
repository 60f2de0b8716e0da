// The options of 'busline simulate' with their own syntax: regions.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "models/simulate.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

/// "MPI_Barrier:2": the second on each rank; "MPI_Barrier:-1": the last; "MPI_Barrier": the first. `option`
/// is for messages.
Expected<CallRef> parse_call(std::string_view text, std::string_view option);

/// The settings of --from, --to and --time-range; nothing if all are empty. A time range is "1ms..2.5ms";
/// either side may be missing.
Expected<std::optional<Region>> parse_region(const std::string& from, const std::string& to,
                                             const std::string& time_range);
/// The same in words: "from MPI_Barrier 1 to MPI_Barrier 2".
std::string describe(const Region& region);

}  // namespace busline::cli
