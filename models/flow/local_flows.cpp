#include "models/flow/local_flows.hpp"

#include <algorithm>
#include <cmath>

namespace busline {

/// Units a second, on a clock of picoseconds.
LocalFlows::LocalFlows() : progress_(1e12) {}

bool LocalFlows::knows(const FlowLaw& law) {
  return !law.weighted && !law.crosstraffic && std::isinf(law.window);
}

std::uint32_t LocalFlows::add_link(double capacity, bool shared) {
  links_.push_back({capacity, shared ? progress_.add_resource(capacity) : 0, shared});
  return static_cast<std::uint32_t>(links_.size() - 1);
}

void LocalFlows::start(std::uint32_t flow, const FlowWay& way, std::uint64_t amount, std::int64_t now) {
  if (flow >= numbers_.size()) numbers_.resize(flow + 1);
  double full_speed = links_[way.links.front()].capacity;
  way_.clear();
  for (const auto l : way.links) {
    full_speed = std::min(full_speed, links_[l].capacity);
    if (links_[l].shared) way_.push_back(links_[l].resource);
  }
  numbers_[flow] = started_++;
  progress_.start(flow, way_, static_cast<double>(amount), full_speed, now);
  ++under_way_;
  settled_ = false;
}

bool LocalFlows::run(FlowClient& client) {
  for (;;) {
    const auto own = client.next_event();
    const bool own_now = own != FlowClient::kNoEvent && own <= now_;
    // Ends of flows follow the replay's events of the same picosecond, and rates follow both.
    if (!own_now && !ends_.empty() && ends_.next_time() == now_) {
      end_flows(client);
      continue;
    }
    if (!own_now && !settled_) {
      settle();
      continue;
    }
    const auto end = ends_.empty() ? FlowClient::kNoEvent : ends_.next_time();
    if (own == FlowClient::kNoEvent && (end == FlowClient::kNoEvent || end == SharedProgress::kNever))
      return under_way_ == 0;
    now_ = std::max(now_, own == FlowClient::kNoEvent   ? end
                          : end == FlowClient::kNoEvent ? own
                                                        : std::min(own, end));
    if (own != FlowClient::kNoEvent && own <= now_) client.run_to(now_);
  }
}

void LocalFlows::settle() {
  settled_ = true;
  progress_.settle(
      now_, [](auto, auto) {}, announce());
}

/// All flows that end now.
void LocalFlows::end_flows(FlowClient& client) {
  ended_.clear();
  while (!ends_.empty() && ends_.next_time() == now_) {
    const auto end_flow = [this](std::uint32_t flow) {
      progress_.end(flow);
      ended_.push_back(flow);
      settled_ = false;
    };
    progress_.end_due(ends_.pop().subject, now_, end_flow, announce());
  }
  std::sort(ended_.begin(), ended_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return numbers_[a] < numbers_[b]; });
  under_way_ -= ended_.size();
  for (const auto flow : ended_) client.flow_ended(flow, now_);
}

}  // namespace busline
