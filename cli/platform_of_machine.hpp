// PLATFORM of 'busline validate': one platform for all, or a folder with a NAME.json for each machine.
#pragma once
#include <string>

#include "sim/base/error.hpp"

namespace busline::cli {

/// The file that describes `machine`: `path` itself unless it is a folder. An Error if the folder has none;
/// `whom` names what the platform is for, in a few words.
Expected<std::string> platform_of_machine(const std::string& path, const std::string& machine,
                                          const std::string& whom);

}  // namespace busline::cli
