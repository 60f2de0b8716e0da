#include "models/why/watch_run.hpp"

#include <utility>

#include "models/slopes/slope_observer.hpp"
#include "models/why/path_observer.hpp"

namespace busline {

Expected<WatchedRun> watch_run(const Program& program, const Platform& platform, const Machine& machine,
                               const SimulateOptions& options, std::size_t most) {
  // Checked here because the costs are built before simulate() checks.
  if (machine.rank_node.size() != program.ranks()) {
    auto refused = simulate(program, platform, machine, options);
    if (!refused) return tl::unexpected(std::move(refused.error()));
  }
  const auto contention = options.model == "ideal" ? Contention::ignored : Contention::counted;
  const DimemasCosts costs(platform, machine, contention);
  const CostSlopes slopes(costs, program);
  SlopeObserver slope(slopes, program);
  PathObserver path(program);
  auto watched = options;
  watched.observers.push_back(&slope);
  watched.observers.push_back(&path);
  auto result = simulate(program, platform, machine, watched);
  if (!result) return tl::unexpected(std::move(result.error()));
  WatchedRun run{*std::move(result), std::nullopt, {}};
  if (run.result.status != Result::Status::complete) return run;
  run.path = path.path(most);
  run.slope = slope.slope();
  return run;
}

}  // namespace busline
