// A run and its observations: the critical path, and the slopes of its time. Source: docs/how-to/why.md.
#pragma once
#include <optional>

#include "models/simulate.hpp"
#include "models/slopes/slope.hpp"
#include "models/why/critical_path.hpp"

namespace busline {

struct WatchedRun {
  Result result;
  std::optional<CriticalPath> path;  ///< unless the run is not complete
  Slope slope;                       ///< of the run time; likewise
};

/// simulate() with observers, in a single run. `most`: as for PathObserver::path(). Errors are simulate()'s,
/// unsupported if the model cannot be watched. Cost: about twice the run (docs/how-to/why.md); memory:
/// PathObserver's.
Expected<WatchedRun> watch_run(const Program& program, const Platform& platform, const Machine& machine,
                               const SimulateOptions& options, std::size_t most = 0);

}  // namespace busline
