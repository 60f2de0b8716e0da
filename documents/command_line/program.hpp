// The whole program but main(): reads the command line, runs the command, prints its error, gives the exit
// code.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "documents/command_line/command.hpp"

namespace busline::cli {

/// What a program may be built without.
struct OptionalPart {
  std::string name, gives;  ///< "zlib", "reads traces compressed by gzip"
  bool present = false;
  std::string how_to_get;  ///< what to do where it is missing
};

struct ProgramDescription {
  const char* name;  ///< a literal
  std::string description;
  std::span<const AddCommand> commands;  ///< in the order in which help lists them
  std::function<std::shared_ptr<TestbedSource>()> testbeds;
  std::vector<OptionalPart> (*parts)() = nullptr;  ///< for --version; null: there are none
};

int run_program(const ProgramDescription& description, int argc, char** argv);

}  // namespace busline::cli
