#include "validation/calibrate/progress.hpp"

#include <doctest/doctest.h>

#include "measuring/standard_set/standard_set.hpp"
#include "sim/base/durations.hpp"
#include "validation/simulated/simulated_testbed.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/kernels/operations.hpp"

using namespace busline;
using namespace busline::calibrate;

namespace {

constexpr auto kLibrary = CollectivePreset::open_mpi;

/// A latency that is a good part of the 1 ms of work beside a round, and shorter.
Platform slow_network(Mpi::Progress progress, std::uint32_t cpus, bool rendezvous) {
  auto p = textbook::machine(2);
  p.machines.front().nodes.front().cpus = cpus;
  p.mapping.kind = Mapping::Kind::round_robin;
  p.machines.front().network.latency = us(400);
  p.machines.front().network.latency_at = Network::LatencyAt::flight;
  if (rendezvous) {
    p.mpi.rendezvous_from = Bytes{1U << 16U};
    p.mpi.handshake = us(200);
  }
  p.mpi.progress = progress;
  if (progress == Mpi::Progress::in_calls) p.mpi.handshakes = Mpi::Handshakes::behind_data;
  p.mpi.collectives.preset = kLibrary;
  return p;
}

std::vector<measure::Suite> overlaps(const Platform& platform) {
  auto testbed = SimulatedTestbed::create(platform, 2);
  REQUIRE(testbed);
  measure::CalibrationOptions options;
  options.largest = 1U << 18U;
  auto set = measure::calibration_set(**testbed, options);
  std::erase_if(set.suites, [](const measure::SuitePlan& p) { return !p.name.starts_with("overlap-"); });
  REQUIRE(set.suites.size() == 2);
  auto suites = measure::measure_suites(**testbed, set.suites).suites;
  for (auto& s : suites) s.nodes = {0, 1};
  return suites;
}

}  // namespace

TEST_CASE("collectives beside work show whether anything moves while ranks compute") {
  for (const auto progress : {Mpi::Progress::asynchronous, Mpi::Progress::in_calls})
    for (const bool rendezvous : {false, true}) {
      const auto suites = overlaps(slow_network(progress, 2, rendezvous));
      for (const auto assumed : {Mpi::Progress::asynchronous, Mpi::Progress::in_calls})
        CHECK(measured_progress(suites, slow_network(assumed, 2, rendezvous), kLibrary) == progress);
    }
}

TEST_CASE("with one CPU a node only handshakes show it") {
  for (const auto progress : {Mpi::Progress::asynchronous, Mpi::Progress::in_calls}) {
    const auto eager = slow_network(progress, 1, false), rendezvous = slow_network(progress, 1, true);
    CHECK_FALSE(measured_progress(overlaps(eager), eager, kLibrary));
    CHECK(measured_progress(overlaps(rendezvous), rendezvous, kLibrary) == progress);
  }
  CHECK_FALSE(measured_progress({}, slow_network(Mpi::Progress::in_calls, 2, true), kLibrary));
}
