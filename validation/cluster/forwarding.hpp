// The switch's work: frames from ports into the queue, and out of it when they are due.
#pragma once
#include <poll.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.hpp"
#include "validation/cluster/switch_queue.hpp"
#include "validation/cluster/tap_port.hpp"

namespace busline::cluster {

/// How well the switch kept its times.
struct ForwardingStatistics {
  std::uint64_t frames = 0;   ///< that were read
  std::uint64_t dropped = 0;  ///< without a receiver, or rejected by the kernel
  std::uint64_t delivered = 0;
  Duration late;    ///< how long after they were due frames were written, summed up
  Duration latest;  ///< the same, of one frame
};

/// Forwards frames among ports. Host i is at port i.
class Forwarding {
 public:
  /// At most kMostHosts ports.
  Forwarding(std::vector<TapPort> ports, const NetworkSettings& settings);

  /// Takes effect immediately. Tries all ports, then returns the error of one that could not be set.
  Expected<void> set(const NetworkSettings& settings);

  /// Waits until a frame comes or is due, or a signal arrives that is not in `blocked`; then handles it.
  /// False when no port is left: the namespaces have been deleted.
  bool work(const sigset_t& blocked);

  const ForwardingStatistics& statistics() const { return statistics_; }

 private:
  using Frame = std::vector<std::uint8_t>;

  Time now() const;
  void deliver_due();
  void take_frames(HostId from);
  void forward(HostId from, std::span<const std::uint8_t> bytes);
  FrameId keep(std::span<const std::uint8_t> bytes);

  std::vector<TapPort> ports_;
  std::vector<pollfd> polled_;
  SwitchQueue queue_;
  // Frames on their way by their FrameId, and the places in there that are free. Places keep their memory.
  std::vector<Frame> frames_;
  std::vector<FrameId> free_;
  Frame arriving_;
  // Times count from here: since the machine started they might not fit into 106 days.
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  ForwardingStatistics statistics_;
};

}  // namespace busline::cluster
