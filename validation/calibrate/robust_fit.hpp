// Straight lines, and other sums of known columns, through measured times: relative errors count, and points
// that are far off count less. P. J. Huber, Robust Statistics (1981), 7.8, by reweighted least squares.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace busline::calibrate {

/// A measured value that should be the sum of `columns` times the coefficients.
struct Row {
  std::vector<double> columns;
  double value = 0;
  double weight = 1;  ///< the row counts as so many
};

struct RobustFit {
  std::vector<double> coefficients;  ///< 0 or more; 0 for a column of zeros
  std::vector<double> errors;        ///< of each row: (value - fitted) / fitted
  std::vector<double> weights;       ///< of each row, as given
  double spread = 0;                 ///< deviation_by_median() of the errors
};

/// Coefficients that are not negative, since times, bytes and counts are not. `floor` (> 0, in the values'
/// unit) is what an error is related to where the fitted value is smaller. All rows have equally many
/// columns. Cost: linear in the rows.
RobustFit robust_fit(std::span<const Row> rows, double floor);

/// What an error of so many spreads counts in reweighted least squares.
double huber_weight(double spreads);

/// How badly errors fit a normal distribution of this spread: twice Huber's loss, which is chi squared for
/// small errors and grows linearly beyond 1.345 spreads.
double misfit(std::span<const double> errors, double spread);
/// The same, each error counted with its row's weight.
double misfit(const RobustFit& fit, double spread);
/// The part of a row in it, where errors of more than 10 spreads count as 10: one that is farther off tells
/// no model from another.
double capped_loss(const RobustFit& fit, std::size_t row, double spread);

/// Differences of misfit() between two models: up to this one, the worse one may still be the right one (chi
/// squared, 95 %, one degree of freedom); from the other on, it is not.
inline constexpr double kAdmitted = 3.84, kConvincing = 20;

}  // namespace busline::calibrate
