// The calibration set on a simulated machine: each suite shows the figure of the machine that it is for.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "measuring/standard_set/standard_set.hpp"
#include "validation/simulated/simulated_testbed.hpp"
#include "validation/simulated/textbook.hpp"

namespace {

using namespace busline;
using namespace busline::measure;
using textbook::kLatency;
using textbook::kMemoryLatency;

// 8 nodes of 4 CPUs; 1 link, 3 buses, 1 memory bus; rendezvous from 64 KiB.
Measurement measured_textbook() {
  auto platform = textbook::machine(8, 4);
  textbook::network_of(platform).buses = 3;
  platform.machines.front().nodes.front().links = {Links::Kind::full_duplex, 1, 1};
  platform.mpi.rendezvous_from = Bytes{1U << 16U};
  platform.mpi.send_completes = Mpi::SendCompletes::transfer;
  auto testbed = SimulatedTestbed::create(platform, 32);
  REQUIRE(testbed);
  const auto set = calibration_set(**testbed, {});
  CHECK(set.left_out.empty());
  auto measured = measure_suites(**testbed, set.suites);
  CHECK(measured.failed.empty());
  auto m = measurement_on(**testbed);
  m.suites = std::move(measured.suites);
  return m;
}

double result(const Measurement& m, const std::string& suite, std::uint64_t argument) {
  const auto s =
      std::find_if(m.suites.begin(), m.suites.end(), [&](const Suite& x) { return x.name == suite; });
  REQUIRE_MESSAGE(s != m.suites.end(), suite);
  const auto p = std::find_if(s->points.begin(), s->points.end(),
                              [&](const Point& x) { return x.argument == argument; });
  REQUIRE(p != s->points.end());
  return p->result_ps.value;
}

}  // namespace

TEST_CASE("the calibration set shows latencies, bandwidth, the eager limit, links and buses") {
  const auto m = measured_textbook();
  const auto ps = [](Duration d) { return static_cast<double>(d.count()); };
  CHECK(result(m, "pingpong-inter", 0) == ps(kLatency));
  CHECK(result(m, "pingpong-intra", 0) == ps(kMemoryLatency));
  CHECK(result(m, "pingpong-inter", 4U << 20U) == ps(kLatency + textbook::network(4U << 20U)));
  // A window's messages follow one another on the link.
  CHECK(result(m, "bandwidth-inter", 1U << 20U) ==
        doctest::Approx(ps(textbook::network(1U << 20U))).epsilon(0.01));
  // Sends of the limit and more take as long as their transfer.
  CHECK(result(m, "send-inter", 1U << 15U) == ps(kLatency));
  CHECK(result(m, "send-inter", 1U << 16U) > ps(kLatency) + 0.9 * ps(textbook::network(1U << 16U)));
  // One link: k flows of a node take k times as long.
  const auto wire = ps(textbook::network(measure::CalibrationOptions().concurrent));
  for (const unsigned k : {1U, 2U, 4U})
    CHECK(result(m, "flows-of-a-node", k) == doctest::Approx(k * wire).epsilon(0.01));
  // Three buses: from two pairs on, with both directions at once, each transfer waits for a bus.
  for (const unsigned pairs : {1U, 2U, 4U})
    CHECK(result(m, "pairs-of-nodes", pairs) ==
          doctest::Approx(std::max(1.0, 2.0 * pairs / 3) * wire).epsilon(0.05));
  CHECK(result(m, "work", 0) == 1e9);
}

TEST_CASE("the calibration set shows what a receive costs, and what a new communicator does") {
  auto platform = textbook::machine(4);
  auto& nodes = platform.machines.front().nodes.front();
  nodes.overheads = {us(3), us(2)};
  platform.machines.front().network.latency_at = Network::LatencyAt::flight;
  platform.mpi.collectives.by_kind[static_cast<std::size_t>(CollectiveKind::comm_dup)] = {
      {.from = {}, .cost = {}, .algorithm = Algorithm::context_id}};
  auto testbed = SimulatedTestbed::create(platform, 4);
  REQUIRE(testbed);
  auto set = calibration_set(**testbed, {});
  std::erase_if(set.suites, [](const SuitePlan& p) {
    return p.name != "recv-inter" && p.name != "MPI_Comm_dup-ranks" && p.name != "MPI_Barrier-ranks";
  });
  CHECK(set.suites.size() == 3);
  const auto measured = measure_suites(**testbed, set.suites);
  CHECK(measured.failed.empty());
  Measurement m;
  m.suites = measured.suites;
  // Less than a send, which hides it in every ping-pong and window.
  for (const std::uint64_t bytes : {0U, 1024U, 65536U})
    CHECK(result(m, "recv-inter", bytes) == doctest::Approx(2e6).epsilon(1e-6));
  // Six trips up or down a tree of two levels.
  CHECK(result(m, "MPI_Comm_dup-ranks", 4) > 12 * static_cast<double>(kLatency.count()));
  CHECK(result(m, "MPI_Barrier-ranks", 4) < result(m, "MPI_Comm_dup-ranks", 4) / 2);
}
