#include "platforms/topology/simgrid_values.hpp"

#include "sim/base/quantity.hpp"

namespace busline {

std::optional<Bandwidth> simgrid_bandwidth(std::string text) {
  if (text.ends_with("Bps")) text.replace(text.size() - 2, 2, "/s");
  const auto read = parse_bandwidth(text);
  return read ? std::optional(*read) : std::nullopt;
}

std::optional<Duration> simgrid_latency(const std::string& text) {
  const auto read = parse_duration(text);
  return read ? std::optional(*read) : std::nullopt;
}

}  // namespace busline
