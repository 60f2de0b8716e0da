// Runs of one workload on slightly or largely different machines, in parallel.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/simulate.hpp"

namespace busline {

/// What one run has different. Factors multiply a figure of all machines and are above 0.
struct Variation {
  double latency = 1;       ///< of /network/latency
  double bandwidth = 1;     ///< of /network/bandwidth
  double cpu_speed = 1;     ///< of the speed of all nodes
  Duration more_latency{};  ///< added after that
  double jitter = 0;        ///< with_jitter (sim/program/jitter.hpp): a share
  std::uint64_t jitter_seed = 0;
  std::uint64_t tie_seed = 0;    ///< SimulateOptions::tie_seed
  bool instant_network = false;  ///< and no contention, as in PopEfficiency
};

/// The run time of each; nothing for a run that does not complete. Nothing at all if options.progress, which
/// is called with the share of all of them together and never by two threads at once, ended them. Of
/// `options` the model and the progress count. Memory: for each of `threads`, a replay and a copy of the
/// operations. Errors are simulate()'s.
Expected<std::optional<std::vector<std::optional<Time>>>> run_variations(
    const Program& program, const Platform& platform, const Machine& machine, const SimulateOptions& options,
    std::span<const Variation> variations, unsigned threads);

}  // namespace busline
