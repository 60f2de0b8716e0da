// The placement of ranks: turns a platform's mapping into the Machine that the replay takes.
#pragma once
#include <cstdint>
#include <optional>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/replay/machine.hpp"

namespace busline {

/// The replay's view of `platform` for a job of `ranks` ranks. fill: a node's CPUs before the next node's;
/// further ranks go to the last node. per_node k: rank r sits on node r / k. round_robin: r modulo the number
/// of nodes. Nodes are numbered over all machines in the order given. An Error of kind bad_option (where:
/// "/mapping") if ranks do not fit: too few nodes for k per node, a list shorter than the job, a node that
/// does not exist.
Expected<Machine> place_ranks(const Platform& platform, std::uint32_t ranks);

/// The placement of a machine, as a mapping that names each rank's node: the same whatever CPUs nodes have.
Mapping mapping_of(const Machine& machine);

/// A warning, code "crowded-nodes", if a node has fewer CPUs than ranks, so that these take turns: which
/// node, how many like it, and the option that avoids it.
std::optional<Diagnostic> crowding_warning(const Platform& platform, const Machine& machine);
/// The most ranks for a CPU on any node.
double ranks_per_cpu(const Machine& machine);

}  // namespace busline
