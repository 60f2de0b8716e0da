// The derivative of a time with respect to the machine's parameters.
#pragma once

namespace busline {

/// The growth of a time: per picosecond of /network/latency (a count), and per relative growth of the
/// network's 1/bandwidth or the CPUs' 1/speed (ps). For all machines of a platform together; the times of a
/// node's own latency, of memory and of the WAN are in none of them.
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
