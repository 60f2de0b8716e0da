#include "measuring/method/statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "measuring/method/test_vectors.hpp"
#include "sim/base/quantile.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

std::vector<double> sorted(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v;
}

RunningMoments moments_of(const std::vector<double>& samples) {
  RunningMoments m;
  for (const double x : samples) m.add(x);
  return m;
}

// P(X <= k) of n fair coins, straight from the definition.
double heads_at_most(std::size_t k, std::size_t n) {
  double chance = 0, term = std::pow(0.5, static_cast<double>(n));
  for (std::size_t i = 0; i <= k; ++i) {
    chance += term;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return chance;
}

// n samples that are clear of one another, so that quantiles of 1, 2, 3, ... show their places.
std::vector<double> counting(std::size_t n) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<double>(i + 1);
  return v;
}

}  // namespace

TEST_CASE("the standard error keeps its digits where equation 3.4 loses all of them") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "standard_error")) {
    const auto m = moments_of(v.at("x").get<std::vector<double>>());
    CHECK(m.mean() == doctest::Approx(v.at("mean").get<double>()).epsilon(1e-15));
    CHECK(m.standard_error() == doctest::Approx(v.at("se_def_3_2").get<double>()).epsilon(1e-12));
  }
}

TEST_CASE("the standard error does not depend on what is added to all samples") {
  // sd of 4, 7, 13, 16 is sqrt(30). 2^50 is a count of picoseconds of 19 minutes.
  for (const double offset : {0.0, 1e9, 1e12, 0x1p50})
    CHECK(moments_of({offset + 4, offset + 7, offset + 13, offset + 16}).standard_deviation() ==
          doctest::Approx(std::sqrt(30.0)).epsilon(1e-12));
}

TEST_CASE("a long stream of equal samples has no spread") {
  RunningMoments m;
  for (int i = 0; i < 1'000'000; ++i) m.add(1.1e15);
  CHECK(m.mean() == 1.1e15);
  CHECK(m.standard_error() == 0);
}

TEST_CASE("moments of fewer than two samples have no spread") {
  CHECK(RunningMoments().mean() == 0);
  CHECK(RunningMoments().standard_error() == 0);
  CHECK(moments_of({7}).mean() == 7);
  CHECK(moments_of({7}).standard_deviation() == 0);
}

TEST_CASE("a result is formed from the samples left by the cut") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "cut_quantile")) {
    const auto x = sorted(v.at("x").get<std::vector<double>>());
    const double q = v.at("q").get<double>();
    CAPTURE(v.dump());
    CHECK(cut_at_each_end(x.size(), q) == v.at("k_each_side").get<std::size_t>());
    const auto formed = trimmed_mean(x, q);
    CHECK(formed.value == doctest::Approx(v.at("result").get<double>()).epsilon(1e-14));
    CHECK(formed.standard_error == doctest::Approx(v.at("se").get<double>()).epsilon(1e-12));
  }
}

TEST_CASE("a cut counts in decimal, and never takes all samples") {
  CHECK(cut_at_each_end(100, 0.29) == 29);
  CHECK(cut_at_each_end(100, 0.07) == 7);
  CHECK(cut_at_each_end(10, 0.49) == 4);
  CHECK(cut_at_each_end(2, 0.49) == 0);
  CHECK(cut_at_each_end(0, 0.25) == 0);
  CHECK(trimmed_mean({}, 0.25) == Estimate{0, 0});
}

TEST_CASE("quantiles are those of definition 7") {
  // R: quantile(c(1, 2, 4, 8), c(0, .1, .25, .5, .9, 1)) is 1.0 1.3 1.75 3.0 6.8 8.0
  const std::vector<double> x{1, 2, 4, 8};
  CHECK(quantile(x, 0) == 1);
  CHECK(quantile(x, 0.1) == doctest::Approx(1.3));
  CHECK(quantile(x, 0.25) == 1.75);
  CHECK(quantile(x, 0.5) == 3);
  CHECK(quantile(x, 0.9) == doctest::Approx(6.8));
  CHECK(quantile(x, 1) == 8);
  CHECK(quantile(std::vector<double>{5}, 0.99) == 5);
}

TEST_CASE("the interval of the median lies where tables of the binomial distribution put it") {
  // 95 %, places from 1: n = 6: 1..6, 8: 1..8, 9: 2..8, 10: 2..9, 20: 6..15, 25: 8..18, 50: 18..33,
  // 100: 40..61.
  struct Row {
    std::size_t n, low;
  };
  for (const Row row : {Row{6, 1}, {8, 1}, {9, 2}, {10, 2}, {20, 6}, {25, 8}, {50, 18}, {100, 40}}) {
    CAPTURE(row.n);
    const auto place = median_interval_place(row.n);
    REQUIRE(place);
    CHECK(*place + 1 == row.low);
  }
  for (const std::size_t n : {0U, 1U, 2U, 5U}) CHECK_FALSE(median_interval_place(n));
  CHECK(median_interval(counting(10)) == Interval{2, 9});
}

TEST_CASE("the interval of the median is the narrowest with the confidence that was asked for") {
  for (const double confidence : {0.5, 0.9, 0.95, 0.999})
    for (std::size_t n = 1; n <= 900; n += n < 100 ? 1 : 37) {
      CAPTURE(n);
      const auto place = median_interval_place(n, confidence);
      const double allowed = (1 - confidence) / 2;
      if (!place) {
        CHECK(heads_at_most(0, n) > allowed);
        continue;
      }
      CHECK(heads_at_most(*place, n) <= allowed * (1 + 1e-9));
      if (2 * *place + 2 < n) CHECK(heads_at_most(*place + 1, n) > allowed);
    }
}

TEST_CASE("the interval of the median of a million samples is that of the normal distribution") {
  // 1.959964 standard deviations of sqrt(n) / 2 below the middle: place 499,020, counted from 1.
  CHECK(median_interval_place(1'000'000) == 499'019);
}

TEST_CASE("outliers are pointed at where they stand and stay in the figures") {
  // Quartiles 2 and 4, so the fences are -1 and 7.
  const std::vector<double> x{3, 100, 1, 2, 4};
  CHECK(tukey_fences(sorted(x)) == Interval{-1, 7});
  CHECK(outliers(x) == std::vector<std::size_t>{1});
  const auto s = summarise(x);
  CHECK(s.outliers == 1);
  CHECK(s.count == 5);
  CHECK(s.max == 100);
  CHECK(s.mean == 22);
  CHECK(outliers({}).empty());
}

TEST_CASE("a summary has every figure") {
  const auto s = summarise(counting(101));
  CHECK(s.count == 101);
  CHECK(s.min == 1);
  CHECK(s.p1 == 2);
  CHECK(s.p10 == 11);
  CHECK(s.p25 == 26);
  CHECK(s.median == 51);
  CHECK(s.p75 == 76);
  CHECK(s.p90 == 91);
  CHECK(s.p99 == 100);
  CHECK(s.max == 101);
  CHECK(s.mean == doctest::Approx(51));
  CHECK(s.standard_deviation == doctest::Approx(std::sqrt(101 * 102 / 12.0)));
  CHECK(s.standard_error == doctest::Approx(std::sqrt(102 / 12.0)));
  CHECK(s.median_interval == Interval{41, 61});
  CHECK(s.outliers == 0);
  CHECK(summarise(std::vector<double>{}) == measure::Summary{});
}

TEST_CASE("a summary does not depend on the order of the samples") {
  Scatter scatter(1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> x(1 + scatter.below(200));
    for (auto& v : x) v = 1e6 * scatter.share() + (scatter.below(10) == 0 ? 1e12 : 0);
    const auto before = summarise(x);
    shuffle(x, scatter);
    CHECK(summarise(x) == before);
    CHECK(before.min <= before.p1);
    CHECK(before.p1 <= before.p25);
    CHECK(before.p25 <= before.median);
    CHECK(before.median <= before.p90);
    CHECK(before.p90 <= before.max);
  }
}

TEST_CASE("durations are summarised in picoseconds") {
  CHECK(summarise(std::vector{Duration::picoseconds(3), Duration::picoseconds(1)}).mean == 2);
}
