// A platform as an XML file of SimGrid (version 4.1, as 3.32 and later read it): docs/reference/simgrid.md
// says what corresponds.
#pragma once
#include <string>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// A zone that lists the route of each pair has at most this many nodes: with more, the file would have
/// hundreds of MB.
inline constexpr std::uint32_t kMostListedNodes = 512;

/// Hosts "node-0", "node-1", ... in the order of nodes, of 1 Gf times their relative speed. A network whose
/// topology is one of SimGrid's clusters becomes that cluster; any other topology becomes a zone that lists
/// the route of each pair of nodes; a network without a topology becomes a zone in which each node has its
/// links and all share the buses. What SimGrid cannot hold is named in a comment and in `diagnostics`. An
/// Error of kind unsupported for several machines and for too many nodes; of kind bad_input for a topology
/// that cannot be made (make_topology). Cost: linear; quadratic in nodes with a list of routes.
Expected<std::string> to_simgrid_xml(const Platform& platform, Diagnostics& diagnostics);

}  // namespace busline
