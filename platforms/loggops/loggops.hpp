// A platform as the parameters of LogGOPSim, and back: L, o, g, G, O and S, as options of its command line
// (docs/reference/goal.md says what corresponds). Source: T. Hoefler, T. Schneider, A. Lumsdaine: LogGOPSim -
// Simulating Large-Scale Applications in the LogGOPS Model (2010), and the program.
#pragma once
#include <string>
#include <string_view>

#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// Whether a text has parameters of LogGOPSim: after comments (#), its first word is one of its options.
bool is_loggops(std::string_view text);

/// The platform on which a message that meets no other one, to a rank that waits for it, takes as long as in
/// LogGOPSim: 2 o + L + (S - 1) G. Values are in nanoseconds, or in what a comment "# unit 1ps" says.
/// `diagnostics` names what the platform does not have. An Error with line for anything else than "-L 2500"
/// and its like.
Expected<Platform> parse_loggops(std::string_view text, const std::string& path, Diagnostics& diagnostics);

/// The parameters of a platform, in whole multiples of `unit`; `diagnostics` names what they do not say. An
/// Error of kind unsupported for several machines, and if a value does not fit.
Expected<std::string> to_loggops_text(const Platform& platform, Duration unit, Diagnostics& diagnostics);

}  // namespace busline
