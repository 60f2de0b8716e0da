// What calibration wants to know of a machine: the standard set of suites, from one ping-pong to all pairs at
// once (docs/reference/measuring.md, "The calibration set").
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/testbed/measure_suite.hpp"
#include "measuring/testbed/testbed.hpp"

namespace busline::measure {

struct CalibrationOptions {
  std::uint64_t largest = 4U << 20U;  ///< bytes of a message in curves
  /// Bytes of the messages that share links and buses. Below the 64 KiB from which MPI over TCP uses
  /// rendezvous, whose handshakes wait behind the data of other messages and look like missing or additional
  /// links.
  std::uint64_t concurrent = 48U << 10U;
  RepetitionRules repetition;
  std::uint32_t max_steps = 64;  ///< points of a curve
  std::uint32_t warmup = 5;
  double resolution = kResolution;  ///< as in SuitePlan
};

/// The suites that this job can measure, in the order in which they should be: those that need two nodes, or
/// two ranks on one, are left out where there are none, and named in `left_out` with what they need.
struct CalibrationSet {
  std::vector<SuitePlan> suites;
  struct LeftOut {
    std::string suite, needs;
    bool operator==(const LeftOut&) const = default;
  };
  std::vector<LeftOut> left_out;
};
CalibrationSet calibration_set(const Testbed& testbed, const CalibrationOptions& options);

}  // namespace busline::measure
