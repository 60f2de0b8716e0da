#include "validation/calibrate/handshake_order.hpp"

#include "validation/calibrate/better_explanation.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::calibrate {

using enum Mpi::Handshakes;

std::optional<Mpi::Handshakes> measured_handshakes(const std::vector<measure::Suite>& suites,
                                                   const Platform& platform) {
  auto beside = platform, behind = platform;
  beside.mpi.handshakes = beside_data;
  behind.mpi.handshakes = behind_data;
  const auto better = better_explanation(suites, beside, behind, [](const measure::Suite& suite) {
    return suite.operation == kLateExchange && suite.route_class == measure::RouteClass::inter_node;
  });
  if (!better) return std::nullopt;
  return *better == 1 ? behind_data : beside_data;
}

Mpi::Handshakes assumed_handshakes(const Platform& platform) {
  return platform.machines.front().network.latency >= kLatencyOfTcp ? behind_data : beside_data;
}

}  // namespace busline::calibrate
