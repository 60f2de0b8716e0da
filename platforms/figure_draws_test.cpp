#include "platforms/figure_draws.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/durations.hpp"
#include "sim/base/quantile.hpp"

using namespace busline;

namespace {

constexpr std::uint64_t kSeeds = 2000;

Platform two_nodes() {
  Platform p;
  p.name = "pair";
  p.machines.resize(1);
  p.machines[0].nodes.resize(1);
  p.machines[0].nodes[0].count = 2;
  return p;
}

// A machine whose latency was found to be 10 us, from 7 to 14 us with 95 % confidence.
Platform with_latency_of_10us() {
  auto p = two_nodes();
  p.machines[0].network.latency = us(10);
  p.calibration.emplace();
  p.calibration->figures = {{"/network/latency", "10us", "7us", "14us", {}, ""}};
  return p;
}

// Ascending, in microseconds.
std::vector<double> latencies(const FigureDraws& draws) {
  std::vector<double> all;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto drawn = draws.draw(seed);
    REQUIRE(drawn);
    all.push_back(drawn->machines[0].network.latency.in_seconds() * 1e6);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// The deviation of a share near 2.5 % that so many draws allow, three times over.
const double kAllowed = 3 * std::sqrt(0.025 * 0.975 / static_cast<double>(kSeeds));

double share_below(const std::vector<double>& ascending, double bound) {
  const auto below = std::lower_bound(ascending.begin(), ascending.end(), bound) - ascending.begin();
  return static_cast<double>(below) / static_cast<double>(ascending.size());
}

}  // namespace

TEST_CASE("a figure is drawn from its 95 % interval: half on either side, 2.5 % beyond each bound") {
  const auto drawn = latencies(FigureDraws(with_latency_of_10us()));
  CHECK(std::fabs(share_below(drawn, 10) - 0.5) < 3 * 0.5 / std::sqrt(kSeeds));
  CHECK(std::fabs(share_below(drawn, 7) - 0.025) < kAllowed);
  CHECK(std::fabs(1 - share_below(drawn, 14) - 0.025) < kAllowed);
}

TEST_CASE("a figure whose interval begins at 0 is never below it") {
  auto p = with_latency_of_10us();
  p.calibration->figures[0].low = "0us";
  const auto drawn = latencies(FigureDraws(p));
  CHECK(drawn.front() == 0);
  CHECK(std::fabs(1 - share_below(drawn, 14) - 0.025) < kAllowed);
}

TEST_CASE("a number of links stays whole and within its bounds") {
  auto p = two_nodes();
  p.machines[0].nodes[0].links = {Links::Kind::full_duplex, 2, 2};
  p.calibration.emplace();
  p.calibration->figures = {{"/nodes/0/links", "2", "1", "3", {}, ""}};
  const FigureDraws draws(p);
  std::vector<std::uint32_t> seen(5);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto drawn = draws.draw(seed);
    REQUIRE(drawn);
    const auto links = drawn->machines[0].nodes[0].links.out;
    REQUIRE(links < seen.size());
    ++seen[links];
  }
  CHECK(seen[1] > 0);
  CHECK(seen[2] > seen[1]);
  CHECK(seen[3] > 0);
  CHECK(seen[0] + seen[4] == 0);
}

TEST_CASE("a figure that somebody changed after the calibration is known") {
  auto p = with_latency_of_10us();
  p.machines[0].network.latency = us(5);
  const FigureDraws draws(p);
  CHECK(draws.figures().empty());
  CHECK(draws.draw(1)->machines[0].network.latency == us(5));
}

TEST_CASE("a figure without bounds, or an algorithm, is not drawn") {
  auto p = with_latency_of_10us();
  p.calibration->figures[0].high.clear();
  p.calibration->figures.push_back({"/mpi/collectives/MPI_Bcast", "binomial", "", "", {}, ""});
  CHECK(FigureDraws(p).figures().empty());
}

TEST_CASE("the same seed gives the same platform, without its record") {
  const FigureDraws draws(with_latency_of_10us());
  CHECK(draws.figures() == std::vector<std::string>{"/network/latency"});
  CHECK(*draws.draw(7) == *draws.draw(7));
  CHECK(*draws.draw(7) != *draws.draw(8));
  CHECK(!draws.draw(7)->calibration.has_value());
}
