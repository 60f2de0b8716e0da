// The machine that benchmarks and the signature simulate on, and the Program that benchmarks replay.
#pragma once
#include <cstdint>

#include "platforms/description/platform.hpp"
#include "sim/program/program.hpp"

namespace busline {

/// Nodes of one CPU, with one link each way, and a bus for eight nodes; for models that route, a tree of two
/// levels of switches that carries every permutation. `nodes` is 1 to 1 000 000.
Platform benchmark_machine(std::uint32_t nodes);

/// A 3-D halo exchange with Allreduce, of as many iterations as come nearest to that many operations without
/// exceeding them; at least one. `ranks` is at least 1.
Program benchmark_program(std::uint32_t ranks, std::uint64_t operations);

}  // namespace busline
