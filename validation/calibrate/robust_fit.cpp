#include "validation/calibrate/robust_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/base/quantile.hpp"

namespace busline::calibrate {
namespace {

constexpr double kHuber = 1.345;  // 95 % as efficient as least squares if errors are normal
constexpr int kRounds = 12;       // weights converge to a few per mille of the spread
constexpr double kSmallestSpread = 1e-6;

using Matrix = std::vector<std::vector<double>>;

// Gauss's elimination on the normal equations; a column without a pivot gets the coefficient 0. Columns are
// scaled to a diagonal of 1 first: one counts bytes, another is 0 or 1.
std::vector<double> solve(Matrix a, std::vector<double> b) {
  const auto n = b.size();
  std::vector<double> scale(n, 0), x(n, 0);
  for (std::size_t i = 0; i < n; ++i) scale[i] = a[i][i] > 0 ? 1 / std::sqrt(a[i][i]) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    b[i] *= scale[i];
    for (std::size_t j = 0; j < n; ++j) a[i][j] *= scale[i] * scale[j];
  }
  constexpr double kSmallestPivot = 1e-9;
  std::vector<bool> usable(n, true);
  for (std::size_t k = 0; k < n; ++k) {
    usable[k] = a[k][k] > kSmallestPivot;
    if (!usable[k]) continue;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    if (!usable[k]) continue;
    double rest = b[k];
    for (std::size_t j = k + 1; j < n; ++j) rest -= a[k][j] * x[j];
    x[k] = rest / a[k][k];
  }
  for (std::size_t i = 0; i < n; ++i) x[i] *= scale[i];
  return x;
}

double fitted(const Row& row, const std::vector<double>& coefficients) {
  double sum = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i) sum += row.columns[i] * coefficients[i];
  return sum;
}

// Twice Huber's.
double loss(double error, double spread) {
  const double size = std::abs(error) / std::max(spread, kSmallestSpread);
  return size <= kHuber ? size * size : kHuber * (2 * size - kHuber);
}

class Fitting {
 public:
  Fitting(std::span<const Row> rows, double floor, const std::vector<bool>& used)
      : rows_(rows), floor_(floor), used_(used), scales_(rows.size()), weights_(rows.size(), 1) {
    for (std::size_t i = 0; i < rows.size(); ++i) scales_[i] = std::max(rows[i].value, floor);
  }

  RobustFit run() {
    RobustFit fit;
    for (const auto& row : rows_) fit.weights.push_back(row.weight);
    for (int round = 0; round < kRounds; ++round) {
      fit.coefficients = weighted();
      fit.errors.clear();
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const double at = fitted(rows_[i], fit.coefficients);
        scales_[i] = std::max(std::abs(at), floor_);
        fit.errors.push_back((rows_[i].value - at) / scales_[i]);
      }
      fit.spread = spread(fit.errors);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        weights_[i] = huber_weight(fit.errors[i] / std::max(fit.spread, kSmallestSpread));
      }
    }
    return fit;
  }

 private:
  static double spread(const std::vector<double>& errors) {
    std::vector<double> sizes;
    for (const double e : errors) sizes.push_back(std::abs(e));
    return deviation_by_median(std::move(sizes));
  }

  std::vector<double> weighted() const {
    const auto n = used_.size();
    Matrix a(n, std::vector<double>(n, 0));
    std::vector<double> b(n, 0);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const double w = rows_[r].weight * weights_[r] / (scales_[r] * scales_[r]);
      for (std::size_t i = 0; i < n; ++i) {
        const double x = used_[i] ? rows_[r].columns[i] : 0;
        if (x == 0) continue;
        b[i] += w * x * rows_[r].value;
        for (std::size_t j = 0; j < n; ++j)
          if (used_[j]) a[i][j] += w * x * rows_[r].columns[j];
      }
    }
    return solve(std::move(a), std::move(b));
  }

  std::span<const Row> rows_;
  double floor_;
  const std::vector<bool>& used_;
  std::vector<double> scales_, weights_;
};

}  // namespace

RobustFit robust_fit(std::span<const Row> rows, double floor) {
  if (rows.empty()) return {};
  std::vector<bool> used(rows.front().columns.size(), true);
  for (;;) {
    auto fit = Fitting(rows, floor, used).run();
    const auto lowest = std::min_element(fit.coefficients.begin(), fit.coefficients.end());
    if (lowest == fit.coefficients.end() || *lowest >= 0) return fit;
    // Negative coefficients become 0, the worst one first; the others then take its share.
    used[static_cast<std::size_t>(lowest - fit.coefficients.begin())] = false;
  }
}

double huber_weight(double spreads) {
  return std::abs(spreads) <= kHuber ? 1 : kHuber / std::abs(spreads);
}

double capped_loss(const RobustFit& fit, std::size_t row, double spread) {
  constexpr double kFarOff = 10;  // spreads
  return fit.weights[row] * std::min(loss(fit.errors[row], spread), loss(kFarOff * spread, spread));
}

double misfit(std::span<const double> errors, double spread) {
  double sum = 0;
  for (const double e : errors) sum += loss(e, spread);
  return sum;
}

double misfit(const RobustFit& fit, double spread) {
  double sum = 0;
  for (std::size_t i = 0; i < fit.errors.size(); ++i) sum += fit.weights[i] * loss(fit.errors[i], spread);
  return sum;
}

}  // namespace busline::calibrate
