// The options of 'busline convert' with their own syntax.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/dumpi/rewrite/rewrite.hpp"

namespace busline::cli {

/// "0-3,7": single ranks and ranges with both ends, in any order. `option` is for messages.
Expected<std::vector<std::uint32_t>> parse_ranks(std::string_view text, std::string_view option = "--ranks");

/// The values of --ranks, --from and --to; empty strings select nothing. Times are "1.5s", from the end of
/// MPI_Init.
Expected<dumpi::RewriteOptions> parse_selection(const std::string& ranks, const std::string& from,
                                                const std::string& to);

}  // namespace busline::cli
