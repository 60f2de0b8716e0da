#include "studies/report/coarse_lanes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace busline::report {
namespace {

// The time of each kind in each of equal steps.
class StepCurve {
 public:
  StepCurve(const Lanes& lanes, std::int64_t step, std::size_t steps)
      : lanes_(lanes), step_(step), steps_(steps), time_(steps * lanes.kinds.size()) {}

  void add(const Lanes::Lane& lane) {
    for (const auto& p : lane.pieces)
      for (auto at = p.from; at < p.to;) {
        const auto number = (at - lanes_.from) / step_;
        const auto until = std::min(p.to, lanes_.from + (number + 1) * step_);
        time_[static_cast<std::size_t>(number) * lanes_.kinds.size() + p.kind] += until - at;
        at = until;
      }
  }

  // Neighbours of one kind are one piece.
  std::vector<Lanes::Piece> pieces() const {
    std::vector<Lanes::Piece> all;
    for (std::size_t i = 0; i < steps_; ++i) {
      const auto first = time_.begin() + static_cast<std::ptrdiff_t>(i * lanes_.kinds.size());
      const auto most = std::max_element(first, first + static_cast<std::ptrdiff_t>(lanes_.kinds.size()));
      if (*most == 0) continue;
      const auto kind = static_cast<std::uint32_t>(most - first);
      const auto from = lanes_.from + static_cast<std::int64_t>(i) * step_;
      const auto to = std::min(lanes_.to, from + step_);
      if (!all.empty() && all.back().kind == kind && all.back().to == from)
        all.back().to = to;
      else
        all.push_back({from, to, kind});
    }
    return all;
  }

 private:
  const Lanes& lanes_;
  std::int64_t step_;
  std::size_t steps_;
  std::vector<std::int64_t> time_;
};

std::size_t pieces_of(const Lanes& lanes) {
  std::size_t n = 0;
  for (const auto& lane : lanes.lanes) n += lane.pieces.size();
  return n;
}

}  // namespace

Coarsening make_coarse(Lanes& lanes, std::size_t most_lanes, std::size_t most_pieces,
                       std::size_t most_arrows) {
  Coarsening how;
  const auto count = lanes.lanes.size();
  how.lanes_in_one = std::max<std::size_t>(1, (count + most_lanes - 1) / most_lanes);
  if (lanes.arrows.size() > most_arrows || how.lanes_in_one > 1)
    how.arrows_left_out = std::exchange(lanes.arrows, {}).size();
  if (how.lanes_in_one == 1 && pieces_of(lanes) <= most_pieces) return how;

  const auto left = (count + how.lanes_in_one - 1) / how.lanes_in_one;
  const auto wanted = static_cast<std::int64_t>(std::max<std::size_t>(1, most_pieces / left));
  const auto length = std::max<std::int64_t>(1, lanes.to - lanes.from);
  how.step = length / wanted + (length % wanted != 0 ? 1 : 0);
  const auto steps = static_cast<std::size_t>((length - 1) / how.step + 1);
  std::vector<Lanes::Lane> coarse;
  for (std::size_t first = 0; first < count; first += how.lanes_in_one) {
    const auto last = std::min(first + how.lanes_in_one, count) - 1;
    StepCurve together(lanes, how.step, steps);
    for (std::size_t i = first; i <= last; ++i) together.add(lanes.lanes[i]);
    auto name = lanes.lanes[first].name;
    if (last > first) name.append(" to ").append(lanes.lanes[last].name);
    coarse.push_back({std::move(name), together.pieces()});
  }
  lanes.lanes = std::move(coarse);
  return how;
}

}  // namespace busline::report
