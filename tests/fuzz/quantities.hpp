// Fuzz targets: texts of command lines and documents that are not files.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

/// Durations, bandwidths, sizes and shares; numbers as Dimemas's command line has them; names of calls. What
/// is written for people is read back to the same value.
std::string fault_in_quantity(std::string_view text);
/// Where ranks sit: what is read has its place in a platform document, and ranks are placed by it or refused.
std::string fault_in_mapping(std::string_view text);
/// A network in a word, "torus:8x8x16".
std::string fault_in_short_topology(std::string_view text);
/// --set: an assignment to a member of a platform document.
std::string fault_in_set(std::string_view text);

}  // namespace busline::fuzz
