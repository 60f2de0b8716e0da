// Why a library cannot be loaded into a program, from the program's file.
#pragma once
#include <optional>
#include <string>

namespace busline::runs {

/// The reason, if `program` (a path, or a name that PATH finds) is a file into which no library can be loaded
/// with LD_PRELOAD: "is linked statically", "is set-user-id or set-group-id". Nothing for other files, such
/// as scripts, and for those that cannot be read.
std::optional<std::string> why_not_loadable(const std::string& program);

}  // namespace busline::runs
