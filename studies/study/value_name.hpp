// The name of an axis's value in tables.
#pragma once
#include <string>

namespace busline {

/// The name of a JSON text: "10 Gbps" without its quotes, "4", "[1,2]"; the end of a long path,
/// ".../dumpi_ring"; other long texts are truncated.
std::string value_name(const std::string& json);

}  // namespace busline
