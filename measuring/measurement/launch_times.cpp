#include "measuring/measurement/launch_times.hpp"

#include <algorithm>

namespace busline::ziatest {

StartupResult startup_result(const LaunchJob& job, const LaunchTimes& times) {
  StartupResult result;
  result.job = job;
  for (std::uint32_t rank = 0; rank < times.stamps.size(); ++rank)
    if (const auto stamp = times.stamps[rank]; stamp && *stamp >= result.total) {
      result.total = *stamp;
      result.slowest_rank = rank;
    }
  if (times.ends.front().empty()) return result;
  // A rank without a stamp is never later than the last stamp, unless clocks differ or noise was added.
  Duration last, own;  // ends of the phase before: of the last rank, of the slowest one
  const auto add = [&](std::size_t phase, Duration last_end, Duration own_end) {
    result.phases.push_back({static_cast<Phase>(phase), last_end - last, own_end - own});
    last = last_end;
    own = own_end;
  };
  for (std::size_t p = 0; p < times.ends.size(); ++p) {
    const auto& ends = times.ends[p];
    add(p, std::min(*std::max_element(ends.begin(), ends.end()), result.total), ends[result.slowest_rank]);
  }
  add(kPhases - 1, result.total, result.total);
  return result;
}

}  // namespace busline::ziatest
