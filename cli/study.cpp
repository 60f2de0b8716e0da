// busline study: predictions at many points (docs/how-to/studies.md).
#include "cli/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "cli/commands.hpp"
#include "documents/command_line/version.hpp"

namespace busline::cli {

void add_study_options(CLI::App& command, StudyOptions& options) {
  const std::string group = "What to simulate";
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& help) {
    return command.add_option(name, value, help)->type_name(type)->group(group);
  };
  add("--platform", options.platform, "FILE", "The machine: a .json document or a Dimemas .cfg");
  add("--workload", options.workload, "FILE|JSON",
      "A trace or a Program file; or as in a study document, such as '{\"generate\": \"halo\", \"ranks\": "
      "64}'");
  add("--set", options.sets, "POINTER=VALUE", "Change the base case, such as /network/latency=2us")
      ->allow_extra_args(false);
  add("--axis", options.axes, "POINTER=VALUES",
      "What to vary: /network/buses=1,2,4,unlimited or /network/latency=1us..1ms:7:log; may be repeated")
      ->allow_extra_args(false);
  add("--model", options.model, "NAME", "As in 'busline simulate'");
  add("--mapping", options.mapping, "HOW", "As in 'busline simulate'");
}

void add_comparison_options(CLI::App& command, StudyOptions& options) {
  const std::string group = "What to compare with";
  command
      .add_option(
          "--base", options.bases,
          "Value of an axis at the base point, such as /network/buses=4 (default: its first value); may be "
          "repeated")
      ->type_name("AXIS=VALUE")
      ->group(group)
      ->allow_extra_args(false);
  command
      .add_option("--weight", options.weights,
                  "How much a workload counts in the mix, such as hpcg=3 (default: 1); may be repeated")
      ->type_name("WORKLOAD=N")
      ->group(group)
      ->allow_extra_args(false);
}

unsigned usual_threads() {
  return std::max(1U, std::thread::hardware_concurrency());
}

std::string version_and_commit() {
  return kCommit.empty() ? std::string(kVersion) : fmt::format("{} {}", kVersion, kCommit);
}

Command add_study(CLI::App& program, Invocation& invocation) {
  auto* app =
      program.add_subcommand("study", "Predict many points by varying platforms, workloads and models");
  app->footer("'busline study KIND --help' shows its options and examples.");
  std::vector<Command> kinds;
  for (const auto add : {add_study_run, add_study_show, add_study_export, add_study_merge, add_study_find})
    kinds.push_back(add(*app, invocation));
  return one_of(app, std::move(kinds));
}

}  // namespace busline::cli
