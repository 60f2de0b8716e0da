// Runs Dimemas's inputs as Dimemas's command line would: a folder with trace.dim and platform.cfg, and its
// options.
#pragma once
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// What `Dimemas --dim trace.dim OPTIONS platform.cfg` in `folder` stands for, simulated. `options` are -S
/// SIZE, -F, --bandwidth X, --latency X and -s FILE; the model is "dimemas". Errors are those of reading the
/// two files, of placing the ranks and of the simulation; an option that is not one of these is of kind
/// bad_option.
Expected<Result> run_dimemas_case(const std::string& folder, const std::vector<std::string>& options,
                                  Diagnostics& diagnostics);

}  // namespace busline
