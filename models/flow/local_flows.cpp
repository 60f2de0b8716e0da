#include "models/flow/local_flows.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/units.hpp"

namespace busline {

namespace {
constexpr double kPerSecond = 1e12;              // ps
constexpr auto kLast = Duration::max().count();  // no flow ends then
}  // namespace

bool LocalFlows::knows(const FlowLaw& law) {
  return !law.weighted && !law.crosstraffic && std::isinf(law.window);
}

std::uint32_t LocalFlows::add_link(double capacity, bool shared) {
  links_.push_back({capacity, shared ? rates_.add_resource(capacity) : 0, shared});
  return static_cast<std::uint32_t>(links_.size() - 1);
}

void LocalFlows::start(std::uint32_t flow, const FlowWay& way, std::uint64_t amount, std::int64_t now) {
  if (flow >= transfers_.size()) transfers_.resize(flow + 1);
  double full_speed = links_[way.links.front()].capacity;
  way_.clear();
  for (const auto l : way.links) {
    full_speed = std::min(full_speed, links_[l].capacity);
    if (links_[l].shared) way_.push_back(links_[l].resource);
  }
  transfers_[flow] = {static_cast<double>(amount), 0, now, 0, 0, started_++, true};
  rates_.start(flow, way_, full_speed);
  ++under_way_;
  settled_ = false;
}

bool LocalFlows::run(FlowClient& client) {
  for (;;) {
    const auto own = client.next_event();
    const bool own_now = own != FlowClient::kNoEvent && own <= now_;
    // Ends of flows come after the replay's events of the same picosecond, and rates after both.
    if (!own_now && !ends_.empty() && ends_.next_time() == now_) {
      end_flows(client);
      continue;
    }
    if (!own_now && !settled_) {
      settle();
      continue;
    }
    const auto end = ends_.empty() ? FlowClient::kNoEvent : ends_.next_time();
    if (own == FlowClient::kNoEvent && (end == FlowClient::kNoEvent || end == kLast)) return under_way_ == 0;
    now_ = std::max(now_, own == FlowClient::kNoEvent   ? end
                          : end == FlowClient::kNoEvent ? own
                                                        : std::min(own, end));
    if (own != FlowClient::kNoEvent && own <= now_) client.run_to(now_);
  }
}

void LocalFlows::settle() {
  settled_ = true;
  rates_.settle([&](std::uint32_t flow, double rate) {
    Transfer& t = transfers_[flow];
    t.left = std::max(0., t.left - static_cast<double>(now_ - t.since) / kPerSecond * t.rate);
    t.since = now_;
    t.rate = rate;
    const double takes = t.left / rate * kPerSecond;
    t.end = takes < static_cast<double>(kLast - now_) ? now_ + static_cast<std::int64_t>(std::llround(takes))
                                                      : kLast;
    announce(flow);
  });
}

/// A flow that became slower is looked at when it would have ended, and announced again then.
void LocalFlows::announce(std::uint32_t flow) {
  Transfer& t = transfers_[flow];
  if (t.announced > now_ && t.announced <= t.end) return;
  t.announced = t.end;
  ends_.push({t.end, 0, flow});
}

/// All that end now.
void LocalFlows::end_flows(FlowClient& client) {
  ended_.clear();
  while (!ends_.empty() && ends_.next_time() == now_) {
    const auto flow = ends_.pop().subject;
    Transfer& t = transfers_[flow];
    // The number may be another flow's by now, or its end may have moved.
    if (!t.under_way || t.announced != now_) continue;
    if (t.end > now_) {
      announce(flow);
      continue;
    }
    t.under_way = false;
    rates_.end(flow);
    ended_.push_back(flow);
    settled_ = false;
  }
  std::sort(ended_.begin(), ended_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return transfers_[a].number < transfers_[b].number; });
  under_way_ -= ended_.size();
  for (const auto flow : ended_) client.flow_ended(flow, now_);
}

}  // namespace busline
