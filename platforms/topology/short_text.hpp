// A network in a short text, for command lines: "torus:8x8x16",
// "fat-tree:k=16,taper=2,link.bandwidth=100Gbps".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// True for a text that begins with the name of a family and ':'.
bool is_short_topology(std::string_view text);

/// The text as a description in JSON; only its form is checked: KIND:PARAMETER=VALUE,... where the first
/// value of most families needs no name, "8x8x16" is a list of numbers, and "link.latency" a member of an
/// object. An Error of kind bad_option names the text.
Expected<nlohmann::ordered_json> parse_short_topology(std::string_view text);

}  // namespace busline
