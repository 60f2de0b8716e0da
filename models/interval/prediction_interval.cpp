#include "models/interval/prediction_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/interval/call_misfits.hpp"
#include "models/interval/run_length.hpp"
#include "models/run/shared_progress.hpp"
#include "models/why/watch_run.hpp"
#include "platforms/alternatives.hpp"
#include "platforms/figure_draws.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/in_parallel.hpp"
#include "sim/base/quantile.hpp"
#include "sim/base/random.hpp"
#include "sim/program/collective.hpp"

namespace busline {
namespace {

using Cause = PredictionInterval::Cause;

/// Draws of the errors beside the runs: enough for steady tails at no cost.
constexpr std::size_t kDraws = 4096;
/// Half the expected range of ten samples of a normal distribution, in standard deviations (L. H. C. Tippett,
/// Biometrika 17 (1925), p. 386): what CalibratedSuite::spread is of.
constexpr double kHalfRange = 1.54;
constexpr double kNegligible = 1e-3;

// A run on a platform; nothing if it does not complete.
Expected<std::optional<double>> length_on(const Program& program, const Expected<Platform>& platform,
                                          const SimulateOptions& options) {
  if (!platform) return tl::unexpected(platform.error());
  const auto machine = place_ranks(*platform, program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  const auto result = simulate(program, *platform, *machine, options);
  if (!result) return tl::unexpected(result.error());
  if (result->status != Result::Status::complete) return std::optional<double>();
  return std::optional(static_cast<double>(length_of(*result).count()));
}

// Calls that communicate, with what they do to the path and how far off they are.
std::vector<Cause> causes_on(const CriticalPath& path, const CallMisfits& misfits) {
  const auto total = static_cast<double>(path.total.count());
  if (total <= 0) return {};
  std::vector<Cause> causes;
  Cause messages{kMessages, 0, misfits.of(kMessages), {}};
  double network = 0;
  for (const auto& call : path.calls) {
    if (call.name.empty()) continue;
    const double share = static_cast<double>(call.total.count()) / total;
    network += share;
    if (find_collective(call.name))
      causes.push_back({call.name, share, misfits.of(call.name), {}});
    else
      messages.path += share;
  }
  causes.push_back(messages);
  const auto parts = static_cast<double>(std::max<std::uint64_t>(path.segments, 1));
  causes.push_back({kNoise, network, misfits.noise() / kHalfRange / std::sqrt(parts), {}});
  return causes;
}

double deviation(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  const auto mean = sum / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// Runs on drawn platforms, by number; those that do not complete are nothing.
using Lengths = std::vector<Expected<std::optional<double>>>;

PredictionInterval combine(const Lengths& lengths, double predicted, std::vector<Cause> causes,
                           const IntervalOptions& how) {
  PredictionInterval interval;
  interval.share = how.share;
  interval.runs = static_cast<std::uint32_t>(lengths.size());
  interval.predicted = Duration::from_double(predicted);
  std::vector<double> drawn;
  for (const auto& length : lengths)
    if (*length) drawn.push_back(**length);
  interval.incomplete = static_cast<std::uint32_t>(lengths.size() - drawn.size());
  if (drawn.empty()) drawn.push_back(predicted);

  std::vector<double> all;
  Random random(how.seed);
  for (std::size_t i = 0; i < kDraws; ++i) {
    double factor = 1;
    for (const auto& c : causes) factor += c.path * c.error * random.normal();
    all.push_back(drawn[i % drawn.size()] * std::max(0.0, factor));
  }
  std::sort(all.begin(), all.end());
  interval.shortest = Duration::from_double(std::min(predicted, quantile(all, (1 - how.share) / 2)));
  interval.longest = Duration::from_double(std::max(predicted, quantile(all, (1 + how.share) / 2)));
  causes.push_back({kFigures, 1, deviation(drawn) / predicted, {}});
  for (auto& c : causes) {
    c.deviation = Duration::from_double(c.path * c.error * predicted);
    if (c.path * c.error >= kNegligible) interval.causes.push_back(std::move(c));
  }
  std::stable_sort(interval.causes.begin(), interval.causes.end(),
                   [](const Cause& a, const Cause& b) { return a.deviation > b.deviation; });
  return interval;
}

}  // namespace

Expected<std::optional<PredictionInterval>> prediction_interval(const Program& program, Platform platform,
                                                                const Machine& machine,
                                                                const SimulateOptions& options,
                                                                const IntervalOptions& how) {
  if (!platform.calibration)
    return refuse_option("--interval",
                         fmt::format("the platform {} has no record of a calibration", platform.name),
                         "'busline calibrate' writes one beside the figures that it measured");
  const auto& suites = platform.calibration->suites;
  if (!suites.empty() &&
      std::all_of(suites.begin(), suites.end(), [](const CalibratedSuite& s) { return s.operation.empty(); }))
    return refuse_option(
        "--interval",
        fmt::format("the calibration of {} does not say which operations its suites measured", platform.name),
        "calibrate it again with this version");
  platform.mapping = mapping_of(machine);
  // Each explanation of the measurements gets equally many runs.
  std::vector<FigureDraws> draws{FigureDraws(platform)};
  for (auto& other : alternatives_of(platform)) draws.emplace_back(std::move(other.platform));
  const std::size_t runs = draws.size() == 1 && draws.front().figures().empty() ? 0 : how.runs;
  ProgressOfRuns progress(options.progress, runs + 1);
  const auto options_of = [&](std::size_t run) {
    SimulateOptions of;
    of.model = options.model;
    of.region = options.region;
    of.tie_seed = options.tie_seed;
    of.progress = [&progress, run](double share) { return progress.set(run, share); };
    return of;
  };
  const auto watched = watch_run(program, platform, machine, options_of(0));
  if (!watched) return tl::unexpected(watched.error());
  if (!watched->path) return std::optional<PredictionInterval>();

  Lengths lengths(runs);
  in_parallel(runs, how.threads, [&](std::size_t i) {
    lengths[i] = length_on(program, draws[i % draws.size()].draw(how.seed + i), options_of(i + 1));
  });
  if (progress.ended()) return std::optional<PredictionInterval>();
  for (const auto& length : lengths)
    if (!length) return tl::unexpected(length.error());
  const auto predicted = static_cast<double>(length_of(watched->result).count());
  if (predicted <= 0) return std::optional<PredictionInterval>();
  auto interval =
      combine(lengths, predicted, causes_on(*watched->path, CallMisfits(*platform.calibration)), how);
  interval.figures = draws.front().figures();
  return std::optional(std::move(interval));
}

}  // namespace busline
