// The machine that benchmarks and the signature simulate on.
#pragma once
#include <cstdint>

#include "platforms/platform.hpp"

namespace busline {

/// Nodes of one CPU, with one link each way, and a bus for eight nodes; for models that route, a tree of two
/// levels of switches that carries every permutation. `nodes` is 1 to 1 000 000.
Platform benchmark_machine(std::uint32_t nodes);

}  // namespace busline
