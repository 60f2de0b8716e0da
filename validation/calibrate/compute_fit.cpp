#include "validation/calibrate/compute_fit.hpp"

#include <cmath>
#include <utility>

#include "sim/base/quantile.hpp"

namespace busline::calibrate {
namespace {

using measure::Suite;

constexpr double kNormal95 = 1.96;  // standard deviations on either side hold 95 % of a normal distribution
constexpr std::size_t kFewSamples = 30;  // a spread of fewer is a guess

bool is_work(const Suite& s) {
  return s.pattern == measure::Pattern::compute && s.varies == measure::Varies::nothing &&
         !s.points.empty() && s.points.front().result_ps.value > 0;
}

// The one with most samples: its result is the surest.
const Suite* work_of(const std::vector<Suite>& suites) {
  const Suite* best = nullptr;
  for (const auto& s : suites)
    if (is_work(s) && (best == nullptr || s.points.front().count > best->points.front().count)) best = &s;
  return best;
}

Error missing(const char* where) {
  Error e;
  e.where = where;
  e.message = "no fixed work was measured, expected a suite of pattern compute";
  e.hint = "measure it with 'busline measure calibration'";
  return e;
}

// For the logarithms.
std::optional<double> spread_of(const Suite& suite) {
  std::vector<double> logs;
  for (const auto sample : suite.points.front().samples)
    if (sample.count() > 0) logs.push_back(std::log(static_cast<double>(sample.count())));
  if (logs.size() < kFewSamples) return std::nullopt;
  const double centre = median(logs);
  for (auto& l : logs) l = std::abs(l - centre);
  return deviation_by_median(std::move(logs));
}

}  // namespace

Expected<ComputeFit> fit_compute(const std::vector<Suite>& suites,
                                 const std::optional<measure::Measurement>& reference) {
  ComputeFit fit;
  const auto* work = work_of(suites);
  if (work != nullptr) {
    fit.suites.push_back(work->name);
    fit.noise = spread_of(*work);
  }
  if (!reference) return fit;
  const auto* standard = work_of(reference->suites);
  if (work == nullptr) return tl::unexpected(missing("measurements"));
  if (standard == nullptr) return tl::unexpected(missing("reference"));
  if (work->operation != standard->operation || work->chunks != standard->chunks) {
    auto e = missing("reference");
    e.message = "its fixed work differs from that of the measurements";
    return tl::unexpected(std::move(e));
  }
  const auto& here = work->points.front().result_ps;
  const auto& there = standard->points.front().result_ps;
  const double speed = there.value / here.value;
  const double error =
      kNormal95 * std::hypot(here.standard_error / here.value, there.standard_error / there.value);
  fit.relative_speed = Fitted{speed, {speed * (1 - error), speed * (1 + error)}};
  return fit;
}

}  // namespace busline::calibrate
