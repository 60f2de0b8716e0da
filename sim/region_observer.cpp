#include "sim/region_observer.hpp"

#include <algorithm>

namespace busline {

RegionResult RegionObserver::result() const {
  RegionResult r;
  for (const auto& m : marks_) {
    RankTimes times;
    if (m.from && m.to && m.to->at >= m.from->at) {
      r.run_time = std::max(r.run_time, Duration::picoseconds(m.to->at - m.from->at));
      times = m.to->times - m.from->times;
    }
    r.ranks.push_back(times);
  }
  return r;
}

}  // namespace busline
