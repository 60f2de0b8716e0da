// Links and buses of simulated machines whose times are not those of the model alone: with noise, with a
// slower card, one way only.
#include "validation/calibrate/sharing_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/random.hpp"
#include "validation/calibrate/suite_replay.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::calibrate;
using measure::Pattern;
using measure::Suite;

namespace {

constexpr std::uint32_t kPairsAtMost = 8;
constexpr std::uint64_t kShared = 4'000'000;

Suite pairs_suite(std::string operation) {
  Suite s;
  s.name = "pairs of " + operation;
  s.operation = std::move(operation);
  s.pattern = Pattern::pairings;
  s.time = measure::TimeOf::max_over_ranks;
  s.varies = measure::Varies::pairs;
  s.route_class = measure::RouteClass::inter_node;
  s.bytes = kShared;
  for (std::uint32_t i = 0; i < kPairsAtMost; ++i) s.ranks.insert(s.ranks.end(), {i, kPairsAtMost + i});
  s.nodes = s.ranks;
  return s;
}

Platform shared_machine(Count buses) {
  auto p = textbook::machine(2 * kPairsAtMost);
  textbook::network_of(p).buses = buses;
  textbook::nodes_of(p).links = textbook::full_duplex(1);
  return p;
}

/// What `machine` takes for each step, times `slower`.
Suite measured_pairs(std::string operation, const Platform& machine, double slower = 1) {
  auto s = pairs_suite(std::move(operation));
  for (std::uint32_t pairs = 1; pairs <= kPairsAtMost; ++pairs) {
    measure::Point p;
    p.argument = pairs;
    p.result_ps.value = slower * *predicted_result(s, p, machine);
    p.count = 10;
    s.points.push_back(std::move(p));
  }
  return s;
}

/// Each rank's time scatters log-normally; a sample is that of the rank that is last.
Suite noisy_pairs(const Platform& machine, double noise, Random& random) {
  auto s = measured_pairs("exchange", machine);
  for (auto& p : s.points) {
    const auto quiet = predicted_times(s, p, machine, true)->ps;
    constexpr int kSamples = 16;
    std::vector<double> sums(quiet.size());
    for (int i = 0; i < kSamples; ++i) {
      double last = 0;
      for (std::size_t rank = 0; rank < quiet.size(); ++rank) {
        const double time = quiet[rank] * std::exp(noise * random.normal());
        sums[rank] += time;
        last = std::max(last, time);
      }
      p.samples.push_back(Duration::from_double(last));
    }
    for (const double sum : sums) p.node_results_ps.push_back(sum / kSamples);
    p.result_ps.standard_error = noise * p.result_ps.value / std::sqrt(kSamples);
  }
  return s;
}

Suite noisy_pingpong(double noise, Random& random) {
  Suite s;
  s.name = "pingpong-inter";
  s.operation = "MPI_Send-MPI_Recv";
  s.pattern = Pattern::pingpong;
  s.route_class = measure::RouteClass::inter_node;
  s.ranks = s.nodes = {0, 1};
  for (std::uint64_t bytes = 1; bytes < 100; ++bytes) {
    measure::Point p;
    p.argument = bytes;
    for (int i = 0; i < 10; ++i)
      p.samples.push_back(Duration::from_double(1e7 * std::exp(noise * random.normal())));
    s.points.push_back(std::move(p));
  }
  return s;
}

CountFit buses_of(const std::vector<Suite>& suites) {
  return fit_sharing(suites, shared_machine(kUnlimited)).network.buses;
}

}  // namespace

TEST_CASE("what slows both directions down with any number of pairs is no bus") {
  const auto machine = shared_machine(kUnlimited);
  // As on an InfiniBand cluster: a pair both ways takes 1.3 times as long as one way, and so do eight.
  const auto buses =
      buses_of({measured_pairs("MPI_Send", machine), measured_pairs("MPI_Sendrecv", machine, 1.3)});
  CHECK(buses.value == kUnlimited);
  CHECK(buses.at_least == 16);
  // Buses still show as what gets worse with more pairs.
  const auto limited = shared_machine(6);
  CHECK(buses_of({measured_pairs("MPI_Send", limited), measured_pairs("MPI_Sendrecv", limited, 1.3)}).value ==
        6);
}

TEST_CASE("pairs that send one way have one message each under way") {
  CHECK(buses_of({measured_pairs("MPI_Send", shared_machine(kUnlimited))}).at_least == 8);
  CHECK(buses_of({measured_pairs("exchange", shared_machine(kUnlimited))}).at_least == 16);
  CHECK(buses_of({measured_pairs("MPI_Send", shared_machine(5))}).value == 5);
}

TEST_CASE("a window of messages shows more buses than pairs, where nodes have several links") {
  // Eight pairs both ways with four links each have 64 messages under way.
  auto machine = shared_machine(21);
  textbook::nodes_of(machine).links = textbook::full_duplex(4);
  auto window = pairs_suite("exchange_window");
  window.messages = 16;
  for (std::uint32_t pairs = 1; pairs <= kPairsAtMost; ++pairs) {
    measure::Point p;
    p.argument = pairs;
    p.result_ps.value = *predicted_result(window, p, machine);
    p.count = 10;
    window.points.push_back(std::move(p));
  }
  const auto fit = fit_sharing({window}, shared_machine(kUnlimited)).network;
  CHECK(fit.buses.value == 21);
  CHECK(fit.links.value == 4);
  CHECK_FALSE(fit.half_duplex);
}

TEST_CASE("the last of more and more noisy ranks is late by chance, which is no missing bus") {
  Random random(3);
  for (const double noise : {0.1, 0.2}) {
    CAPTURE(noise);
    for (const Count buses : {kUnlimited, Count{6}}) {
      const auto suite = noisy_pairs(shared_machine(buses), noise, random);
      CHECK(buses_of({suite, noisy_pingpong(noise, random)}).value == buses);
    }
  }
}
