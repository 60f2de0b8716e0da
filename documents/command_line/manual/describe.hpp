// The commands that describe a program's command line, for any program of documents/command_line.
#pragma once
#include "documents/command_line/command.hpp"

namespace busline::cli {

/// 'completion SHELL' and 'man [COMMAND]' of `program`, with all commands that exist when they run.
Command add_completion(CLI::App& program, Invocation& invocation);
Command add_man(CLI::App& program, Invocation& invocation);

}  // namespace busline::cli
