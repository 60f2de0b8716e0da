// How far a prediction may be off because the machine was measured. docs/how-to/intervals.md explains it.
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
inline constexpr std::uint32_t kLeastIntervalRuns = 10;

struct IntervalOptions {
  std::uint32_t runs = 60;  ///< with other figures; at least kLeastIntervalRuns
  double share = 0.9;       ///< of the predictions that lie inside, above 0 and below 1
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct PredictionInterval {
  double share = 0;
  Duration predicted, shortest, longest;  ///< of the region if there is one, else of the run
  std::uint32_t runs = 0,
                incomplete = 0;      ///< with other figures, 0 if none has an interval; that did not complete
  std::vector<std::string> figures;  ///< that were drawn: JSON pointers
  /// What makes it wide.
  struct Cause {
    std::string name;    ///< a collective, kMessages, kNoise or kFigures
    double path = 0;     ///< its share of the critical path; 1 for kFigures
    double error = 0;    ///< of its time, as a standard deviation
    Duration deviation;  ///< of the prediction
  };
  std::vector<Cause> causes;  ///< the largest first, without those below a thousandth of the prediction
};
/// Names of causes.
inline constexpr const char* kFigures = "figures";
inline constexpr const char* kNoise = "noise";

/// Three causes together: IntervalOptions::runs runs with figures drawn from their intervals (FigureDraws),
/// in turn on the platform and on its alternatives (alternatives_of); for each call an error that all its
/// calls share (CallMisfits), times its part of the critical path; and the noise of single messages, which
/// averages out over the path. Computation counts as exact. Of `options`, the model, the region, the order of
/// ties and the progress count. Nothing if the run takes no time, does not complete or was interrupted.
/// Errors: bad_option if the platform has no calibration record, or one whose suites name no operation; those
/// of simulate(). The same arguments give the same result, for any number of threads. Cost: twice a run, and
/// IntervalOptions::runs runs.
Expected<std::optional<PredictionInterval>> prediction_interval(const Program& program, Platform platform,
                                                                const Machine& machine,
                                                                const SimulateOptions& options,
                                                                const IntervalOptions& how);

}  // namespace busline
