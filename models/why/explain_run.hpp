// Explains the length of a run: its critical path, the slopes of its time, its efficiency, and the resolution
// of its prediction. Source: docs/how-to/why.md.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/simulate.hpp"
#include "models/slopes/slope.hpp"
#include "models/why/checked_advice.hpp"
#include "models/why/critical_path.hpp"

namespace busline {

struct WhyOptions {
  std::size_t most = 10;         ///< CriticalPath::longest, latest
  std::uint32_t resolution = 0;  ///< runs with other bursts, nanoseconds and orders of ties; 0: none
  unsigned threads = 1;          ///< for the additional runs
};

/// A large change of a parameter: the slope's estimate, and the result of a run.
struct LargeStep {
  std::string change;  ///< "twice the latency"
  Time predicted, simulated;
};

/// The factors of the POP project's methodology: parallel = load_balance * serialisation * transfer, each at
/// most 1. An instant network has no latency and no overheads, and transfers any number of bytes in no time.
struct PopEfficiency {
  double load_balance = 0;   ///< mean / largest computing time
  double serialisation = 0;  ///< largest computing time / run time on an instant network
  double transfer = 0;       ///< run time on an instant network / run time
  double parallel() const { return load_balance * serialisation * transfer; }
  Time instant_network;  ///< run time there
};

/// Run times with bursts jittered by 0.1 to 1 % (sim/program/jitter.hpp), with /network/latency longer by 1,
/// 2, ... `runs` ns, less the slope's estimate of that, and with other orders of simultaneous events
/// (SimulateOptions::tie_seed).
struct Resolution {
  std::uint32_t runs = 0;
  Time shortest, longest;  ///< the run itself included
  Duration spread() const { return longest - shortest; }
};

struct Why {
  CriticalPath path;
  Slope slope;
  bool exact = false;  ///< the slope is a derivative; else only at a fixed order of events
  std::vector<Advice> advice;
  std::vector<LargeStep> steps;
  std::optional<PopEfficiency> efficiency;  ///< unless nothing was computed
  std::optional<Resolution> resolution;
  std::uint32_t runs = 0;  ///< that were made, without those of `resolution`; at most 25
};

struct ExplainedRun {
  Result result;
  std::optional<Why> why;  ///< unless the run is not complete
};

/// simulate() with observers, and the additional runs: advice_variations(), one for each of three large
/// steps, one on an instant network, and WhyOptions::resolution. Errors are simulate()'s. `options.progress`
/// is called during the first run and then during all others together; an interrupted analysis gives no Why.
/// Cost: about twice the first run for watching it (docs/how-to/why.md), and the others; memory:
/// PathObserver's, then run_variations()'.
Expected<ExplainedRun> explain_run(const Program& program, const Platform& platform, const Machine& machine,
                                   const SimulateOptions& options, const WhyOptions& why);

}  // namespace busline
