#include "validation/calibrate/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/random.hpp"

namespace busline::calibrate {
namespace {

using measure::Measurement;
using measure::Suite;

constexpr double kLongest = 9.2e18;  // picoseconds that a Duration holds

tl::unexpected<Error> wrong(std::string where, std::string message, std::string hint = {}) {
  Error e;
  e.where = std::move(where);
  e.message = std::move(message);
  e.hint = std::move(hint);
  return tl::unexpected(std::move(e));
}

Expected<void> check_points(const Suite& suite) {
  if (suite.points.empty()) return wrong("suite " + suite.name, "has no points");
  for (const auto& p : suite.points) {
    const double ps = p.result_ps.value;
    if (std::isfinite(ps) && ps >= 0 && ps < kLongest && std::isfinite(p.result_ps.standard_error)) continue;
    return wrong(
        "suite " + suite.name,
        fmt::format("at {}: a result of {} ps is not a time, expected a number of 0 or more", p.argument, ps),
        "leave the point out, or measure again");
  }
  return {};
}

Expected<void> check_same_machine(const Measurement& first, const Measurement& other) {
  constexpr auto kHint = "calibrate each machine separately";
  if (other.machine.name != first.machine.name)
    return wrong(
        "measurements",
        fmt::format("are from different machines, '{}' and '{}'", first.machine.name, other.machine.name),
        kHint);
  if (other.testbed != first.testbed)
    return wrong("measurements", "are from a simulated machine and a real one", kHint);
  const auto a = first.machine.cpus_per_node, b = other.machine.cpus_per_node;
  if (a != 0 && b != 0 && a != b)
    return wrong("measurements",
                 fmt::format("are from machines of the same name with {} and {} CPUs per node", a, b), kHint);
  return {};
}

// As large as the job was, where the machine does not say.
void count_nodes(const Measurement& m, Inputs& inputs) {
  std::uint32_t nodes = static_cast<std::uint32_t>(m.machine.nodes.size()), most = 1;
  for (const auto& suite : m.suites) {
    std::map<std::uint32_t, std::uint32_t> ranks_on;
    for (const auto node : suite.nodes) most = std::max(most, ++ranks_on[node]);
    nodes = std::max(nodes, static_cast<std::uint32_t>(ranks_on.size()));
  }
  inputs.nodes = std::max(inputs.nodes, nodes);
  inputs.cpus_per_node = std::max({inputs.cpus_per_node, m.machine.cpus_per_node, most});
}

void hold_out(Inputs& inputs, double share, std::uint64_t seed) {
  Random random(seed);
  for (auto& suite : inputs.suites) {
    Suite others = suite;
    others.points.clear();
    std::vector<measure::Point> kept;
    for (std::size_t i = 0; i < suite.points.size(); ++i) {
      constexpr std::uint32_t kParts = 1'000'000;
      const bool inside = i > 0 && i + 1 < suite.points.size();
      const bool out = inside && random.below(kParts) < share * kParts;
      (out ? others.points : kept).push_back(std::move(suite.points[i]));
    }
    suite.points = std::move(kept);
    if (!others.points.empty()) inputs.held_out.push_back(std::move(others));
  }
}

}  // namespace

Expected<Inputs> gather_inputs(const std::vector<Measurement>& measurements, double share,
                               std::uint64_t seed) {
  if (measurements.empty()) return wrong("measurements", "are missing, expected one or more");
  Inputs inputs;
  inputs.machine = measurements.front().machine.name;
  inputs.testbed = measurements.front().testbed;
  for (const auto& m : measurements) {
    if (auto same = check_same_machine(measurements.front(), m); !same)
      return tl::unexpected(std::move(same.error()));
    for (const auto& suite : m.suites) {
      if (auto good = check_points(suite); !good) return tl::unexpected(std::move(good.error()));
      inputs.suites.push_back(suite);
    }
    count_nodes(m, inputs);
    if (inputs.mpi.empty()) inputs.mpi = m.machine.mpi;
  }
  if (share > 0) hold_out(inputs, share, seed);
  return inputs;
}

}  // namespace busline::calibrate
