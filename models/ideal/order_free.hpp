// Detects programs whose results do not depend on the order of events, so that no queue is needed.
#pragma once
#include "platforms/description/platform.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"

namespace busline {

/// True if without contention `program` gives the same times whatever order equal times are handled in: no
/// open receive and no probe, one strand per rank, at most one per CPU, no context switches, no Reduce made
/// of messages, and no collective whose cost depends on the last rank to arrive. Cost: linear in the Program.
bool order_free(const Program& program, const Machine& machine, const Platform& platform);

}  // namespace busline
