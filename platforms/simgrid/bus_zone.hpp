// A network without a topology for SimGrid.
#pragma once
#include <string>
#include <vector>

#include "platforms/simgrid/elements.hpp"

namespace busline {

/// A zone of nodes with a way to the backbone, which the buses are. Adds to `left_out` what it has no place
/// for.
std::string simgrid_bus_zone(const SimGridMachine& machine, std::vector<std::string>& left_out);

}  // namespace busline
