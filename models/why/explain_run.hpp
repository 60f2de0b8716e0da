// Why a run takes as long as it does: its critical path, what its time grows by, how well it uses its CPUs,
// and how far its prediction can be resolved. Source: docs/how-to/why.md.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/simulate.hpp"
#include "models/slopes/slope.hpp"
#include "models/why/critical_path.hpp"
#include "models/why/prediction_interval.hpp"

namespace busline {

struct WhyOptions {
  std::size_t most = 10;         ///< CriticalPath::longest, latest
  std::uint32_t resolution = 0;  ///< runs with other nanoseconds and orders of ties; 0: none
};

/// A parameter changed by much: what the slope says, and what a run gives.
struct LargeStep {
  std::string change;  ///< "twice the latency"
  Time predicted, simulated;
};

/// The factors of the POP project's methodology: parallel = load_balance * serialisation * transfer, each 1
/// at best. An instant network has no latency, no overheads, and moves any bytes in no time.
struct PopEfficiency {
  double load_balance = 0;   ///< mean / largest computing time
  double serialisation = 0;  ///< largest computing time / run time on an instant network
  double transfer = 0;       ///< run time on an instant network / run time
  double parallel() const { return load_balance * serialisation * transfer; }
  Time instant_network;  ///< run time there
};

/// Run times with /network/latency longer by 1, 2, ... `runs` ns, less what the slope says to that, each with
/// another order of what happens at one instant (SimulateOptions::tie_seed).
struct Resolution {
  std::uint32_t runs = 0;
  Time shortest, longest;  ///< the run itself included
  Duration spread() const { return longest - shortest; }
};

struct Why {
  CriticalPath path;
  Slope slope;
  bool exact = false;  ///< the slope is a derivative; else it is one at frozen order
  std::vector<LargeStep> steps;
  std::optional<PopEfficiency> efficiency;  ///< unless nothing was computed
  std::optional<Resolution> resolution;
  std::optional<PredictionInterval> interval;  ///< if the platform's calibration has intervals
};

struct ExplainedRun {
  Result result;
  std::optional<Why> why;  ///< unless the run is not complete
};

/// simulate(), watched, and the runs that are needed besides: one for each of three large steps, one on an
/// instant network, and WhyOptions::resolution. Errors are simulate()'s. `options.progress` is called through
/// all of them in turn; interrupted, there is no Why. Cost: some twice the first run for watching it
/// (docs/how-to/why.md); memory: PathObserver's.
Expected<ExplainedRun> explain_run(const Program& program, const Platform& platform, const Machine& machine,
                                   const SimulateOptions& options, const WhyOptions& why);

/// The same machine with an instant network.
Platform with_instant_network(Platform platform);

}  // namespace busline
