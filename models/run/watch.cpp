#include "models/run/watch.hpp"

#include <utility>
#include <vector>

#include "models/run/region.hpp"

namespace busline {

Expected<Watch> Watch::of(const Program& program, const SimulateOptions& options) {
  Watch watch;
  std::vector<RunObserver*> all;
  if (is_between_calls(options)) {
    auto borders = find_borders(program, options.region.value_or(Region{}));
    if (!borders) return tl::unexpected(std::move(borders.error()));
    watch.region_ = std::make_unique<RegionObserver>(std::move(*borders));
    if (options.call_times) watch.region_->take_call_times(program);
    all.push_back(watch.region_.get());
  }
  all.insert(all.end(), options.observers.begin(), options.observers.end());
  if (all.size() == 1) watch.observer_ = all.front();
  if (all.size() > 1) {
    watch.list_ = std::make_unique<ObserverList>(std::move(all));
    watch.observer_ = watch.list_.get();
  }
  return watch;
}

}  // namespace busline
