// Properties that SimGrid's platform files cannot hold.
#pragma once
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"

namespace busline {

/// Those that this platform, which has one machine, uses, in words. Some kinds of zones leave out more.
std::vector<std::string> simgrid_left_out(const Platform& platform);

}  // namespace busline
