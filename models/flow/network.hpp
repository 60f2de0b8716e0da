// The network whose messages are flows: they share the links of a routed topology or, without one, the same
// links and buses as in models/sharing/. A solver (flows.hpp) determines rates and ends, not the replay's
// events.
//
// Other costs of a message (overheads, L, handshakes) are as in the Dimemas model. The latencies of a
// topology's links add to L, as flight time before the first byte. Source: docs/model.md, section 8.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/costs/uncontended_network.hpp"
#include "models/flow/routed_links.hpp"
#include "models/sharing/shared_resources.hpp"
#include "models/sharing/streams.hpp"

namespace busline {

/// The solver's law for a platform's options, and the factors that the network applies itself.
struct FlowCharges {
  FlowLaw law;
  double latency_factor = 1, bandwidth_factor = 1;  ///< of a topology's links
};
FlowCharges flow_charges(const FlowOptions& options);

class FlowNetwork : public UncontendedNetwork {
 public:
  /// All must outlive it. `routed`: by machine, null where it has no topology.
  FlowNetwork(const DimemasCosts& costs, const Program& program,
              const std::vector<std::optional<RoutedNetwork>>& routed, Flows& flows);

  template <class R>
  void launch(R& r, MessageId id);
  template <class R>
  void release(R& r, MessageId id);
  /// The links' latency has passed, or the flow has ended.
  template <class R>
  void on_event(R& r, MessageId id);

  /// The use of every limited resource, in a fixed order. It does not show which of them a message waited
  /// for: its sender's link_wait holds the entire delay.
  std::vector<ResourceResult> resources() const;

 private:
  struct Transfer {
    enum class State : std::uint8_t { none, in_flight, flowing } state = State::none;
    std::uint64_t hash = 0;
    std::int64_t since = 0, alone = 0;  // when the flow started, and its length without sharing; ps
  };

  bool is_routed(const Message& m) const {
    return static_cast<Route>(m.route) == Route::network && routed_[costs_.machine_of(m.source)].has_value();
  }
  bool shares(const Message& m) { return is_routed(m) || !resources_.way_of(m).empty(); }
  const RoutedLinks::Way& way_of(const Message& m, std::uint64_t hash) {
    return routed_[costs_.machine_of(m.source)]->find(costs_.node_of(m.source), costs_.node_of(m.destination),
                                                      hash);
  }
  std::uint64_t next_hash(const Message& m);
  SizeClass routed_factors(const Message& m) const;
  std::uint64_t routed_amount(const Message& m) const;
  std::uint32_t solver_number(std::uint32_t resource);
  template <class R>
  void begin(R& r, MessageId id);
  template <class R>
  void start_routed(R& r, MessageId id);
  template <class R>
  void start_shared(R& r, MessageId id);
  template <class R>
  void start(R& r, MessageId id, const FlowWay& way, std::uint64_t amount, double rate);

  Flows& flows_;
  SharedResources resources_;
  Streams streams_;
  FlowCharges charges_;
  std::vector<std::optional<RoutedLinks>> routed_;  // by machine
  std::vector<std::uint32_t> numbers_;              // the solver's, by resource
  IdVector<RankId, std::uint32_t> full_speed_;      // likewise
  std::vector<std::uint32_t> way_;                  // kept for its capacity
  IdVector<MessageId, Transfer> transfers_;
  std::uint64_t messages_ = 0;
};

template <class R>
void FlowNetwork::launch(R& r, MessageId id) {
  if (!shares(r.message(id))) return r.begin_transfer(id);
  if (streams_.may_begin(r, id)) begin(r, id);
}

template <class R>
void FlowNetwork::release(R& r, MessageId id) {
  if (!streams_.in_order() || !shares(r.message(id))) return;
  if (const auto next = streams_.next_after(r, id); next != kNone) begin(r, next);
}

template <class R>
void FlowNetwork::begin(R& r, MessageId id) {
  const Message& m = r.message(id);
  transfers_.reach(id);
  Transfer& t = transfers_[id];
  t = {};
  if (!is_routed(m)) return start_shared(r, id);
  t.hash = next_hash(m);
  auto latency = way_of(m, t.hash).latency.in_seconds() * routed_factors(m).latency_factor;
  if (noise_ && latency > 0) latency *= noise_->latency_factor();
  const auto delay = Duration::seconds(latency).count();
  if (delay == 0) return start_routed(r, id);
  t.state = Transfer::State::in_flight;
  r.call_model(delay, id);
}

/// The replay ends transfers that need no flow: empty messages, and those on unlimited links.
template <class R>
void FlowNetwork::start_routed(R& r, MessageId id) {
  const Message& m = r.message(id);
  const auto& way = way_of(m, transfers_[id].hash);
  const auto amount = routed_amount(m);
  if (amount == 0 || way.links.empty()) return r.begin_transfer(id);
  routed_[costs_.machine_of(m.source)]->count(amount);
  // SimGrid treats only flows without latency as unweighted.
  constexpr double kLeast = 1e-6;
  start(r, id, {way.links, way.back, std::max(kLeast, way.latency.in_seconds())}, amount, way.rate);
}

/// A flow of as many units as picoseconds without sharing, over links that carry 10^12 per second.
template <class R>
void FlowNetwork::start_shared(R& r, MessageId id) {
  const Message& m = r.message(id);
  if (m.transfer == 0) return r.begin_transfer(id);
  const auto& way = resources_.way_of(m);
  resources_.count(way, m.transfer);
  way_.clear();
  bool full_speed = true;
  for (const auto resource : way) {
    way_.push_back(solver_number(resource));
    full_speed = full_speed && resources_[resource].capacity > 1;
  }
  if (full_speed) {
    auto& link = full_speed_[m.source];
    if (link == kNone) link = flows_.add_link(1e12, false);
    way_.push_back(link);
  }
  start(r, id, {way_, {}, 1e-6}, static_cast<std::uint64_t>(m.transfer), 1e12);
}

template <class R>
void FlowNetwork::start(R& r, MessageId id, const FlowWay& way, std::uint64_t amount, double rate) {
  Transfer& t = transfers_[id];
  t.state = Transfer::State::flowing;
  t.since = r.now();
  t.alone = Duration::seconds(static_cast<double>(amount) / rate).count();
  r.tell_began(id, t.alone);
  flows_.start(raw(id), way, amount, r.now());
}

template <class R>
void FlowNetwork::on_event(R& r, MessageId id) {
  Transfer& t = transfers_[id];
  if (t.state == Transfer::State::in_flight) {
    t.state = Transfer::State::none;
    return start_routed(r, id);
  }
  t.state = Transfer::State::none;
  r.totals(r.message(id).source)
      .add_wait(&SenderTotals::link_wait, std::max<std::int64_t>(0, r.now() - t.since - t.alone));
  r.transfer_done(id);
}

}  // namespace busline
