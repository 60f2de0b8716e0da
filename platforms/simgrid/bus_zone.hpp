// A network without a topology for SimGrid.
#pragma once
#include <string>
#include <vector>

#include "platforms/simgrid/elements.hpp"

namespace busline {

/// A zone of nodes joined to a backbone, which stands for the buses. Adds to `left_out` what it cannot hold.
std::string simgrid_bus_zone(const SimGridMachine& machine, std::vector<std::string>& left_out);

}  // namespace busline
