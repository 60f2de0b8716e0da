// How much runs differ because of the machine's noise (Platform::noise). docs/how-to/noise.md explains it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/simulate.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// Below this many runs the tails are guesses.
inline constexpr std::uint32_t kLeastNoiseRuns = 10;

struct NoiseRunsOptions {
  std::uint32_t runs = 100;  ///< at least kLeastNoiseRuns
  std::uint64_t seed = 1;
  bool kinds = true;  ///< also what each kind of noise does alone, if there are several
  unsigned threads = 1;
};

/// Quantiles of the run times; of the region if there is one.
struct NoiseSpread {
  Duration low, median, high;  ///< 5 %, 50 % and 95 %
  double mean_ps = 0;
};

struct NoiseRuns {
  std::uint32_t runs = 0, incomplete = 0;  ///< made; and among them, not complete and left out
  std::uint64_t seed = 0;
  Duration quiet;  ///< the run without noise
  NoiseSpread all{};
  struct Kind {
    std::string name;  ///< its JSON pointer in the platform: "/noise/compute/bursts"
    NoiseSpread spread;
  };
  std::vector<Kind> kinds{};  ///< each alone, in the order of the document; empty unless asked for
};

/// Run i has the same noise whatever the number of runs and threads. Of `options`, the model, the region, the
/// order of ties and the progress count. Nothing if the quiet run does not complete, or if interrupted.
/// Errors: bad_option if the platform has no noise; those of simulate(). Cost: NoiseRunsOptions::runs runs
/// for all noise, and as many for each kind.
Expected<std::optional<NoiseRuns>> noise_runs(const Program& program, const Platform& platform,
                                              const Machine& machine, const SimulateOptions& options,
                                              const NoiseRunsOptions& how);

}  // namespace busline
