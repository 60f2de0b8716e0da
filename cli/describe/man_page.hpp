// Manual pages, in the language of man(7).
#pragma once
#include <string>
#include <string_view>

#include "cli/describe/command_tree.hpp"

namespace busline::cli {

/// "busline-study-run" of the command "busline study run".
std::string page_name(const CommandDescription& command);

/// The page of `command`, section 1. Those of the commands below it and of `above`, which may be null, are
/// referred to.
std::string man_page(const CommandDescription& command, const CommandDescription* above,
                     std::string_view version);

}  // namespace busline::cli
