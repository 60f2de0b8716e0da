#include "models/sharing/shared_progress.hpp"

namespace busline {

std::uint32_t SharedProgress::start(std::uint32_t id, std::span<const std::uint32_t> way, double amount,
                                    double full_speed, std::int64_t now) {
  const auto hash = FlowTable::hash_of(way, full_speed);
  auto flow = table_.find(hash, [&](std::uint32_t f) { return rates_.is_like(f, way, full_speed); });
  if (flow == FlowTable::kNobody) {
    flow = begin_flow(hash, amount, now);
    rates_.start(flow, way, full_speed);
  } else {
    rates_.join(flow);
  }
  Flow& f = flows_[flow];
  f.marks.push_back({f.clock - passed(flow, now).done - amount, f.started++, id});
  std::push_heap(f.marks.begin(), f.marks.end(), EndsLater{});
  if (id >= flow_of_.size()) flow_of_.resize(id + 1, kNobody);
  return flow_of_[id] = flow;
}

std::uint32_t SharedProgress::begin_flow(std::uint32_t hash, double amount, std::int64_t now) {
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const auto flow = unused_.back();
  unused_.pop_back();
  table_.add(hash, flow);
  Flow& f = flows_[flow];
  f.clock = amount;
  f.rate = 0;
  f.since = now;
  f.announced = kUnannounced;
  f.bottleneck = kNobody;
  f.hash = hash;
  f.started = 0;
  return flow;
}

void SharedProgress::end(std::uint32_t id) {
  const auto flow = flow_of_[id];
  flow_of_[id] = kNobody;
  rates_.end(flow);
  Flow& f = flows_[flow];
  std::pop_heap(f.marks.begin(), f.marks.end(), EndsLater{});
  f.marks.pop_back();
  if (!f.marks.empty()) return set_end(f);
  f.end = kNever;
  table_.remove(f.hash, flow);
  unused_.push_back(flow);
}

void SharedProgress::set_end(Flow& f) const {
  const double takes = std::max(0., f.clock - f.marks.front().clock) / f.rate * unit_time_;
  const bool ends = takes < static_cast<double>(kNever - 1 - f.since);
  f.end = ends ? f.since + Duration::from_double(takes).count() : kNever;
}

/// Keeps its range small, since a clock is as precise as it is near 0.
void SharedProgress::restart_clock(Flow& f) {
  for (auto& mark : f.marks) mark.clock -= f.clock;
  f.clock = 0;
  std::make_heap(f.marks.begin(), f.marks.end(), EndsLater{});  // marks that now are equal
}

}  // namespace busline
