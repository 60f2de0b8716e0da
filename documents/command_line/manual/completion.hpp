// Completion of a program's command line by shells. All three scripts follow the words to the command that is
// meant, and offer its commands, options and values; where anything may stand, names of files.
#pragma once
#include <string>

#include "documents/command_line/manual/command_tree.hpp"

namespace busline::cli {

/// For bash, to be sourced.
std::string bash_completion(const CommandDescription& program);
/// For zsh, a file of its function path.
std::string zsh_completion(const CommandDescription& program);
/// For fish, to be sourced.
std::string fish_completion(const CommandDescription& program);

}  // namespace busline::cli
