// Finds and loads the solver of flows.
#pragma once
#include <string>

#include "models/flow/flows.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// Loads the library beside the running program, or in lib/busline beside the program's folder, once per
/// process; later calls return the same. An Error of kind unsupported if it does not exist or cannot be
/// loaded.
Expected<MakeFlows*> load_flows();

/// The hint if it is missing.
std::string how_to_get_simgrid_flows();

}  // namespace busline
