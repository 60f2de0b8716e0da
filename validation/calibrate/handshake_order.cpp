#include "validation/calibrate/handshake_order.hpp"

#include <cmath>

#include "validation/calibrate/suite_replay.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::calibrate {
namespace {

using enum Mpi::Handshakes;

/// Distances of predicted from measured times, as logarithms: a factor of two is 0.7.
struct Misses {
  double beside = 0, behind = 0;
};

std::optional<Misses> misses(const measure::Suite& suite, const measure::Point& point, Platform platform) {
  const auto miss = [&](Mpi::Handshakes handshakes) -> std::optional<double> {
    platform.mpi.handshakes = handshakes;
    const auto predicted = predicted_result(suite, point, platform);
    if (!predicted || *predicted <= 0) return std::nullopt;
    return std::abs(std::log(*predicted / point.result_ps.value));
  };
  const auto beside = miss(beside_data), behind = miss(behind_data);
  if (!beside || !behind) return std::nullopt;
  return Misses{*beside, *behind};
}

}  // namespace

std::optional<Mpi::Handshakes> measured_handshakes(const std::vector<measure::Suite>& suites,
                                                   const Platform& platform) {
  constexpr double kATenth = 0.1;
  Misses sum;
  std::uint32_t points = 0;
  for (const auto& suite : suites) {
    if (suite.operation != kLateExchange || suite.route_class != measure::RouteClass::inter_node) continue;
    for (const auto& point : suite.points) {
      const auto m = misses(suite, point, platform);
      if (!m) continue;
      sum.beside += m->beside;
      sum.behind += m->behind;
      ++points;
    }
  }
  if (std::abs(sum.beside - sum.behind) <= kATenth * points) return std::nullopt;
  return sum.behind < sum.beside ? behind_data : beside_data;
}

Mpi::Handshakes assumed_handshakes(const Platform& platform) {
  return platform.machines.front().network.latency >= kLatencyOfTcp ? behind_data : beside_data;
}

}  // namespace busline::calibrate
