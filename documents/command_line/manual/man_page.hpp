// Manual pages, in the language of man(7).
#pragma once
#include <string>
#include <string_view>

#include "documents/command_line/manual/command_tree.hpp"

namespace busline::cli {

/// "busline-study-run" of the command "busline study run".
std::string page_name(const CommandDescription& command);

/// The manual section of `program`'s pages: 1, except 1mpi for busline-measure, whose pages share their names
/// with those of 'busline measure'.
std::string_view man_section(const CommandDescription& program);

/// The page of `command`. It refers to the pages of its subcommands and of `above`, which may be null.
std::string man_page(const CommandDescription& command, const CommandDescription* above,
                     std::string_view section, std::string_view version);

}  // namespace busline::cli
