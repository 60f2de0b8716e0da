// Manual pages, in the language of man(7).
#pragma once
#include <string>
#include <string_view>

#include "documents/command_line/manual/command_tree.hpp"

namespace busline::cli {

/// "busline-study-run" of the command "busline study run".
std::string page_name(const CommandDescription& command);

/// The section of the manual that has the pages of `program`: 1, but 1mpi for busline-measure, whose pages
/// have the names of those of 'busline measure'.
std::string_view man_section(const CommandDescription& program);

/// The page of `command`. Those of the commands below it and of `above`, which may be null, are
/// referred to.
std::string man_page(const CommandDescription& command, const CommandDescription* above,
                     std::string_view section, std::string_view version);

}  // namespace busline::cli
