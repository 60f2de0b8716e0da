#include "validation/calibrate/progress.hpp"

#include "validation/calibrate/better_explanation.hpp"
#include "validation/calibrate/handshake_order.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::calibrate {

std::optional<Mpi::Progress> measured_progress(const std::vector<measure::Suite>& suites,
                                               const Platform& platform,
                                               std::optional<CollectivePreset> library) {
  auto always = platform;
  if (library) always.mpi.collectives.preset = library;
  auto in_calls = always;
  always.mpi.progress = Mpi::Progress::asynchronous;
  always.mpi.handshakes = Mpi::Handshakes::beside_data;
  in_calls.mpi.progress = Mpi::Progress::in_calls;
  in_calls.mpi.handshakes = assumed_handshakes(platform);
  const auto better = better_explanation(suites, always, in_calls, [](const measure::Suite& suite) {
    return (suite.operation == kOverlapAllreduce || suite.operation == kOverlapAlltoall) &&
           suite.route_class == measure::RouteClass::inter_node;
  });
  if (!better) return std::nullopt;
  return *better == 1 ? Mpi::Progress::in_calls : Mpi::Progress::asynchronous;
}

}  // namespace busline::calibrate
