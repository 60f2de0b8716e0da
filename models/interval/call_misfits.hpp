// How far a calibrated platform is off for each MPI call, by its own measurements.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "platforms/description/calibration_record.hpp"

namespace busline {

/// Relative errors as standard deviations: 0.01 is 1 %. A calibration reproduces its measurements up to what
/// the model cannot follow, and a program repeats that error in all its calls of a kind: unlike the noise of
/// single messages, it does not average out.
class CallMisfits {
 public:
  explicit CallMisfits(const CalibrationRecord& record);

  /// deviation_by_median() of the median errors of that operation's suites. For a collective that was not
  /// measured: that of the operation whose algorithms it takes, such as MPI_Alltoall for MPI_Alltoallv, else
  /// of all collectives. For all other calls: that of messages.
  double of(std::string_view call) const;

  /// The spread of a single message's time: the same median of the suites' spreads.
  double noise() const { return noise_; }

 private:
  std::map<std::string, double, std::less<>> by_operation_;
  double collectives_ = 0, messages_ = 0, noise_ = 0;
};

}  // namespace busline
