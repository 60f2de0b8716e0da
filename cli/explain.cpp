// busline explain: how a platform was read, and what things cost on it.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "documents/command_line/terminal.hpp"
#include "platforms/load_platform.hpp"
#include "sim/base/quantity.hpp"
#include "studies/machines/explain_report.hpp"

namespace busline::cli {
namespace {

struct ExplainArguments {
  std::string platform, size;
  std::vector<std::string> sets;
  ExplainOptions explain;
};

Expected<Exit> run_explain(ExplainArguments options, const Invocation& invocation) {
  if (!options.size.empty()) {
    const auto size = parse_bytes(options.size);
    if (!size) {
      return refuse_option(
          "--size", fmt::format("{}: column {}: {}", options.size, size.error().column, size.error().reason));
    }
    options.explain.message_sizes = {*size};
    options.explain.collective_size = *size;
  }
  LoadOptions load;
  load.sets = options.sets;
  Diagnostics diagnostics;
  const auto platform = load_platform(options.platform, load, diagnostics);
  if (!platform) return tl::unexpected(platform.error());
  auto explanation = explain(*platform, options.explain);
  if (!explanation) return tl::unexpected(std::move(explanation.error()));
  if (auto fast = link_bound_warning(explanation->below_link_bound)) diagnostics.push_back(*std::move(fast));
  if (!invocation.quiet) print_diagnostics(diagnostics);
  explanation->diagnostics = std::move(diagnostics);
  if (invocation.json)
    print_document(to_json(*platform, *explanation), invocation, {options.platform});
  else
    fmt::print("{}", to_text(*platform, *explanation));
  return kDone;
}

}  // namespace

Command add_explain(CLI::App& program, Invocation& invocation) {
  auto* app =
      new_command(program, invocation, "explain",
                  "Show how Busline reads a platform and what messages and collectives cost on it",
                  {"busline explain cluster.json", "busline explain machine.cfg --size 64KiB --ranks 16",
                   "busline explain cluster.json --set /network/buses=4"});
  const auto options = std::make_shared<ExplainArguments>();
  app->add_option("PLATFORM", options->platform, "The machine: a .json document or a Dimemas .cfg")
      ->type_name("")
      ->required();
  app->add_option("--set", options->sets,
                  "Change a member of the platform, such as /network/buses=4; may be repeated")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
  app->add_option("--size", options->size,
                  "Size of messages and of each rank's part in collectives, such as 64KiB")
      ->type_name("SIZE");
  app->add_option("--ranks", options->explain.ranks,
                  "Ranks in the collectives, placed by the platform's mapping [one on each node]")
      ->type_name("N");
  return {app, [options, &invocation] { return run_explain(*options, invocation); }};
}

}  // namespace busline::cli
