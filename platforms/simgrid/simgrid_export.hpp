// A platform as an XML file of SimGrid (version 4.1, as 3.32 and later read it): docs/reference/simgrid.md
// says what is the same there.
#pragma once
#include <string>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// More nodes than this in a zone that lists the way of each pair are refused: the file would have hundreds
/// of MB.
inline constexpr std::uint32_t kMostListedNodes = 512;

/// Hosts "node-0", "node-1", ... in the order of nodes, of 1 Gf times their relative speed. A network whose
/// topology is one of SimGrid's clusters becomes that; any other topology a zone that lists the way of each
/// pair of nodes; none a zone in which each node has its links and all share the buses. What SimGrid has no
/// place for is named in a comment and told in `diagnostics`. An Error of kind unsupported for several
/// machines and for too many nodes; of kind bad_input for a topology that cannot be made (make_topology).
/// Cost: linear, with a list of ways quadratic in nodes.
Expected<std::string> to_simgrid_xml(const Platform& platform, Diagnostics& diagnostics);

}  // namespace busline
