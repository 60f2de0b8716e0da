#include "validation/cluster/switch_queue.hpp"

#include <algorithm>

#include "sim/base/assert.hpp"

namespace busline::cluster {
namespace {

std::uint8_t narrow(HostId host) {
  return static_cast<std::uint8_t>(host);
}

}  // namespace

SwitchQueue::SwitchQueue(std::uint32_t hosts, const NetworkSettings& settings)
    : hosts_(hosts),
      settings_(settings),
      pairs_(hosts * hosts),
      last_(hosts * hosts),
      out_(hosts),
      in_(hosts) {
  SIM_ASSERT(hosts >= 1 && hosts <= kMostHosts);
}

void SwitchQueue::set(const NetworkSettings& settings) {
  settings_ = settings;
}

void SwitchQueue::send(Time now, HostId from, HostId to, Bytes bytes, FrameId frame) {
  Frame f{now, 0, bytes, frame, narrow(from), narrow(to), Stage::pair};
  // Without the pairs' servers a host's frames leave in the order in which they were sent. With several links
  // they are needed, so that one message does not use two links at once.
  if (!settings_.fair && settings_.links == 1) f.stage = Stage::out;
  push(f);
}

void SwitchQueue::send_past_servers(Time now, HostId to, FrameId frame) {
  push({now + settings_.latency, 0, Bytes{0}, frame, 0, narrow(to), Stage::flight});
}

Time SwitchQueue::next() const {
  return frames_.empty() ? Time::never() : frames_.top().due;
}

std::optional<Delivery> SwitchQueue::deliver(Time now) {
  while (!frames_.empty() && frames_.top().due <= now) {
    const Frame f = frames_.top();
    frames_.pop();
    if (f.stage == Stage::flight) return Delivery{HostId{f.to}, f.id, f.due};
    move_on(f);
  }
  return {};
}

void SwitchQueue::push(Frame frame) {
  frame.sequence = next_sequence_++;
  frames_.push(frame);
}

// The frame has reached the server of its stage.
void SwitchQueue::move_on(Frame f) {
  switch (f.stage) {
    case Stage::pair:
      f.due = begin(pairs_[f.from * hosts_ + f.to], f, 1);
      f.stage = Stage::out;
      break;
    case Stage::out:
      f.due = begin(out_[f.from], f, settings_.links);
      f.stage = Stage::buses;
      break;
    case Stage::buses:
      if (takes_bus(f)) f.due = begin(buses_, f, *settings_.buses);
      f.stage = Stage::in;
      break;
    case Stage::in:
      f.due = begin(in_[f.to], f, settings_.links);
      // A short frame must not overtake a long one of its pair on a second link or bus.
      f.due = begin(last_[f.from * hosts_ + f.to], f, 1) + f.bytes / settings_.rate + settings_.latency;
      f.stage = Stage::flight;
      break;
    case Stage::flight:
      break;
  }
  push(f);
}

// When a server with the rate of `links` links begins with the frame.
Time SwitchQueue::begin(Time& server_free_at, const Frame& f, std::uint32_t links) {
  const Time begins = std::max(f.due, server_free_at);
  const auto rate = settings_.rate.is_unlimited()
                        ? settings_.rate
                        : Bandwidth::bytes_per_second(settings_.rate.in_bytes_per_second() * links);
  server_free_at = begins + f.bytes / rate;
  return begins;
}

bool SwitchQueue::takes_bus(const Frame& f) const {
  if (!settings_.buses) return false;
  return !settings_.halves || (f.from < hosts_ / 2) != (f.to < hosts_ / 2);
}

}  // namespace busline::cluster
