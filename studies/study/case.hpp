// The cases of a study: the base case with the values of a point put in.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "studies/study/points.hpp"
#include "studies/study/study.hpp"
#include "studies/study/workload_choice.hpp"

namespace busline {

/// The inputs of one point's simulation.
struct Case {
  std::vector<AxisValue> values;  ///< of each axis
  Platform platform;
  WorkloadChoice workload;
  std::string model;
  bool why = false;  ///< the run is watched, and its outcome includes the "why" metrics
};

/// Made once for a study and asked by all threads.
class Cases {
 public:
  /// Tries every value of every axis in the first point. Errors: a platform that cannot be read; a pointer
  /// that leads nowhere or a value that does not fit, naming its axis; an unknown model, generator or
  /// benchmark. Warnings about the platforms go to `diagnostics`. Cost: a platform is read for each value of
  /// each axis.
  static Expected<Cases> of(Study study, Diagnostics& diagnostics);
  Cases(Cases&&) noexcept;
  Cases& operator=(Cases&&) noexcept;
  ~Cases();

  const Study& study() const { return study_; }
  const Points& points() const { return points_; }
  /// An Error if the values of this point are incompatible. Cost: a platform document is read and checked.
  Expected<Case> at(std::uint64_t point) const;
  Expected<Case> with(std::vector<AxisValue> values) const;
  /// The platforms that were read for this study, as paths.
  std::vector<std::string> files() const;

 private:
  struct Files;
  Cases(Study study, Points points);

  Study study_;
  Points points_;
  std::unique_ptr<Files> files_;
};

/// What decides the outcome of a simulation on this platform, as a text: names, descriptions and the record
/// of a calibration are left out, and a topology's file is there with its content. An Error if that file
/// cannot be read.
Expected<std::string> deciding_text(const Platform& platform);

}  // namespace busline
