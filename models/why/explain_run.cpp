#include "models/why/explain_run.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "models/ideal/order_free.hpp"
#include "models/why/variations.hpp"
#include "models/why/watch_run.hpp"
#include "sim/base/random.hpp"

namespace busline {
namespace {

Time later(Time t, double ps) {
  return t + Duration::from_double(ps);
}

/// A change that is large enough to alter the order of events where it matters.
struct LargeChange {
  std::string name;
  Variation variation;
  double by_slope;  // ps
};

/// Doubles latency, 1 / bandwidth and 1 / speed.
std::vector<LargeChange> large_changes(const Platform& platform, const Slope& slope) {
  std::vector<LargeChange> changes;
  const auto& network = platform.machines.front().network;
  const bool has_latency = network.latency > Duration();
  const auto more = has_latency ? network.latency : Duration::picoseconds(1'000'000);
  changes.push_back({has_latency ? "twice the latency" : "1 us of latency",
                     {.more_latency = more},
                     slope.latency * static_cast<double>(more.count())});
  if (!network.topology && !network.bandwidth.is_unlimited())
    changes.push_back({"half the bandwidth", {.bandwidth = 0.5}, slope.transfer});
  changes.push_back({"half the CPU speed", {.cpu_speed = 0.5}, slope.compute});
  return changes;
}

std::optional<PopEfficiency> pop_efficiency(const Result& result, Time instant_network) {
  double sum = 0, most = 0;
  for (const auto& r : result.ranks) {
    const auto compute = static_cast<double>(r.times.compute.count());
    sum += compute;
    most = std::max(most, compute);
  }
  const auto instant = static_cast<double>(instant_network.count());
  if (most <= 0 || instant <= 0) return std::nullopt;
  PopEfficiency e;
  e.load_balance = sum / static_cast<double>(result.ranks.size()) / most;
  e.serialisation = most / instant;
  e.transfer = instant / static_cast<double>(result.run_time.count());
  e.instant_network = instant_network;
  return e;
}

std::vector<Variation> resolution_runs(std::uint32_t runs) {
  std::vector<Variation> all;
  for (std::uint32_t i = 1; i <= runs; ++i) {
    constexpr double kLeast = 0.001, kRange = 10;  // 0.1 to 1 %
    const auto jitter = kLeast * std::pow(kRange, Random(i).unit());
    all.push_back({.more_latency = Duration::picoseconds(std::int64_t{i} * 1000),
                   .jitter = jitter,
                   .jitter_seed = i,
                   .tie_seed = i});
  }
  return all;
}

/// Nothing if one of the runs did not complete.
std::optional<Resolution> resolution_of(std::span<const Variation> variations,
                                        std::span<const std::optional<Time>> run_times, Time run_time,
                                        const Slope& slope) {
  Resolution r{static_cast<std::uint32_t>(variations.size()), run_time, run_time};
  for (std::size_t i = 0; i < variations.size(); ++i) {
    if (!run_times[i]) return std::nullopt;
    const auto more = static_cast<double>(variations[i].more_latency.count());
    const auto expected = later(*run_times[i], -slope.latency * more);
    r.shortest = std::min(r.shortest, expected);
    r.longest = std::max(r.longest, expected);
  }
  return r;
}

}  // namespace

Expected<ExplainedRun> explain_run(const Program& program, const Platform& platform, const Machine& machine,
                                   const SimulateOptions& options, const WhyOptions& how) {
  auto watched = watch_run(program, platform, machine, options, how.most);
  if (!watched) return tl::unexpected(std::move(watched.error()));
  ExplainedRun run{std::move(watched->result), std::nullopt};
  if (!watched->path) return run;

  Why why;
  why.path = *std::move(watched->path);
  why.slope = watched->slope;
  why.exact = options.model == "ideal" && order_free(program, machine, platform);
  const auto run_time = run.result.run_time;
  const auto changes = large_changes(platform, why.slope);
  const auto resolution = resolution_runs(how.resolution);
  auto variations = advice_variations(platform);
  const auto for_advice = variations.size();
  for (const auto& c : changes) variations.push_back(c.variation);
  variations.push_back({.instant_network = true});
  why.runs = static_cast<std::uint32_t>(1 + variations.size());
  variations.insert(variations.end(), resolution.begin(), resolution.end());
  const auto made = run_variations(program, platform, machine, options, variations, how.threads);
  if (!made) return tl::unexpected(made.error());
  if (!*made) return run;

  const std::span<const std::optional<Time>> times(**made);
  why.advice = advice_of(platform, run_time, why.slope, times.first(for_advice));
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (const auto& simulated = times[for_advice + i])
      why.steps.push_back({changes[i].name, later(run_time, changes[i].by_slope), *simulated});
  if (const auto& instant = times[for_advice + changes.size()])
    why.efficiency = pop_efficiency(run.result, *instant);
  if (how.resolution > 0)
    why.resolution = resolution_of(resolution, times.last(how.resolution), run_time, why.slope);
  run.why = std::move(why);
  return run;
}

}  // namespace busline
