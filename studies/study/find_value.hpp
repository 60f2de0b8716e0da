// The cheapest value of an axis that is good enough: the fewest buses, the largest latency (busline study
// find).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "studies/study/run_study.hpp"

namespace busline {

struct FindOptions {
  /// The run time to compare with; none: that of `base`, or else the best among the values tried.
  std::optional<Duration> target{};
  const Cases* base = nullptr;  ///< its first point is the base case, whose run time is the target
  double within = 0.05;         ///< how much longer a run may take, as a share of the target
  bool largest = false;         ///< the last value along the axis that is good enough, not the first
  unsigned refinements = 6;     ///< rounds in which the values around the border are looked at more closely
};

struct FoundValue {
  struct Tried {
    AxisValue value;
    double place = 0;  ///< where on the axis: 0 to 1
    Outcome outcome;
    bool good = false;
  };
  std::vector<Tried> tried;  ///< along the axis
  Duration target;
  std::optional<std::size_t> found;  ///< of `tried`; none: no value is good enough
  /// Whether beyond the border that was found values are good, bad and good again: run times do not fall or
  /// rise steadily where messages contend.
  bool several_borders = false;
  /// What the target is.
  enum class Target : std::uint8_t { best, base, given };
  Target target_is = Target::best;
  bool interrupted = false;
};

/// Tries the values of the axis of `cases` that varies (exactly one must), and then splits the interval
/// between the last value that is not good enough and the first that is, four parts at a time (kParts); an
/// axis without a range is not refined. Nothing is known about values between those that were tried. Errors:
/// those of run_study; bad_option if not exactly one axis varies, if it is one of workloads, or if the base
/// case has no run time.
Expected<FoundValue> find_value(const Cases& cases, WorkloadPool& workloads, Store& store,
                                const RunStudyOptions& how, const FindOptions& options);

/// A human-readable page.
std::string to_text(const FoundValue& found, const std::string& label, const FindOptions& options);

}  // namespace busline
