#include "measuring/method/time_budget.hpp"

#include <algorithm>
#include <iterator>

namespace busline::measure {

std::optional<Duration> TimeBudget::next(Duration now, double share) {
  if (!limit_) return std::nullopt;
  const auto left = std::max(*limit_ - (now - begin_), Duration());
  const double part = shares_ > share ? share / shares_ : 1;
  shares_ -= share;
  return Duration::from_double(static_cast<double>(left.count()) * part);
}

Duration CostForecast::at(std::uint64_t argument) const {
  const auto above = costs_.lower_bound(argument);
  if (above != costs_.end()) return above->second;
  if (costs_.empty()) return {};
  const auto last = std::prev(costs_.end());
  if (last == costs_.begin()) return last->second;
  const auto before = std::prev(last);
  const double slope = static_cast<double>(last->second.count() - before->second.count()) /
                       static_cast<double>(last->first - before->first);
  const double growth = std::max(slope, 0.0) * static_cast<double>(argument - last->first);
  // A cost that no clock can count is as good as endless.
  const auto room = static_cast<double>((Duration::max() - last->second).count());
  return last->second + Duration::from_double(std::min(growth, room / 2));
}

}  // namespace busline::measure
