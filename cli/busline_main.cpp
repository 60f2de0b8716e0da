#include "cli/busline_commands.hpp"
#include "cli/optional_parts.hpp"
#include "cli/simulated_source.hpp"
#include "documents/command_line/program.hpp"

int main(int argc, char** argv) {
  using namespace busline::cli;
  const ProgramDescription description{
      .name = "busline",
      .description = "Predicts how long an MPI program takes on a machine that you describe.",
      .commands = kBuslineCommands,
      .testbeds = simulated_source,
      .parts = optional_parts};
  return run_program(description, argc, argv);
}
