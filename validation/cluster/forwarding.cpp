#include "validation/cluster/forwarding.hpp"

#include <algorithm>
#include <ctime>
#include <thread>
#include <utility>

namespace busline::cluster {
namespace {

constexpr std::size_t kLargestFrame = 65'536;
constexpr int kFramesAtOnce = 32;  // from one port, before the others and what is due have their turn

timespec to_timespec(Duration d) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const auto ns = std::max<std::int64_t>(d.count(), 0) / 1000;
  return {ns / kSecond, ns % kSecond};
}

}  // namespace

Forwarding::Forwarding(std::vector<TapPort> ports, const NetworkSettings& settings)
    : ports_(std::move(ports)),
      queue_(static_cast<std::uint32_t>(ports_.size()), settings),
      arriving_(kLargestFrame) {
  for (const auto& port : ports_) polled_.push_back({port.descriptor(), POLLIN, 0});
}

Expected<void> Forwarding::set(const NetworkSettings& settings) {
  queue_.set(settings);
  Expected<void> result;
  for (auto& port : ports_)
    if (auto set = port.set_mtu(settings.mtu); !set) result = std::move(set);
  return result;
}

bool Forwarding::work(const sigset_t& blocked) {
  deliver_due();
  const auto next = queue_.next();
  const auto wait = to_timespec(next - now());
  const int ready =
      ::ppoll(polled_.data(), polled_.size(), next == Time::never() ? nullptr : &wait, &blocked);
  if (ready <= 0) return true;  // something is due, or a signal came
  std::size_t gone = 0;
  for (std::uint32_t i = 0; i < polled_.size(); ++i) {
    if ((polled_[i].revents & POLLIN) != 0) take_frames(HostId{i});
    if ((polled_[i].revents & (POLLERR | POLLNVAL)) != 0) ++gone;
  }
  // poll() reports an interface that is gone at once and again; the others still need us, but not all of the
  // CPU.
  if (gone > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return gone < ports_.size();
}

Time Forwarding::now() const {
  const std::chrono::nanoseconds since_start = std::chrono::steady_clock::now() - start_;
  return Time::at(Duration::picoseconds(since_start.count() * 1000));
}

void Forwarding::deliver_due() {
  while (const auto delivery = queue_.deliver(now())) {
    const auto late = now() - delivery->due;
    statistics_.late += late;
    statistics_.latest = std::max(statistics_.latest, late);
    ++statistics_.delivered;
    const auto& frame = frames_[static_cast<std::size_t>(delivery->frame)];
    if (!ports_[static_cast<std::size_t>(delivery->to)].write(frame)) ++statistics_.dropped;
    free_.push_back(delivery->frame);
  }
}

void Forwarding::take_frames(HostId from) {
  for (int n = 0; n < kFramesAtOnce; ++n) {
    const auto size = ports_[static_cast<std::size_t>(from)].read(arriving_);
    if (!size) return;
    ++statistics_.frames;
    forward(from, std::span(arriving_).first(*size));
  }
}

void Forwarding::forward(HostId from, std::span<const std::uint8_t> bytes) {
  const auto hosts = static_cast<std::uint32_t>(ports_.size());
  const auto arrived = now();
  if (goes_to_all(bytes)) {
    for (std::uint32_t to = 0; to < hosts; ++to)
      if (HostId{to} != from) queue_.send_past_servers(arrived, HostId{to}, keep(bytes));
    return;
  }
  const auto to = destination(bytes, hosts);
  if (!to)
    ++statistics_.dropped;
  else if (is_bare_tcp_segment(bytes))
    queue_.send_past_servers(arrived, *to, keep(bytes));
  else
    queue_.send(arrived, from, *to, Bytes{bytes.size()}, keep(bytes));
}

FrameId Forwarding::keep(std::span<const std::uint8_t> bytes) {
  if (free_.empty()) {
    free_.push_back(FrameId{static_cast<std::uint32_t>(frames_.size())});
    frames_.emplace_back();
  }
  const auto id = free_.back();
  free_.pop_back();
  frames_[static_cast<std::size_t>(id)].assign(bytes.begin(), bytes.end());
  return id;
}

}  // namespace busline::cluster
