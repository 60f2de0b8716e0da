// What better figures of a machine would change, according to runs: a slope alone may even have the wrong
// sign (docs/how-to/why.md).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/slopes/slope.hpp"
#include "models/why/variations.hpp"

namespace busline {

enum class AdviceFigure { cpu_speed, bandwidth, latency };

/// Two runs with the same bursts, one of them with another figure.
struct AdviceCheck {
  double change = 0;  ///< of the figure: 0.1 is 10 % more
  double jitter = 0;  ///< of the bursts of both runs, as a share
  double effect = 0;  ///< run time / run time with the figure as it is - 1
};

/// What the run time does if a figure becomes better by kAdvisedChange: less latency, more of the others. All
/// effects are relative to the run time: -0.02 is 2 % less.
struct Advice {
  AdviceFigure figure{};
  double by_slope = 0;
  double by_a_run = 0;               ///< without jitter
  double median = 0;                 ///< of runs with jittered bursts
  double shortest = 0, longest = 0;  ///< between which nine of ten such runs are, and by_a_run
  std::vector<AdviceCheck> checks;
  /// Whether runs agree on the sign.
  bool reliable() const { return shortest > 0 || longest < 0; }
};
inline constexpr double kAdvisedChange = 0.1;

/// "10 % faster CPUs"
std::string_view description_of(AdviceFigure figure);

/// The runs that advice for this machine takes, at most 20: each figure better and worse by 1, 5 and 10 %.
/// The largest changes have no jitter; the others have one of two, in pairs with a run without a change.
std::vector<Variation> advice_variations(const Platform& platform);

/// What their run times say. Figures of which a run is missing get no advice. `slope` and `run_time` are
/// those of the run that is explained.
std::vector<Advice> advice_of(const Platform& platform, Time run_time, const Slope& slope,
                              std::span<const std::optional<Time>> run_times);

}  // namespace busline
