// busline: the registry of its commands.
#include <array>

#include "cli/commands.hpp"
#include "cli/describe/describe.hpp"
#include "cli/measure/measure.hpp"
#include "cli/optional_parts.hpp"
#include "cli/program/program.hpp"
#include "cli/simulated_source.hpp"

int main(int argc, char** argv) {
  using namespace busline::cli;
  static constexpr std::array<AddCommand, 18> kCommands{
      add_simulate, add_inspect,   add_explain,  add_convert, add_generate,   add_topology,
      add_measure,  add_calibrate, add_validate, add_compare, add_study,      add_diff,
      add_curve,    add_report,    add_bench,    add_schema,  add_completion, add_man};
  const ProgramDescription description{
      .name = "busline",
      .description = "Predicts how long an MPI program takes on a machine that you describe.",
      .commands = kCommands,
      .testbeds = simulated_source,
      .parts = optional_parts};
  return run_program(description, argc, argv);
}
