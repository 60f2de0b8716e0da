// Speeds of hosts as SimGrid writes them.
#pragma once
#include <optional>
#include <string_view>

namespace busline {

/// "1Gf", "2.5 Tf", "100f": floating-point operations a second, with a prefix (k, M, G, T, P; powers of 1000)
/// or none. Finite and greater than 0; nothing for other texts, such as a number without its unit.
std::optional<double> parse_flops(std::string_view text);

}  // namespace busline
