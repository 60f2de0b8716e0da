#include "models/links_and_buses/replay_for_slope.hpp"

#include "models/slopes/slope_observer.hpp"
#include "sim/replay/replay.hpp"

namespace busline {

SlopeObserver* only_slope(const SimulateOptions& options) {
  if (options.observers.size() != 1 || options.region || options.call_times) return nullptr;
  return dynamic_cast<SlopeObserver*>(options.observers.front());
}

Result replay_for_slope(DimemasNetwork& network, const Program& program, const Machine& machine,
                        const SimulateOptions& options, SlopeObserver& slope) {
  Replay<DimemasNetwork, SlopeObserver> replay(program, machine, network, slope);
  return replay.result(replay.run(options.progress));
}

}  // namespace busline
