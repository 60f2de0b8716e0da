// A known machine, measured as SimGrid's platform calibration does: its files are made here, with noise, and
// the calibrated platform must be that machine.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "measuring/import/smpi_results.hpp"
#include "sim/base/random.hpp"
#include "validation/calibrate/calibration.hpp"
#include "validation/calibrate/suite_replay.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

constexpr std::uint64_t kEagerBelow = 131072;
constexpr Duration kSendCall = us(2), kReceiveCall = us(3);
constexpr int kCallsOfASize = 20;

// Half a round trip of 14 us for small messages, 60 us and 1 GB/s from 2 KiB, 500 MB/s from 256 KiB.
Platform machine_of_classes() {
  auto p = textbook::machine(16);
  auto& network = textbook::network_of(p);
  network.latency_at = Network::LatencyAt::flight;
  network.sharing = Network::Sharing::queues;
  network.latency = us(12);
  network.bandwidth = Bandwidth::bytes_per_second(5e8);
  network.size_classes = {{Bytes{0}, 1, 0.5}, {Bytes{2048}, 58.0 / 12, 2}, {Bytes{262144}, 58.0 / 12, 1}};
  auto& nodes = p.machines.front().nodes.front();
  nodes.links = textbook::full_duplex(1);
  nodes.overheads.send = kSendCall;
  nodes.overheads.receive = kReceiveCall;
  p.mpi.rendezvous_from = Bytes{kEagerBelow};
  p.mpi.handshake = us(30);
  return p;
}

// 10 % up or down, and one call in 30 takes three times as long.
double noisy(double ps, Random& random) {
  const double share = random.below(2001) / 1000.0 - 1;
  return ps * (1 + 0.1 * share) * (random.one_in(30) ? 3 : 1);
}

std::vector<std::uint64_t> sizes_of_files() {
  std::vector<std::uint64_t> sizes;
  for (double bytes = 1; bytes < 1e6; bytes *= 1.15)
    if (const auto whole = static_cast<std::uint64_t>(bytes); sizes.empty() || whole > sizes.back())
      sizes.push_back(whole);
  return sizes;
}

std::string call_row(std::string_view operation, std::uint64_t bytes, double ps) {
  return fmt::format("{},{},0.5,{:e}\n", operation, bytes, ps * 1e-12);
}

// The send's call, and the rest of a round trip.
std::string pingpong_file(const Platform& machine, Random& random) {
  Suite s;
  s.operation = "MPI_Send-MPI_Recv";
  s.time = TimeOf::round_trip;
  s.ranks = s.nodes = {0, 1};
  std::string text;
  for (const auto bytes : sizes_of_files()) {
    Point p;
    p.argument = bytes;
    const double trip = *calibrate::predicted_result(s, p, machine);
    for (int i = 0; i < kCallsOfASize; ++i) {
      const double whole = noisy(trip, random);
      const double call =
          noisy(static_cast<double>(kSendCall.count()) * (bytes < kEagerBelow ? 1 : 50), random);
      text += call_row("MPI_Send", bytes, call) + call_row("MPI_Recv", bytes, whole - call);
    }
  }
  return text;
}

std::string calls_file(std::string_view operation, Duration call, Random& random) {
  std::string text;
  for (const auto bytes : sizes_of_files())
    for (int i = 0; i < kCallsOfASize; ++i) {
      // Rendezvous receives wait for the data.
      const double wait =
          bytes < kEagerBelow || operation == "MPI_Isend" ? 0 : 2e3 * static_cast<double>(bytes);
      text += call_row(
          operation, bytes,
          noisy(static_cast<double>(call.count()) + 0.1 * static_cast<double>(bytes) + wait, random));
    }
  return text;
}

// Pair x of 8 joins at step x, as if the network had `buses`.
std::string saturation_file(Platform machine, Count buses, Random& random) {
  textbook::network_of(machine).buses = buses;
  constexpr std::uint32_t kPairs = 8;
  Suite s;
  s.operation = "MPI_Send";
  s.time = TimeOf::mean_call;
  s.varies = Varies::pairs;
  s.bytes = 4'000'000;
  for (std::uint32_t i = 0; i < kPairs; ++i) s.ranks.insert(s.ranks.end(), {i, kPairs + i});
  s.nodes = s.ranks;
  std::string text;
  for (std::uint32_t step = 1; step <= kPairs; ++step) {
    Point p;
    p.argument = step;
    const double call = *calibrate::predicted_result(s, p, machine);
    for (std::uint32_t rank = 0; rank < 2 * kPairs; ++rank)
      for (int i = 0; i < 10 && rank % kPairs < step; ++i)
        text += fmt::format("{},MPI_Send,4000000,1.0,{}\n", rank,
                            call * 1e-9 * (1 + 0.01 * (random.below(1000) / 1000.0)));
  }
  return text;
}

Measurement read_file(const std::string& text) {
  Diagnostics diagnostics;
  auto m = parse_smpi(text, "calls.csv", {}, diagnostics);
  REQUIRE_MESSAGE(m, to_string(m.error()));
  m->machine.name = "of the test";
  return *std::move(m);
}

double half_trip(const Platform& p, std::uint64_t bytes) {
  Suite s;
  s.operation = "MPI_Send-MPI_Recv";
  s.time = TimeOf::half_round_trip;
  s.ranks = s.nodes = {0, 1};
  Point point;
  point.argument = bytes;
  return *calibrate::predicted_result(s, point, p);
}

}  // namespace

TEST_CASE("a machine of size classes is recovered from SimGrid's calibration files") {
  const auto truth = machine_of_classes();
  Random random(3);
  const auto result = calibrate::calibrate({read_file(pingpong_file(truth, random)),
                                            read_file(calls_file("MPI_Isend", kSendCall, random)),
                                            read_file(calls_file("MPI_Recv", kReceiveCall, random)),
                                            read_file(saturation_file(truth, 3, random))});
  REQUIRE(result);
  const auto& p = result->platform;
  const auto& network = textbook::network_of(p);
  const auto& nodes = p.machines.front().nodes.front();
  CHECK(p.mpi.rendezvous_from == Bytes{kEagerBelow});
  CHECK(nodes.overheads.send.in_seconds() == doctest::Approx(2e-6).epsilon(0.05));
  CHECK(nodes.overheads.receive.in_seconds() == doctest::Approx(3e-6).epsilon(0.05));
  CHECK(network.buses == 3);
  // The bandwidth of the network is that of large messages, its latency that of small ones.
  CHECK(network.bandwidth.in_bytes_per_second() == doctest::Approx(5e8).epsilon(0.05));
  CHECK(network.latency.in_seconds() == doctest::Approx(12e-6).epsilon(0.05));
  CHECK(network.size_classes.size() <= 4);
  for (const std::uint64_t bytes :
       {1U, 100U, 1000U, 1900U, 2200U, 10000U, 100000U, 200000U, 500000U, 900000U}) {
    CAPTURE(bytes);
    CHECK(half_trip(p, bytes) == doctest::Approx(half_trip(truth, bytes)).epsilon(0.05));
  }
  for (const auto& d : result->diagnostics) CHECK(d.code != "not-followed");
}

TEST_CASE("a machine of a latency and a bandwidth gets no size classes from the same files") {
  auto truth = machine_of_classes();
  textbook::network_of(truth).size_classes.clear();
  Random random(5);
  const auto result = calibrate::calibrate({read_file(pingpong_file(truth, random))});
  REQUIRE(result);
  const auto& network = textbook::network_of(result->platform);
  CHECK(network.size_classes.empty());
  CHECK(network.latency.in_seconds() == doctest::Approx(12e-6).epsilon(0.05));
  CHECK(network.bandwidth.in_bytes_per_second() == doctest::Approx(5e8).epsilon(0.05));
}
