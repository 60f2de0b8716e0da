// The runs of the models, each defined in its own room and selected only by models/simulate.cpp. Arguments,
// errors and result are those of simulate().
#pragma once
#include "models/run/simulate_options.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// `dimemas` with exclusive links and buses: messages queue for them (models/links_and_buses/).
Expected<Result> run_with_links_and_buses(const Program& program, const Platform& platform,
                                          const Machine& machine, const SimulateOptions& options);

/// `dimemas` with links and buses that messages share (models/sharing/).
Expected<Result> run_with_sharing(const Program& program, const Platform& platform, const Machine& machine,
                                  const SimulateOptions& options);

/// `ideal`: the same costs without contention. Needs no event queue where order cannot matter and only a
/// region is watched (models/ideal/).
Expected<Result> run_ideal(const Program& program, const Platform& platform, const Machine& machine,
                           const SimulateOptions& options);

/// `flow`: a solver of flows owns the clock (models/flow/). Further errors: no solver is available, or its
/// process ended early (models/flow/worker.hpp).
Expected<Result> run_flow(const Program& program, const Platform& platform, const Machine& machine,
                          const SimulateOptions& options);

}  // namespace busline
