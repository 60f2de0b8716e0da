#include "sim/observers/region_observer.hpp"

#include <algorithm>

namespace busline {

void RegionObserver::take_call_times(const Program& program) {
  program_ = &program;
  places_.resize(borders_.size());
  call_times_.assign(borders_.size(), std::vector<Duration>(program.call_names().size()));
}

void RegionObserver::add_call_time(StrandId strand, std::uint64_t index, std::int64_t now) {
  auto& place = places_[strand];
  if (place.inside) {
    const auto& op = program_->operations()[place.index];
    // Computation lies between calls, except for time that belongs to a call.
    if (op.kind != OpKind::compute || (op.flags & Operation::elapsed) != 0)
      call_times_[strand][op.call] += Duration::picoseconds(now - place.since);
  }
  const auto& [from, to] = borders_[strand];
  place = {index, now, (place.inside || index == from) && index != to};
}

RegionResult RegionObserver::result() const {
  RegionResult r;
  r.call_times = call_times_;
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
