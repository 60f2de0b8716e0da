// A platform in words.
#pragma once
#include <string>

#include "platforms/description/platform.hpp"

namespace busline {

/// How it was understood: some lines for the nodes and the network of each machine, for what MPI does, for
/// the mapping and, where it is described, for the launch.
std::string platform_text(const Platform& platform);

}  // namespace busline
