// How a value of an axis is called in tables.
#pragma once
#include <string>

namespace busline {

/// For a JSON text: "10 Gbps" without its quotes, "4", "[1,2]"; of a long path its end, ".../dumpi_ring";
/// other long ones are cut.
std::string value_name(const std::string& json);

}  // namespace busline
