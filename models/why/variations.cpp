#include "models/why/variations.hpp"

#include <utility>

#include "models/run/shared_progress.hpp"
#include "sim/base/in_parallel.hpp"
#include "sim/program/jitter.hpp"

namespace busline {
namespace {

/// The same machine with an instant network.
Platform with_instant_network(Platform p) {
  for (auto& m : p.machines) {
    m.network.latency = {};
    m.network.bandwidth = Bandwidth::unlimited();
    m.network.size_classes.clear();
    for (auto& n : m.nodes) {
      n.intra_node.latency = {};
      n.intra_node.bandwidth = Bandwidth::unlimited();
      n.intra_node.handshake.reset();
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
  p.mpi.progress = Mpi::Progress::asynchronous;
  p.mpi.local_call = {};
  return p;
}

Platform varied(Platform platform, const Variation& v) {
  if (v.instant_network) platform = with_instant_network(std::move(platform));
  for (auto& m : platform.machines) {
    auto& n = m.network;
    n.latency = Duration::from_double(static_cast<double>(n.latency.count()) * v.latency) + v.more_latency;
    if (!n.bandwidth.is_unlimited())
      n.bandwidth = Bandwidth::bytes_per_second(n.bandwidth.in_bytes_per_second() * v.bandwidth);
  }
  return platform;
}

Expected<std::optional<Time>> run_varied(const Program& program, const Platform& platform, Machine machine,
                                         SimulateOptions options, const Variation& v) {
  for (auto& n : machine.nodes) n.speed *= v.cpu_speed;
  options.tie_seed = v.tie_seed;
  if (v.instant_network) options.model = "ideal";
  const auto result = simulate(v.jitter > 0 ? with_jitter(program, v.jitter, v.jitter_seed) : program,
                               varied(platform, v), machine, options);
  if (!result) return tl::unexpected(result.error());
  if (result->status != Result::Status::complete) return std::optional<Time>();
  return std::optional<Time>(result->run_time);
}

}  // namespace

Expected<std::optional<std::vector<std::optional<Time>>>> run_variations(
    const Program& program, const Platform& platform, const Machine& machine, const SimulateOptions& options,
    std::span<const Variation> variations, unsigned threads) {
  std::vector<Expected<std::optional<Time>>> runs(variations.size());
  ProgressOfRuns progress(options.progress, variations.size());
  in_parallel(variations.size(), threads, [&](std::size_t i) {
    if (!progress.set(i, 0)) return;
    SimulateOptions of_run;
    of_run.model = options.model;
    of_run.progress = [&progress, i](double share) { return progress.set(i, share); };
    runs[i] = run_varied(program, platform, machine, std::move(of_run), variations[i]);
    progress.set(i, 1);
  });
  std::vector<std::optional<Time>> times;
  for (auto& run : runs) {
    if (!run) return tl::unexpected(std::move(run.error()));
    times.push_back(*run);
  }
  if (progress.ended()) return std::optional<std::vector<std::optional<Time>>>();
  return std::optional(std::move(times));
}

}  // namespace busline
