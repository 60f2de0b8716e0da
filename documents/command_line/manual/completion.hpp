// Shell completion of a program's command line. All three scripts follow the words to the current command,
// and offer its subcommands, options and values; where anything is allowed, file names.
#pragma once
#include <string>

#include "documents/command_line/manual/command_tree.hpp"

namespace busline::cli {

/// For bash, to be sourced.
std::string bash_completion(const CommandDescription& program);
/// For zsh, a file on its function path.
std::string zsh_completion(const CommandDescription& program);
/// For fish, to be sourced.
std::string fish_completion(const CommandDescription& program);

}  // namespace busline::cli
