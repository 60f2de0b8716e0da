// Parts of the program that it loads when they are asked for, since they bring libraries that others lack.
#pragma once
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// The function `name` of a library that lies beside the running program, or in lib/busline beside the
/// program's folder. An Error of kind unsupported, with the reason as its message, if there is none, it
/// cannot be loaded, or this program was linked without shared libraries. The library stays loaded.
Expected<void*> function_in(const std::string& library, const std::string& name);

/// What to do about a part that this program was built without. `needed` is Debian's name of the package that
/// brings what it is built with.
std::string how_to_build_with(std::string_view needed);

/// The same of a part that no program without shared libraries has.
std::string how_to_link_with(std::string_view needed);

/// The same of a part that is loaded, and that Busline's own package `package` brings (cmake/packages.cmake).
std::string how_to_get_library(std::string_view package, std::string_view needed);

}  // namespace busline
