// Fuzz target: the options of all commands.
#pragma once
#include <string>
#include <string_view>

namespace busline::fuzz {

/// Each line of `text` is an argument. They are read or refused; no command is run.
std::string fault_in_command_line(std::string_view text);

}  // namespace busline::fuzz
