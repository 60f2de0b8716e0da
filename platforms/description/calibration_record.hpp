// What a calibrated platform says of its figures: where each is from, how sure it is, and how well the
// platform predicts what was measured (docs/how-to/calibration.md). Told to people; no model reads it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace busline {

/// A figure of the platform. Values are texts with units, as in the document.
struct CalibratedFigure {
  std::string figure;               ///< where it is in the document: "/network/latency"
  std::string value, low, high;     ///< low, high: with 95 % confidence; empty where there is no bound
  std::vector<std::string> suites;  ///< which measurements it is from; none: it is assumed
  std::string remark;
  bool operator==(const CalibratedFigure&) const = default;
};

/// How far the predictions of a suite's points are from what was measured, as shares: 0.01 is 1 %.
struct CalibratedSuite {
  std::string name;
  std::uint32_t points = 0;
  double median_error = 0, worst_error = 0;  ///< without sign
  std::uint64_t worst_at = 0;                ///< argument of the worst point
  bool held_out = false;                     ///< of points that no figure was fitted to
  bool operator==(const CalibratedSuite&) const = default;
};

struct CalibrationRecord {
  std::string machine, testbed;
  std::vector<CalibratedFigure> figures;
  std::vector<CalibratedSuite> suites;
  std::vector<std::string> warnings;  ///< what the measurements could not tell
  bool operator==(const CalibrationRecord&) const = default;
};

}  // namespace busline
