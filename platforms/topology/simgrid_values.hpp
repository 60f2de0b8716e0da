// Values of attributes as SimGrid's platform files write them.
#pragma once
#include <optional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline {

/// "1GBps" for bytes and "8Gbps" for bits; nothing if it is not a bandwidth with its unit.
std::optional<Bandwidth> simgrid_bandwidth(std::string text);
/// "10us"; nothing if it is not a time with its unit.
std::optional<Duration> simgrid_latency(const std::string& text);

}  // namespace busline
