#include "studies/study/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/random.hpp"
#include "studies/study/value_name.hpp"

namespace busline {
namespace {

tl::unexpected<Error> refuse_points(std::string message, std::string hint = {}) {
  Error e;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return tl::unexpected(std::move(e));
}

// The same for the same seed, axis and point, in whatever order they are asked for.
double chance(std::uint64_t seed, std::size_t axis, std::uint64_t point) {
  Random of_axis(Random(seed).next() ^ axis);
  Random random(of_axis.next() ^ point);
  return static_cast<double>(random.next() >> 11U) * 0x1p-53;
}

Expected<std::uint64_t> product(const std::vector<Axis>& axes) {
  std::uint64_t count = 1;
  for (const auto& axis : axes) {
    count *= axis.values.size();  // both are below 2^32: kMostPoints, and the bytes of a document
    if (count > kMostPoints)
      return refuse_points(fmt::format("the axes give more than {} points", kMostPoints),
                           "take a sample of them with \"combine\": \"random\" or \"latin\"");
  }
  return count;
}

// Axes with one value keep it.
Expected<std::uint64_t> longest(const std::vector<Axis>& axes) {
  const Axis* first = nullptr;
  for (const auto& axis : axes) {
    if (!axis.varies()) continue;
    if (first == nullptr) first = &axis;
    if (axis.values.size() != first->values.size())
      return refuse_points(fmt::format("'zip' needs axes of equal length: {} has {} values, {} has {}",
                                       first->label, first->values.size(), axis.label, axis.values.size()));
  }
  return first == nullptr ? 1 : first->values.size();
}

}  // namespace

Expected<Points> Points::of(std::vector<Axis> axes, const Sampling& sampling) {
  Points points;
  const bool samples = sampling.kind == Sampling::Kind::random || sampling.kind == Sampling::Kind::latin;
  auto count = sampling.kind == Sampling::Kind::product ? product(axes)
               : samples                                ? Expected<std::uint64_t>(sampling.points)
                                                        : longest(axes);
  if (!count) return tl::unexpected(std::move(count.error()));
  if (samples && (*count == 0 || *count > kMostPoints))
    return refuse_points(fmt::format("{} samples, expected 1 to {}", *count, kMostPoints));
  if (sampling.kind == Sampling::Kind::latin) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
      auto& order = points.strata_.emplace_back();
      if (!axes[a].varies()) continue;
      order.resize(*count);
      std::iota(order.begin(), order.end(), 0U);
      Random random(Random(sampling.seed).next() ^ (a << 32U));
      shuffle(order, random);
    }
  }
  points.axes_ = std::move(axes);
  points.sampling_ = sampling;
  points.count_ = *count;
  return points;
}

AxisValue Points::sampled(std::size_t axis, std::uint64_t point) const {
  const auto& a = axes_[axis];
  if (!a.varies()) return a.values.front();
  auto share = chance(sampling_.seed, axis, point);
  if (sampling_.kind == Sampling::Kind::latin)
    share = (strata_[axis][point] + share) / static_cast<double>(count_);
  if (a.range) {
    auto json = a.range->at(share);
    auto name = value_name(json);
    return {std::move(json), std::move(name)};
  }
  const auto choices = static_cast<double>(a.values.size());
  const auto index = static_cast<std::size_t>(share * choices);
  return a.values[std::min(index, a.values.size() - 1)];
}

std::vector<AxisValue> Points::at(std::uint64_t point) const {
  std::vector<AxisValue> values(axes_.size());
  auto rest = point;
  for (auto i = axes_.size(); i-- > 0;) {
    const auto& axis = axes_[i];
    switch (sampling_.kind) {
      case Sampling::Kind::product:
        values[i] = axis.values[rest % axis.values.size()];
        rest /= axis.values.size();
        break;
      case Sampling::Kind::zip:
        values[i] = axis.values[axis.varies() ? point : 0];
        break;
      case Sampling::Kind::random:
      case Sampling::Kind::latin:
        values[i] = sampled(i, point);
        break;
    }
  }
  return values;
}

}  // namespace busline
