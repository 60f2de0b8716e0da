#include "validation/calibrate/robust_fit.hpp"

#include <doctest/doctest.h>

using namespace busline::calibrate;

namespace {

// 10 + 2 x at x = 0, 1, ..., 9.
std::vector<Row> line() {
  std::vector<Row> rows;
  for (int x = 0; x < 10; ++x) rows.push_back({{1, double(x)}, 10.0 + 2 * x});
  return rows;
}

}  // namespace

TEST_CASE("a robust fit finds a line through points that are on it") {
  const auto fit = robust_fit(line(), 1);
  CHECK(fit.coefficients[0] == doctest::Approx(10));
  CHECK(fit.coefficients[1] == doctest::Approx(2));
  CHECK(fit.spread == doctest::Approx(0));
}

TEST_CASE("points that are far off hardly move a robust fit") {
  auto rows = line();
  rows[2].value *= 100;
  rows[7].value *= 1000;
  const auto fit = robust_fit(rows, 1);
  CHECK(fit.coefficients[0] == doctest::Approx(10).epsilon(0.01));
  CHECK(fit.coefficients[1] == doctest::Approx(2).epsilon(0.01));
}

TEST_CASE("no coefficient of a robust fit is negative") {
  std::vector<Row> falling;
  for (int x = 0; x < 10; ++x) falling.push_back({{1, double(x)}, 10.0 - x / 2.0});
  const auto fit = robust_fit(falling, 1);
  CHECK(fit.coefficients[1] == 0);
  CHECK(fit.coefficients[0] > 5);
}

TEST_CASE("a column of zeros gets the coefficient 0") {
  auto rows = line();
  for (auto& r : rows) r.columns.push_back(0);
  const auto fit = robust_fit(rows, 1);
  CHECK(fit.coefficients[2] == 0);
  CHECK(fit.coefficients[1] == doctest::Approx(2));
}

TEST_CASE("errors of one spread each cost one, and outliers cost linearly") {
  const std::vector<double> errors{1, -1};
  CHECK(misfit(errors, 1) == doctest::Approx(2));
  const std::vector<double> outlier{10};
  CHECK(misfit(outlier, 1) == doctest::Approx(1.345 * (2 * 10 - 1.345)));
}
