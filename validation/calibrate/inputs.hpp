// Measurements of one machine, checked and put together.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::calibrate {

struct Inputs {
  std::string machine;
  std::string mpi;  ///< the library, as the first measurement that names one does
  measure::TestbedKind testbed = measure::TestbedKind::simulated;
  std::uint32_t nodes = 1, cpus_per_node = 1;
  std::vector<measure::Suite> suites;  ///< with the points that figures are fitted to
  std::vector<measure::Suite>
      held_out;  ///< the same suites with the other points, without those that have none
};

/// Errors (bad_input): no measurement; measurements of different machines or testbeds; a result that is no
/// time; a suite without points. Holds out a share of the points of each curve, at random, but never its
/// first or last one.
Expected<Inputs> gather_inputs(const std::vector<measure::Measurement>& measurements, double hold_out,
                               std::uint64_t seed);

}  // namespace busline::calibrate
