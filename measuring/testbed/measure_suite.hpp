// One curve, measured: automatic refinement over the arguments and automatic repetition at each of them
// (docs/reference/measuring.md), on whatever testbed there is.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "measuring/method/refinement.hpp"
#include "measuring/method/repetition.hpp"
#include "measuring/testbed/testbed.hpp"
#include "workloads/kernels/kernel.hpp"

namespace busline::measure {

/// A tick of the clock may be 1 % of a sample.
inline constexpr double kResolution = 0.01;

/// What is to be measured, over what, how precisely.
struct SuitePlan {
  std::string name;  ///< unique in a document
  Kernel kernel;     ///< with all ranks that may take part, and the values of what does not vary
  Pattern pattern = Pattern::pingpong;
  TimeOf time = TimeOf::round_trip;
  Varies varies = Varies::bytes;
  ArgumentRange range;      ///< not for Varies::nothing
  RefinementLimits limits;  ///< not for Varies::nothing
  RepetitionRules repetition;
  std::uint32_t warmup = 5;      ///< calls before the first sample at each argument
  bool without_overhead = true;  ///< the time of the pattern's empty operation is subtracted
  bool node_times = false;       ///< the result on each rank is kept
  bool keep_samples = true;
  /// For the whole suite, divided among its points: what does not fit is not begun. At least one sample is
  /// taken.
  std::optional<Duration> time_limit;
  double share = 1;  ///< of a run's time budget, relative to other suites
  /// How much of a sample a tick of the clock may be; where it is more, several calls are timed together
  /// (Point::batch). 0: never.
  double resolution = kResolution;
};

/// Is told how far a measurement is; false interrupts it: what was measured until then is kept.
struct SuiteProgress {
  std::string suite;
  std::uint64_t argument = 0;  ///< that is measured next
  std::size_t points = 0;      ///< that are measured
};
using Watch = std::function<bool(const SuiteProgress&)>;

struct MeasuredSuite {
  Suite suite;                         ///< of the points that were measured
  std::optional<Refinement::End> end;  ///< why no more: nothing if it varies nothing or was interrupted
  bool interrupted = false;
};

/// Errors: a plan that cannot be followed (ranges, repetition rules, kernels), those of the testbed.
Expected<MeasuredSuite> measure_suite(Testbed& testbed, const SuitePlan& plan, const Watch& watch = {});

/// All of `plans`, in order. A suite that cannot be measured does not stop the others.
struct MeasuredSuites {
  std::vector<Suite> suites;          ///< those with points
  std::vector<std::string> left_out;  ///< for which no time was left
  struct Failed {
    std::string suite;
    Error error;
  };
  std::vector<Failed> failed;
  bool interrupted = false;
};
/// Is shown all suites that are measured so far, after each.
using KeepSuites = std::function<void(const std::vector<Suite>&)>;
/// `budget`: what all may take together, by SuitePlan::share.
MeasuredSuites measure_suites(Testbed& testbed, std::span<const SuitePlan> plans, const Watch& watch = {},
                              std::optional<Duration> budget = {}, const KeepSuites& keep = {});

/// A document that says where it was measured, without suites.
Measurement measurement_on(const Testbed& testbed);

}  // namespace busline::measure
