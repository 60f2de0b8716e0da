// What SimGrid's platform files have no place for.
#pragma once
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"

namespace busline {

/// What of it this platform, which has one machine, uses; in words, for people. Ways to write it may leave
/// out more.
std::vector<std::string> simgrid_left_out(const Platform& platform);

}  // namespace busline
