#include "studies/study/put_why.hpp"

#include <cstddef>
#include <optional>

#include "sim/base/units.hpp"

namespace busline {
namespace {

Outcome::Figure Outcome::*figure_of(PathCause cause) {
  if (cause == queue_cause(ResourceKind::link_out)) return &Outcome::path_wait_out_link_ps;
  if (cause == queue_cause(ResourceKind::link_in)) return &Outcome::path_wait_in_link_ps;
  if (cause == queue_cause(ResourceKind::bus)) return &Outcome::path_wait_bus_ps;
  switch (cause) {
    case PathCause::compute:
      return &Outcome::path_compute_ps;
    case PathCause::transfer:
    case PathCause::memory:
    case PathCause::wan:
    case PathCause::sharing:
      return &Outcome::path_transfer_ps;
    case PathCause::overhead:
    case PathCause::handshake:
    case PathCause::flight:
      return &Outcome::path_latency_ps;
    case PathCause::collective:
      return &Outcome::path_collective_ps;
    default:  // CPUs and the other queues
      return &Outcome::path_other_ps;
  }
}

std::int64_t rounded(double value) {
  return Duration::from_double(value).count();  // the one place that rounds, and stays in range
}

/// In bytes per second.
std::optional<double> common_bandwidth(const Platform& platform) {
  std::optional<double> common;
  for (const auto& m : platform.machines) {
    if (m.network.topology || m.network.bandwidth.is_unlimited()) return std::nullopt;
    const auto here = m.network.bandwidth.in_bytes_per_second();
    if (common.value_or(here) != here) return std::nullopt;
    common = here;
  }
  return common;
}

}  // namespace

void put_why(const CriticalPath& path, const Slope& slope, const Platform& platform, Outcome& outcome) {
  for (const auto& part : kPathParts) outcome.*part.figure = 0;
  for (std::size_t i = 0; i < path.parts.size(); ++i)
    *(outcome.*figure_of(static_cast<PathCause>(i))) += path.parts[i].count();
  outcome.slope_latency = rounded(slope.latency);
  outcome.slope_cpu_ps = rounded(slope.compute);
  // T grows by slope.transfer where the time of a byte, 1 / bandwidth, grows by itself.
  if (const auto bandwidth = common_bandwidth(platform))
    outcome.slope_byte_time = rounded(slope.transfer * 1e-12 * *bandwidth);
}

}  // namespace busline
