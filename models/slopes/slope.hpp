// The derivative of a time after what a machine is like.
#pragma once

namespace busline {

/// What a time grows by: with each picosecond of /network/latency (a count), and for each unit by which the
/// network's 1/bandwidth or the CPUs' 1/speed grows relative to what it is (ps). All machines of a platform
/// together; what a node's own latency, memory or the WAN take is in none of them.
struct Slope {
  double latency = 0;
  double transfer = 0;
  double compute = 0;

  friend Slope operator+(Slope a, const Slope& b) {
    a.latency += b.latency;
    a.transfer += b.transfer;
    a.compute += b.compute;
    return a;
  }
};

}  // namespace busline
