// Parts of the program that it loads on demand, since they need libraries that other parts do not.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// The function `name` of a library beside the running program, or in lib/busline beside the program's
/// folder. An Error of kind unsupported, with the reason as its message, if it does not exist, cannot be
/// loaded, or this program was linked without shared libraries. The library stays loaded.
Expected<void*> function_in(const std::string& library, const std::string& name);

/// The next step for a part that this program was built without. `needed` is the Debian package with its
/// build dependencies.
std::string how_to_build_with(std::string_view needed);

/// The same for a part that requires shared libraries.
std::string how_to_link_with(std::string_view needed);

/// The same for a loaded part, which Busline's own package `package` contains (cmake/packages.cmake).
std::string how_to_get_library(std::string_view package, std::string_view needed);

}  // namespace busline
