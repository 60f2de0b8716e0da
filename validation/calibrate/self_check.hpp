// How well a calibrated platform reproduces the measurements that it comes from
// (docs/how-to/calibration.md, "Is the platform good?").
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"

namespace busline::calibrate {

/// A measured time and what the platform predicts for it.
struct Residual {
  std::string suite;
  std::uint64_t argument = 0;
  double measured_ps = 0, modelled_ps = 0;
  bool held_out = false;
  double error() const { return modelled_ps / measured_ps - 1; }
};

/// By suite. A suite is off if its errors are beyond what is tolerated and beyond three times the spread of
/// its samples: the median over its points, or over the sizes of one octave. `suites` are those that the
/// residuals are from; either all residuals are held out or none.
std::vector<CalibratedSuite> check_suites(const std::vector<Residual>& residuals,
                                          const std::vector<measure::Suite>& suites,
                                          const Platform& platform);

}  // namespace busline::calibrate
