// How a library gets into the program that a launcher starts, and not into the launcher
// (docs/how-to/record.md).
#pragma once
#include <string>
#include <vector>

#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"

namespace busline::runs {

/// The word that stands before the program in a command.
inline constexpr const char* kProgramMark = "{}";

/// A library that is loaded into a program, and variables that only the program sees.
struct Preload {
  std::string library;
  std::vector<Variable> variables;
  bool pin = false;  ///< binds each process to one CPU, by its number on the node; needs the mark
};

/// A command that is ready to be run, and the variables that it needs.
struct LoadedCommand {
  std::vector<std::string> words;
  std::vector<Variable> variables;
};

bool marks_program(const std::vector<std::string>& command);

/// The word behind the mark. Empty without a mark.
std::string program_word(const std::vector<std::string>& command);

/// The program that `command` starts: the last part of that word.
std::string program_name(const std::vector<std::string>& command);

/// `command` with `preload` in its program. Every mark is replaced by `script`, one word that no launcher
/// takes apart: a shell script that is written there, sets the variables and runs what follows. Libraries
/// that the launcher loads into the program stay. Without a mark the variables are the launcher's own; most
/// pass them on. An Error of kind unreadable if the script cannot be written.
Expected<LoadedCommand> load_into(const std::vector<std::string>& command, const Preload& preload,
                                  const std::string& script);

}  // namespace busline::runs
