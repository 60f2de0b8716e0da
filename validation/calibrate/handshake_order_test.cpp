#include "validation/calibrate/handshake_order.hpp"

#include <doctest/doctest.h>

#include "measuring/standard_set/standard_set.hpp"
#include "validation/simulated/simulated_testbed.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/kernels/operations.hpp"

using namespace busline;
using namespace busline::calibrate;

namespace {

Platform over_tcp(Mpi::Handshakes handshakes) {
  auto p = textbook::machine(2);
  p.machines.front().nodes.front().links = textbook::full_duplex(1);
  p.machines.front().network.latency_at = Network::LatencyAt::flight;
  p.mpi.rendezvous_from = Bytes{1U << 16U};
  p.mpi.handshake = textbook::kLatency * 2;
  p.mpi.progress = Mpi::Progress::in_calls;
  p.mpi.handshakes = handshakes;
  return p;
}

std::vector<measure::Suite> late_exchanges(const Platform& platform) {
  auto testbed = SimulatedTestbed::create(platform, 2);
  REQUIRE(testbed);
  auto set = measure::calibration_set(**testbed, {});
  std::erase_if(set.suites, [](const measure::SuitePlan& p) { return p.name != kLateExchange; });
  REQUIRE(set.suites.size() == 1);
  auto suites = measure::measure_suites(**testbed, set.suites).suites;
  suites.front().nodes = {0, 1};
  return suites;
}

}  // namespace

TEST_CASE("late exchanges show whether handshakes wait for data") {
  for (const auto handshakes : {Mpi::Handshakes::beside_data, Mpi::Handshakes::behind_data}) {
    const auto suites = late_exchanges(over_tcp(handshakes));
    CHECK(suites.front().points.size() == 4);
    for (const auto assumed : {Mpi::Handshakes::beside_data, Mpi::Handshakes::behind_data})
      CHECK(measured_handshakes(suites, over_tcp(assumed)) == handshakes);
  }
}

TEST_CASE("late exchanges show nothing where both directions share a link, or messages are eager") {
  auto half_duplex = over_tcp(Mpi::Handshakes::behind_data);
  half_duplex.machines.front().nodes.front().links = {Links::Kind::half_duplex, 1, 1};
  CHECK_FALSE(measured_handshakes(late_exchanges(half_duplex), half_duplex));
  auto eager = over_tcp(Mpi::Handshakes::behind_data);
  eager.mpi.rendezvous_from.reset();
  CHECK_FALSE(measured_handshakes(late_exchanges(eager), eager));
  CHECK_FALSE(measured_handshakes({}, eager));
}

TEST_CASE("a latency of 10 us or more is taken for TCP's") {
  auto p = over_tcp(Mpi::Handshakes::beside_data);
  p.machines.front().network.latency = Duration::seconds(2e-6);
  CHECK(assumed_handshakes(p) == Mpi::Handshakes::beside_data);
  p.machines.front().network.latency = Duration::seconds(15e-6);
  CHECK(assumed_handshakes(p) == Mpi::Handshakes::behind_data);
}
