#include "measuring/method/repetition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/assert.hpp"
#include "sim/base/quantile.hpp"

namespace busline::measure {

Expected<void> validate(const RepetitionRules& rules) {
  const auto refuse = [](std::string message) {
    Error e;
    e.kind = Error::Kind::bad_option;
    e.message = std::move(message);
    return tl::unexpected(std::move(e));
  };
  if (!(rules.precision >= 0) || !std::isfinite(rules.precision))
    return refuse(fmt::format("the precision is {}, expected 0 or more", rules.precision));
  if (rules.max_repetitions < 1 || rules.max_repetitions > kMostRepetitions)
    return refuse(fmt::format("the largest number of repetitions is {}, expected 1 to {}",
                              rules.max_repetitions, kMostRepetitions));
  if (!(rules.cut_quantile >= 0 && rules.cut_quantile < 0.5))
    return refuse(
        fmt::format("the cut quantile is {}, expected 0 or more and less than 0.5", rules.cut_quantile));
  return {};
}

std::optional<Stop> RepetitionControl::add(Duration sample, Duration elapsed) {
  SIM_ASSERT(!stop_);
  const auto x = static_cast<double>(sample.count());
  samples_.push_back(sample);
  moments_.add(x);
  if (rules_.rule == StopRule::median_interval)
    ascending_.insert(std::upper_bound(ascending_.begin(), ascending_.end(), x), x);

  if (samples_.size() >= rules_.max_repetitions)
    stop_ = Stop::max_repetitions;
  else if (rules_.time_limit && elapsed > *rules_.time_limit)
    stop_ = Stop::time_limit;
  else if (samples_.size() >= rules_.min_repetitions && settled())
    stop_ = Stop::precision;
  return stop_;
}

bool RepetitionControl::settled() const {
  if (samples_.size() < 2) return false;
  if (rules_.rule == StopRule::median_interval) {
    const auto interval = median_interval(ascending_);
    return interval && (interval->high - interval->low) / 2 <= rules_.precision * quantile(ascending_, 0.5);
  }
  // At most, not less: samples that are all equal, even all 0, are as precise as can be.
  return moments_.standard_error() <= rules_.precision * moments_.mean();
}

Repeated RepetitionControl::outcome() const {
  SIM_ASSERT(stop_);
  auto ascending = as_numbers(samples_);
  std::sort(ascending.begin(), ascending.end());
  Repeated r;
  r.result = trimmed_mean(ascending, rules_.cut_quantile);
  r.count = ascending.size() - 2 * cut_at_each_end(ascending.size(), rules_.cut_quantile);
  r.summary = summarise(ascending);
  r.stop = *stop_;
  r.settled = settled();
  return r;
}

Estimate without_overhead(Estimate measured, Estimate overhead) {
  return {std::max(measured.value - overhead.value, 0.0),
          std::hypot(measured.standard_error, overhead.standard_error)};
}

}  // namespace busline::measure
