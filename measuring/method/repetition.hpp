// Controls the repetition of a measurement: SKaMPI's automatic control of the standard error (ASEC; SKaLib
// manual, 3.2), and the same with the interval of the median. A state machine that takes samples and decides
// when to stop; the caller takes the samples and chooses the clock.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "measuring/method/statistics.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::measure {

/// The error that must be small enough, relative to the value itself.
enum class StopRule {
  standard_error,   ///< of the mean (ASEC)
  median_interval,  ///< half the width of the median's 95 % interval
};
inline constexpr double kStandardError = 0.03, kMedianInterval = 0.02;  // what is small enough by default

struct RepetitionRules {
  StopRule rule = StopRule::standard_error;
  double precision = kStandardError;     ///< 0 or more
  std::uint32_t min_repetitions = 4;     ///< the time limit and max_repetitions override it
  std::uint32_t max_repetitions = 20;    ///< overrides all; at most kMostRepetitions
  std::optional<Duration> time_limit{};  ///< of one measurement; nothing new is started once it has passed
  double cut_quantile = 0.25;            ///< share cut off at each end when the result is formed; below 0.5
  bool operator==(const RepetitionRules&) const = default;
};
inline constexpr std::uint32_t kMostRepetitions = 10'000'000;

/// An Error of kind bad_option for a rule that cannot be followed.
Expected<void> validate(const RepetitionRules& rules);

enum class Stop { precision, max_repetitions, time_limit };

/// The result of a measurement.
struct Repeated {
  Estimate result;          ///< trimmed mean, in picoseconds (trimmed_mean says what its error is worth)
  std::uint64_t count = 0;  ///< samples that form it
  Summary summary;          ///< of all samples
  Stop stop = Stop::precision;
  bool settled = false;  ///< it is as precise as was asked for
  bool operator==(const Repeated&) const = default;
};

class RepetitionControl {
 public:
  /// `rules` must be valid.
  explicit RepetitionControl(const RepetitionRules& rules) : rules_(rules) {}

  /// Takes a sample; `elapsed` is what has passed since the measurement began, on the caller's clock. Gives
  /// why to stop, or nothing: go on. In this order: max_repetitions are done; the time limit is exceeded;
  /// fewer than two or min_repetitions: go on; precise enough. At most one stop. Cost: constant, or with
  /// median_interval linear in the number of samples.
  std::optional<Stop> add(Duration sample, Duration elapsed);

  /// Whether the samples are as precise as asked for. Never for fewer than two.
  bool settled() const;
  /// In the order in which they came.
  const std::vector<Duration>& samples() const { return samples_; }
  /// The result of the samples, once add() has returned a stop.
  Repeated outcome() const;

 private:
  RepetitionRules rules_;
  RunningMoments moments_;
  std::vector<Duration> samples_;
  std::vector<double> ascending_;  // of median_interval only
  std::optional<Stop> stop_;
};

/// A measurement without the overhead that is in it, such as the time of an empty one: their difference, but
/// not below 0, with the errors of both (they are independent, so squares add).
Estimate without_overhead(Estimate measured, Estimate overhead);

}  // namespace busline::measure
