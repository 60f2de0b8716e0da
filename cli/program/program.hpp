// The whole program but main(): reads the command line, runs the command, prints its error, gives the exit
// code.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "cli/program/command.hpp"

namespace busline::cli {

struct ProgramDescription {
  std::string name, description;
  std::span<const AddCommand> commands;  ///< in the order in which help lists them
  std::function<std::shared_ptr<TestbedSource>()> testbeds;
};

int run_program(const ProgramDescription& description, int argc, char** argv);

}  // namespace busline::cli
