// The option --interval of 'simulate' and 'validate'.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

#include "models/interval/prediction_interval.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

/// Adds it to `command`. `runs` must outlive it, and stays 0 where the option is not given.
void add_interval_option(CLI::App& command, std::uint32_t& runs);

/// What was asked for, on all cores; nothing for 0 runs. An error for too few.
Expected<std::optional<IntervalOptions>> interval_options(std::uint32_t runs);

/// How far the prediction may be off, with a progress bar unless `quiet`; nothing if it was interrupted.
Expected<std::optional<PredictionInterval>> interval_of(const IntervalOptions& wanted, const Program& program,
                                                        const Platform& platform, const Machine& machine,
                                                        SimulateOptions how, bool quiet);

}  // namespace busline::cli
