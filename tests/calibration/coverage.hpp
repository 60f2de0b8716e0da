// How often the intervals of a calibrated platform contain the truth.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"

namespace busline::calibrate {

enum class Verdict {
  right,         ///< the truth is inside the interval, or the figure has none and is the truth
  wrong,         ///< it is not
  undetermined,  ///< the platform says that the measurements do not show it
};

struct FigureVerdict {
  std::string figure;
  Verdict verdict = Verdict::right;
  std::string text;  ///< the truth, what was found, and its interval
};

/// Of each figure of messages, links and buses. `found` has a calibration record.
std::vector<FigureVerdict> judge(const Platform& secret, const Platform& found);

/// How far off the times of a suite are that `found` predicts, from those that `secret` gives: the median and
/// the largest of |log(found / secret)| over its points. Nothing if it cannot be predicted.
struct SuiteError {
  double median = 0, worst = 0;
};
std::optional<SuiteError> suite_error(const measure::Suite& suite, const Platform& secret,
                                      const Platform& found);

}  // namespace busline::calibrate
