// A calibrated platform's record of its figures: the origin and confidence interval of each, and how well the
// platform predicts the measurements (docs/how-to/calibration.md). For information only; no model reads it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace busline {

/// A figure of the platform. Values are texts with units, as in the document.
struct CalibratedFigure {
  std::string figure;               ///< its place in the document: "/network/latency"
  std::string value, low, high;     ///< low, high: with 95 % confidence; empty: no bound
  std::vector<std::string> suites;  ///< the measurements that it comes from; none: assumed
  std::string remark;
  bool operator==(const CalibratedFigure&) const = default;
};

/// CalibratedSuite::operation of messages between nodes.
inline constexpr const char* kMessages = "messages";

/// Relative errors of the predictions for a suite's points: 0.01 is 1 %.
struct CalibratedSuite {
  std::string name;
  std::string operation{};  ///< "MPI_Bcast", or kMessages; empty: something else, such as what a call takes
  std::uint32_t points = 0;
  double median_error = 0, worst_error = 0;  ///< without sign
  std::uint64_t worst_at = 0;                ///< argument of the worst point
  bool held_out = false;                     ///< no figure was fitted to these points
  double spread = 0;                         ///< of the samples of a point: half their range; 0: not known
  bool off = false;  ///< missed by more than is tolerated and more than the samples spread
  bool operator==(const CalibratedSuite&) const = default;
};

/// Another explanation of the measurements, which they do not exclude. Lists of assignments as in --set,
/// "/network/buses=4": the members as they were calibrated, and as the other explanation has them.
struct CalibratedAlternative {
  std::string of;  ///< what is explained: "links and buses"
  std::vector<std::string> chosen, other;
  std::string remark;
  bool operator==(const CalibratedAlternative&) const = default;
};

struct CalibrationRecord {
  std::string machine, testbed;
  std::vector<CalibratedFigure> figures;
  std::vector<CalibratedAlternative> alternatives;
  std::vector<CalibratedSuite> suites;
  std::vector<std::string> warnings;  ///< what the measurements could not determine
  bool operator==(const CalibrationRecord&) const = default;
};

}  // namespace busline
