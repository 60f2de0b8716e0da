// Parts of the program that it loads when they are asked for, since they bring libraries that others lack.
#pragma once
#include <string>

#include "sim/error.hpp"

namespace busline {

/// The function `name` of a library that lies beside the running program, or in lib/busline beside the
/// program's folder. An Error of kind unsupported, with the reason as its message, if there is none, it
/// cannot be loaded, or this program was linked without shared libraries. The library stays loaded.
Expected<void*> function_in(const std::string& library, const std::string& name);

}  // namespace busline
