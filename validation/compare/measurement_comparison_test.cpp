#include "validation/compare/measurement_comparison.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace busline;
using namespace busline::compare;
using measure::Measurement;
using measure::Suite;

namespace {

Suite measured_curve(const char* name, std::vector<double> results) {
  Suite s;
  s.name = name;
  s.operation = "MPI_Send / MPI_Recv";
  for (std::size_t i = 0; i < results.size(); ++i) {
    measure::Point p;
    p.argument = i;
    p.result_ps.value = results[i];
    s.points.push_back(std::move(p));
  }
  return s;
}

Measurement of(std::vector<Suite> suites) {
  Measurement m;
  m.suites = std::move(suites);
  return m;
}

/// Each pair of 6 ranks, both ways: 30 links; the time of link i is `time(i)`.
template <class Time>
Measurement links(Time time) {
  auto s = measured_curve("links", {});
  s.pattern = measure::Pattern::all_pairs;
  std::size_t i = 0;
  for (std::uint32_t a = 0; a < 6; ++a)
    for (std::uint32_t b = 0; b < 6; ++b) {
      if (a == b) continue;
      measure::Point p;
      p.argument = 1;
      p.ranks = {a, b};
      p.result_ps.value = time(i++);
      s.points.push_back(std::move(p));
    }
  return of({s});
}

}  // namespace

TEST_CASE("figures of a curve are of the sizes of the ratios' logarithms, with the bias beside them") {
  const auto c = compare_measurements(of({measured_curve("a", {100, 200, 400})}),
                                      of({measured_curve("a", {110, 200, 200})}));
  REQUIRE(c);
  const auto& s = c->suites.front();
  CHECK(s.median == doctest::Approx(std::log(1.1)));
  CHECK(s.bias == doctest::Approx(0));
  // Place 0.95 x 2 = 1.9, nine tenths of the way from log 1.1 to log 2.
  CHECK(s.p95 == doctest::Approx(0.1 * std::log(1.1) + 0.9 * std::log(2)));
  CHECK(s.points[s.worst].argument == 2);
  CHECK(c->median == s.median);
}

TEST_CASE("points that only one has or whose time is 0 are counted, not compared") {
  const auto c =
      compare_measurements(of({measured_curve("a", {0, 200, 400})}), of({measured_curve("a", {110, 200})}));
  CHECK(c->suites.front().points.size() == 1);
  CHECK(c->suites.front().unmatched == 3);
  CHECK_FALSE(c->suites.front().rank_correlation);
}

TEST_CASE("suites in only one measurement are named, and measurements with nothing in common refused") {
  const auto a = of({measured_curve("a", {1}), measured_curve("b", {1})}),
             b = of({measured_curve("b", {1}), measured_curve("c", {1})});
  const auto c = compare_measurements(a, b);
  CHECK(c->only_first == std::vector<std::string>{"a"});
  CHECK(c->only_second == std::vector<std::string>{"c"});
  CHECK(compare_measurements(a, of({measured_curve("c", {1})})).error().message ==
        "no suite has a point that both measurements have");
}

TEST_CASE("suites of one name that measured different things are refused") {
  auto other = measured_curve("a", {1});
  other.operation = "MPI_Ssend / MPI_Recv";
  CHECK(to_string(compare_measurements(of({measured_curve("a", {1})}), of({other})).error()) ==
        "a: has operation \"MPI_Send / MPI_Recv\" in one measurement, \"MPI_Ssend / MPI_Recv\" in the other");
}

TEST_CASE("the rank correlation is of the order alone, with equal values at their mean place") {
  const auto rho = [](std::vector<double> a, std::vector<double> b) { return rank_correlation(a, b); };
  CHECK(*rho({1, 2, 3}, {1, 10, 1000}) == doctest::Approx(1));
  CHECK(*rho({1, 2, 3}, {9, 8, 1}) == doctest::Approx(-1));
  // Places 1 2 3 4 and 1.5 1.5 3 4: 4.5 / sqrt(5 x 4.5).
  CHECK(*rho({1, 2, 3, 4}, {5, 5, 6, 7}) == doctest::Approx(4.5 / std::sqrt(22.5)));
  CHECK_FALSE(rho({1, 2}, {1, 2}));
  CHECK_FALSE(rho({1, 2, 3}, {5, 5, 5}));
}

TEST_CASE("the slowest links in common are counted over a tenth of them, ten at least") {
  const auto rising = links([](std::size_t i) { return 100.0 + static_cast<double>(i); });
  const auto falling = links([](std::size_t i) { return 200.0 - static_cast<double>(i); });
  CHECK(compare_measurements(rising, rising)->suites.front().links_in_common == 10);
  const auto c = compare_measurements(rising, falling);
  CHECK(c->suites.front().links == 10);
  CHECK(c->suites.front().links_in_common == 0);
  CHECK(*c->suites.front().rank_correlation == doctest::Approx(-1));
}
