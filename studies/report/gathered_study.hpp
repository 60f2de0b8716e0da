// All of a study that the sentences and figures of its section are made of.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/report/figure.hpp"
#include "studies/report/study_axes.hpp"
#include "studies/study/comparison.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/store.hpp"

namespace busline::report {

struct GatheredStudy {
  StoredStudy study;
  std::vector<PointOutcome> points;  ///< that are stored, each with a value for each axis
  std::vector<StudyAxis> axes;
  Points::Combined combined = Points::Combined::product;
  Comparison compared;

  /// The slowest point of a workload, or the first of equally slow ones; null if no point is done. Cost:
  /// linear.
  const PointOutcome* slowest(const Comparison::Workload& workload) const;
  /// Which point it is: "buses = 4, latency = 2us", of the axes that vary.
  std::string where(const PointOutcome& point) const;
  /// The same without the axes of workloads.
  std::string choice(const PointOutcome& point) const;
  /// The labels of the axes that vary, without those of workloads: "network/buses and model".
  std::string varied() const;
};
/// Errors: the store's, it contains no study, points that have not a value for each axis.
Expected<GatheredStudy> gather_study(const Store& store);

}  // namespace busline::report
