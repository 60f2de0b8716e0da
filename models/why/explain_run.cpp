#include "models/why/explain_run.hpp"

#include <algorithm>
#include <utility>

#include "models/ideal/order_free.hpp"
#include "models/why/watch_run.hpp"

namespace busline {
namespace {

/// Runs again with one change. Nothing if that run did not complete.
class Again {
 public:
  Again(const Program& program, const Machine& machine, const SimulateOptions& options)
      : program_(program), machine_(machine) {
    plain_.model = options.model;
    plain_.progress = options.progress;
  }
  Expected<std::optional<Time>> run(const Platform& platform) const {
    return run(platform, machine_, plain_);
  }
  Expected<std::optional<Time>> run(const Platform& platform, const Machine& machine) const {
    return run(platform, machine, plain_);
  }
  Expected<std::optional<Time>> run_with_ties(const Platform& platform, std::uint64_t seed) const {
    auto seeded = plain_;
    seeded.tie_seed = seed;
    return run(platform, machine_, seeded);
  }
  Expected<std::optional<Time>> run_ideal(const Platform& platform) const {
    auto ideal = plain_;
    ideal.model = "ideal";
    return run(platform, machine_, ideal);
  }

 private:
  Expected<std::optional<Time>> run(const Platform& platform, const Machine& machine,
                                    const SimulateOptions& options) const {
    const auto result = simulate(program_, platform, machine, options);
    if (!result) return tl::unexpected(result.error());
    if (result->status != Result::Status::complete) return std::optional<Time>();
    return std::optional<Time>(result->run_time);
  }

  const Program& program_;
  const Machine& machine_;
  SimulateOptions plain_;
};

Platform with_more_latency(Platform platform, Duration more) {
  for (auto& m : platform.machines) m.network.latency += more;
  return platform;
}

Time later(Time t, double ps) {
  return t + Duration::from_double(ps);
}

/// Doubles latency, 1 / bandwidth and 1 / speed: enough to change the order of events where it matters.
Expected<std::vector<LargeStep>> large_steps(const Again& again, const Platform& platform,
                                             const Machine& machine, Time run_time, const Slope& slope) {
  std::vector<LargeStep> steps;
  const auto add = [&](std::string change, double ps, const Expected<std::optional<Time>>& simulated) {
    if (simulated && *simulated) steps.push_back({std::move(change), later(run_time, ps), **simulated});
    return simulated.has_value();
  };
  const auto& network = platform.machines.front().network;
  const bool has_latency = network.latency > Duration();
  const auto more = has_latency ? network.latency : Duration::picoseconds(1'000'000);
  const auto slower_latency = again.run(with_more_latency(platform, more));
  if (!add(has_latency ? "twice the latency" : "1 us of latency",
           slope.latency * static_cast<double>(more.count()), slower_latency))
    return tl::unexpected(slower_latency.error());
  if (!network.topology && !network.bandwidth.is_unlimited()) {
    auto slow = platform;
    for (auto& m : slow.machines)
      m.network.bandwidth = Bandwidth::bytes_per_second(m.network.bandwidth.in_bytes_per_second() / 2);
    const auto simulated = again.run(slow);
    if (!add("half the bandwidth", slope.transfer, simulated)) return tl::unexpected(simulated.error());
  }
  auto slow = machine;
  for (auto& n : slow.nodes) n.speed /= 2;
  const auto simulated = again.run(platform, slow);
  if (!add("half the CPU speed", slope.compute, simulated)) return tl::unexpected(simulated.error());
  return steps;
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

Expected<std::optional<Resolution>> resolution(const Again& again, const Platform& platform, Time run_time,
                                               const Slope& slope, std::uint32_t runs) {
  Resolution r{runs, run_time, run_time};
  for (std::uint32_t i = 1; i <= runs; ++i) {
    const auto more = Duration::picoseconds(std::int64_t{i} * 1000);
    const auto simulated = again.run_with_ties(with_more_latency(platform, more), i);
    if (!simulated) return tl::unexpected(simulated.error());
    if (!*simulated) return std::optional<Resolution>();
    const auto expected = later(**simulated, -slope.latency * static_cast<double>(more.count()));
    r.shortest = std::min(r.shortest, expected);
    r.longest = std::max(r.longest, expected);
  }
  return std::optional<Resolution>(r);
}

}  // namespace

Platform with_instant_network(Platform p) {
  for (auto& m : p.machines) {
    m.network.latency = {};
    m.network.bandwidth = Bandwidth::unlimited();
    m.network.size_classes.clear();
    for (auto& n : m.nodes) {
      n.intra_node.latency = {};
      n.intra_node.bandwidth = Bandwidth::unlimited();
      n.self.reset();
      n.overheads = {};
      n.latency.reset();
      n.wan_latency.reset();
    }
  }
  p.wan.latency = {};
  p.wan.bandwidth = Bandwidth::unlimited();
  p.wan.flight.clear();
  for (auto& d : p.dedicated_connections) {
    d.latency = {};
    d.bandwidth = Bandwidth::unlimited();
    d.flight = {};
  }
  p.mpi.handshake = {};
  p.mpi.ssend_handshake.reset();
  p.mpi.local_call = {};
  return p;
}

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
  const Again again(program, machine, options);
  const auto run_time = run.result.run_time;
  auto steps = large_steps(again, platform, machine, run_time, why.slope);
  if (!steps) return tl::unexpected(std::move(steps.error()));
  why.steps = std::move(*steps);
  const auto instant = again.run_ideal(with_instant_network(platform));
  if (!instant) return tl::unexpected(instant.error());
  if (!*instant) return run;
  why.efficiency = pop_efficiency(run.result, **instant);
  if (how.resolution > 0) {
    auto spread = resolution(again, platform, run_time, why.slope, how.resolution);
    if (!spread) return tl::unexpected(std::move(spread.error()));
    if (!*spread) return run;
    why.resolution = *spread;
  }
  run.why = std::move(why);
  return run;
}

}  // namespace busline
