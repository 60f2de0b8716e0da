#include "validation/calibrate/bus_capacity.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace busline;
using namespace busline::calibrate;

namespace {

/// Pairs of nodes that exchange 100 kB, which take 10 ms at 10 MB/s; by number of pairs, the samples in ms.
measure::Suite exchange(const std::vector<std::vector<double>>& samples) {
  measure::Suite s;
  s.name = "pairs-of-nodes";
  s.pattern = measure::Pattern::pairings;
  s.varies = measure::Varies::pairs;
  s.bytes = 100'000;
  for (std::size_t p = 0; p < samples.size(); ++p) {
    measure::Point point;
    point.argument = p + 1;
    for (const auto ms : samples[p]) point.samples.push_back(Duration::from_double(ms * 1e9));
    point.result_ps.value = static_cast<double>(point.samples.front().count());
    s.points.push_back(point);
  }
  return s;
}

CountFit buses(const measure::Suite& suite) {
  Platform p;
  p.machines.emplace_back().network.bandwidth = Bandwidth::bytes_per_second(10e6);
  return buses_by_capacity({&suite}, p);
}

}  // namespace

TEST_CASE("two buses show where more pairs get no further, whatever single samples waited for") {
  const auto fit = buses(exchange({{20, 10, 17}, {31, 24}, {38, 30}, {47, 40.5, 40}}));
  CHECK(fit.value == 2);
  CHECK(fit.at_least == 2);
  CHECK(fit.at_most == 2);
}

TEST_CASE("as long as more pairs get further, there are at least as many buses as messages were under way") {
  // 1.9, 4.0, 3.0, 4.0 at once, as on a cluster whose network has no limit.
  const auto fit = buses(exchange({{10.5}, {10, 20}, {20}, {20}}));
  CHECK(fit.value == kUnlimited);
  CHECK(fit.at_least == 4);
}

TEST_CASE("all messages at once, or a single step, are no limit") {
  CHECK(buses(exchange({{10}, {10}})).value == kUnlimited);
  CHECK(buses(exchange({{20}})).value == kUnlimited);
  CHECK(buses(exchange({{20}})).at_least == 1);
}
