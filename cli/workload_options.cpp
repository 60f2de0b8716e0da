#include "cli/workload_options.hpp"

#include <string>

namespace busline::cli {

void add_workload_options(CLI::App& command, WorkloadOptions& options) {
  const std::string group = "DUMPI traces";
  auto& dumpi = options.dumpi;
  command
      .add_option("--compute-scale", dumpi.compute_scale, "Computation lasts this times its traced duration")
      ->type_name("FACTOR")
      ->group(group);
  command
      .add_flag("--cpu-time", dumpi.cpu_time, "Computation lasts the CPU time that passed, not the wall time")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--keep", [&dumpi](const std::string&) { dumpi.keep_io = true; },
          "io: calls on files take the time that they took when they were traced")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"io"}))
      ->group(group);
  command
      .add_flag("--rematch-wildcards", dumpi.rematch_wildcards,
                "Receives from any source take what arrives first, not what the trace says")
      ->group(group);
  command.add_flag("--salvage", dumpi.salvage, "Of a trace that is damaged or incomplete, use what is whole")
      ->group(group);
}

}  // namespace busline::cli
