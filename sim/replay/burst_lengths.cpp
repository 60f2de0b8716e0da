#include "sim/replay/burst_lengths.hpp"

namespace busline {

std::int64_t BurstLengths::scaled_length(StrandId strand, NodeId node, std::int64_t traced,
                                         bool in_module) const {
  const double speed = machine_.nodes[node].speed;
  if (!in_module)
    return speed == 1 ? traced : Duration::from_double(static_cast<double>(traced) / speed).count();
  const auto& module = machine_.modules[open_[strand].back()];
  if (module.ratio == 0) return 0;
  const double length = module.ratio < 0 ? static_cast<double>(module.fixed.count())
                                         : static_cast<double>(traced) / module.ratio;
  return Duration::from_double(length / speed).count();
}

void BurstLengths::open_or_close(StrandId strand, std::uint32_t type, std::int64_t value) {
  auto& open = open_[strand];
  const auto& all = machine_.modules;
  if (value != 0) {
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (all[i].type == type && all[i].value == value) {
        open.push_back(i);
        return;
      }
    return;
  }
  for (auto i = open.size(); i-- > 0;)
    if (all[open[i]].type == type) {
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
}

}  // namespace busline
