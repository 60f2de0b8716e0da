#include "measuring/linktest/spread.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "sim/base/random.hpp"

using namespace busline;
using namespace busline::linktest;

namespace {

auto each_of(const std::vector<double>& values) {
  return [&values](auto use) {
    for (const auto v : values) use(v);
  };
}

}  // namespace

TEST_CASE("a spread that visits its values is that of the sorted values") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<double> values(1 + random.below(12));
    for (auto& v : values)
      v = std::ldexp(1 + static_cast<double>(random.below(4)), static_cast<int>(random.below(5)) - 30);
    const auto s = spread_of(each_of(values));
    CHECK(s.mean == std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
    std::sort(values.begin(), values.end());
    CHECK(s.count == values.size());
    CHECK(s.min == values.front());
    CHECK(s.max == values.back());
    CHECK(s.median == (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2);
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(select(i, each_of(values)) == values[i]);
  }
}

TEST_CASE("the smallest and the largest double can be selected") {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> values{Limits::max(), Limits::denorm_min(), 1};
  CHECK(select(0, each_of(values)) == Limits::denorm_min());
  CHECK(select(2, each_of(values)) == Limits::max());
  CHECK(spread_of(each_of(values)).median == 1);
}

TEST_CASE("no values have a spread of zeros") {
  const auto s = spread_of(each_of({}));
  CHECK(s.count == 0);
  CHECK(s.median == 0);
}
