// Finds and loads the solver of flows.
#pragma once
#include <string>

#include "models/flow/flows.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// Loads the library beside the running program, or in lib/busline beside the program's folder, once a
/// process; later calls give the same. An Error of kind unsupported if there is none, or it cannot be loaded.
Expected<MakeFlows*> load_flows();

/// What to do where there is none.
std::string how_to_get_simgrid_flows();

}  // namespace busline
