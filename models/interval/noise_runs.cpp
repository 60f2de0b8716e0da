#include "models/interval/noise_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "models/interval/run_length.hpp"
#include "models/run/shared_progress.hpp"
#include "sim/base/in_parallel.hpp"
#include "sim/base/quantile.hpp"
#include "sim/base/random.hpp"

namespace busline {
namespace {

struct KindOfNoise {
  const char* pointer;
  Spread& (*of)(Noise&);
};
constexpr std::array<KindOfNoise, 5> kKindsOfNoise{{
    {"/noise/compute/nodes", [](Noise& n) -> Spread& { return n.compute.nodes; }},
    {"/noise/compute/ranks", [](Noise& n) -> Spread& { return n.compute.ranks; }},
    {"/noise/compute/bursts", [](Noise& n) -> Spread& { return n.compute.bursts; }},
    {"/noise/latency", [](Noise& n) -> Spread& { return n.latency; }},
    {"/noise/bandwidth", [](Noise& n) -> Spread& { return n.bandwidth; }},
}};

// The platform with each kind of its noise alone.
std::vector<std::pair<const char*, Platform>> alone(const Platform& platform) {
  std::vector<std::pair<const char*, Platform>> all;
  for (const auto& kind : kKindsOfNoise) {
    auto noise = platform.noise;
    if (kind.of(noise).none()) continue;
    auto& only = all.emplace_back(kind.pointer, platform).second.noise;
    only = {};
    kind.of(only) = kind.of(noise);
  }
  return all;
}

NoiseSpread spread_of(std::vector<double> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  const auto at = [&](double p) { return Duration::from_double(quantile(times, p)); };
  return {at(0.05), at(0.5), at(0.95),
          std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size())};
}

}  // namespace

Expected<std::optional<NoiseRuns>> noise_runs(const Program& program, const Platform& platform,
                                              const Machine& machine, const SimulateOptions& options,
                                              const NoiseRunsOptions& how) {
  if (platform.noise.none())
    return refuse_option("--runs", fmt::format("the platform {} has no noise", platform.name),
                         "describe some, such as --set /noise/compute/bursts=0.05");
  auto kinds = alone(platform);
  if (!how.kinds || kinds.size() == 1) kinds.clear();
  const std::size_t runs = how.runs * (1 + kinds.size());
  ProgressOfRuns progress(options.progress, runs + 1);
  std::vector<std::uint64_t> seeds(how.runs);
  Random random(how.seed);
  for (auto& seed : seeds) seed = random.next() | 1U;  // not 0, which is quiet
  // The quiet run is the last one.
  std::vector<Expected<std::optional<Duration>>> times(runs + 1, std::optional<Duration>());
  in_parallel(runs + 1, how.threads, [&](std::size_t i) {
    SimulateOptions mine;
    mine.model = options.model;
    mine.region = options.region;
    mine.tie_seed = options.tie_seed;
    mine.noise_seed = i == runs ? 0 : seeds[i % how.runs];
    mine.progress = [&progress, i](double share) { return progress.set(i, share); };
    const auto& on = i < how.runs || i == runs ? platform : kinds[i / how.runs - 1].second;
    times[i] = simulate(program, on, machine, mine).map([](const Result& result) {
      return result.status == Result::Status::complete ? std::optional(length_of(result)) : std::nullopt;
    });
  });
  for (const auto& time : times)
    if (!time) return tl::unexpected(time.error());
  if (progress.ended() || !*times.back()) return std::optional<NoiseRuns>();
  const auto spread = [&](std::size_t set) {
    std::vector<double> complete;
    for (std::size_t i = set * how.runs; i < (set + 1) * how.runs; ++i)
      if (*times[i]) complete.push_back(static_cast<double>((*times[i])->count()));
    return std::pair(how.runs - complete.size(), spread_of(complete));
  };
  NoiseRuns made{.runs = how.runs, .seed = how.seed, .quiet = **times.back()};
  const auto [incomplete, all] = spread(0);
  made.incomplete = static_cast<std::uint32_t>(incomplete);
  made.all = all;
  for (std::size_t k = 0; k < kinds.size(); ++k) made.kinds.push_back({kinds[k].first, spread(k + 1).second});
  return std::optional(std::move(made));
}

}  // namespace busline
