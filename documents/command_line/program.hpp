// The whole program except main(): parses the command line, runs the command, prints its error, returns the
// exit code.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "documents/command_line/command.hpp"

namespace busline::cli {

/// An optional part of a program.
struct OptionalPart {
  std::string name, gives;  ///< "zlib", "reads traces compressed by gzip"
  bool present = false;
  std::string how_to_get;  ///< what to do if it is missing
};

struct ProgramDescription {
  const char* name;  ///< a literal
  std::string description;
  std::span<const AddCommand> commands;  ///< in the order in which help lists them
  std::function<std::shared_ptr<TestbedSource>()> testbeds;
  std::vector<OptionalPart> (*parts)() = nullptr;  ///< for --version; null: none
};

int run_program(const ProgramDescription& description, int argc, char** argv);

}  // namespace busline::cli
