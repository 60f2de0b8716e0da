// A network of switches as a picture.
#pragma once
#include <string>

#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// More could not be distinguished.
inline constexpr std::uint32_t kMostDrawnSwitches = 1500, kMostDrawnLinks = 20'000;

/// SVG: trees by levels, grids as grids (more dimensions as grids of grids), groups in circles, anything else
/// on one circle; hosts as dots. The same bytes for the same network. An Error of kind bad_option if there is
/// too much to draw.
Expected<std::string> drawing_of(const Topology& topology, const std::string& title);

}  // namespace busline
