#include "studies/study/store_points.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace busline {

Expected<void> store_points(Store& store, std::vector<FinishedPoint> finished, StudyProgress& progress) {
  std::vector<PointOutcome> points;
  for (auto& f : finished) {
    if (f.simulated) {
      ++progress.simulated;
    } else {
      const auto before = store.outcome(f.point.id);
      if (!before) return tl::unexpected(before.error());
      if (*before) f.point.outcome = **before;
    }
    ++progress.stored;
    if (!f.point.outcome.is_done()) ++progress.failed;
    points.push_back(std::move(f.point));
  }
  // In small batches, so that most are in the file when the disk fills up.
  constexpr std::size_t kAtATime = 256;
  for (std::size_t i = 0; i < points.size(); i += kAtATime) {
    const std::span all(points);
    if (auto done = store.put(all.subspan(i, std::min(kAtATime, points.size() - i))); !done) return done;
  }
  return {};
}

}  // namespace busline
