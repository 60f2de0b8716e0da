#include "models/sharing/max_min.hpp"

#include <algorithm>
#include <cmath>

namespace busline {
namespace {

// Levels closer than this count as equal. Sums of n rates have errors of n / 10^16, and a second is 10^12 ps.
constexpr double kPrecision = 1e-12;

bool equal(double a, double b) {
  return a == b || (std::isfinite(a) && std::abs(a - b) <= kPrecision * a);
}

}  // namespace

std::uint32_t MaxMinRates::add_resource(double capacity) {
  resources_.emplace_back();
  resources_.back().capacity = capacity;
  return static_cast<std::uint32_t>(resources_.size() - 1);
}

void MaxMinRates::start(std::uint32_t flow, std::span<const std::uint32_t> way, double full_speed) {
  if (flow >= flows_.size()) {
    flows_.resize(flow + 1);
    limits_.resize(flow + 1);
  }
  Flow& f = flows_[flow];
  f.count = 1;
  f.recounted = true;
  f.rate = 0;
  f.full_speed = full_speed;
  fastest_ = std::max(fastest_, full_speed);
  f.bottleneck = kNobody;
  f.way.clear();
  for (const auto resource : way) {
    Resource& r = resources_[resource];
    f.way.push_back({resource, static_cast<std::uint32_t>(r.flows.size())});
    r.flows.push_back(flow);
    r.peak = std::max(r.peak, ++r.count);
    queue(resource);
  }
  find_limits(flow);
  touch(flow);
}

void MaxMinRates::join(std::uint32_t flow) {
  Flow& f = flows_[flow];
  ++f.count;
  f.recounted = true;
  for (const auto& stop : f.way) {
    Resource& r = resources_[stop.resource];
    r.peak = std::max(r.peak, ++r.count);
    queue(stop.resource);
  }
  touch(flow);
}

void MaxMinRates::end(std::uint32_t flow) {
  Flow& f = flows_[flow];
  if (--f.count > 0) {
    f.recounted = true;
    for (const auto& stop : f.way) {
      --resources_[stop.resource].count;
      queue(stop.resource);
    }
    return touch(flow);
  }
  for (const auto& stop : f.way) {
    Resource& r = resources_[stop.resource];
    --r.count;
    const auto last = r.flows.back();
    r.flows[stop.place] = last;
    r.flows.pop_back();
    if (last != flow)
      for (auto& moved : flows_[last].way)
        if (moved.resource == stop.resource) moved.place = stop.place;
    queue(stop.resource);
  }
}

void MaxMinRates::find_limits(std::uint32_t flow) {
  const Flow& f = flows_[flow];
  Limits l{f.full_speed, f.full_speed, kNobody};
  for (const auto& stop : f.way) {
    const auto level = resources_[stop.resource].level;
    if (level < l.lowest)
      l = {level, l.lowest, stop.resource};
    else
      l.next = std::min(l.next, level);
  }
  limits_[flow] = l;
}

/// Updates the limits of a flow on a resource whose level was `before`.
void MaxMinRates::level_changed(std::uint32_t flow, std::uint32_t resource, double before) {
  Limits& l = limits_[flow];
  const double level = resources_[resource].level;
  if (l.resource == resource) {
    if (level > l.next) return find_limits(flow);
    l.lowest = level;
  } else if (level < l.lowest) {
    l = {level, l.lowest, resource};
  } else if (level < l.next) {
    l.next = level;
  } else if (before <= l.next) {
    find_limits(flow);  // this resource may have been the next one
  }
}

/// The rate at which flows not limited elsewhere share the rest of the capacity.
double MaxMinRates::level_of(std::uint32_t resource) {
  const Resource& r = resources_[resource];
  const auto n = r.count;
  if (has_room(r)) return kFree;
  shares_.clear();
  double wanted = 0;
  for (const auto flow : r.flows) {
    shares_.push_back({rate_without(flow, resource), flows_[flow].count});
    wanted += shares_.back().rate * shares_.back().count;
  }
  if (wanted <= r.capacity * (1 + kPrecision)) return kFree;
  // Each round finds further flows below the level, which leave more to the others.
  double level = r.capacity / static_cast<double>(n);
  for (std::size_t below = 0, count = 0;; below = count) {
    double taken = 0;
    count = 0;
    for (const auto& share : shares_)
      if (share.rate < level) {
        taken += share.rate * share.count;
        count += share.count;
      }
    if (count == n) return kFree;  // by rounding only
    if (count <= below) return level;
    level = (r.capacity - taken) / static_cast<double>(n - count);
  }
}

void MaxMinRates::update_levels() {
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const auto resource = queue_[next];
    resources_[resource].queued = false;
    const double level = level_of(resource);
    const double before = resources_[resource].level;
    if (equal(level, before)) continue;
    resources_[resource].level = level;
    for (const auto id : resources_[resource].flows) {
      touch(id);
      const double elsewhere = rate_without(id, resource);
      level_changed(id, resource, before);
      if (std::min(level, elsewhere) == std::min(before, elsewhere)) continue;
      for (const auto& stop : flows_[id].way)
        if (stop.resource != resource && !has_room(resources_[stop.resource])) queue(stop.resource);
    }
    // Drops processed entries from time to time: the queue is short, but settling can take long.
    if (next > 1024 && next * 2 > queue_.size()) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(next) + 1);
      next = static_cast<std::size_t>(-1);
    }
  }
  queue_.clear();
}

}  // namespace busline
