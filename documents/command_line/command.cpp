#include "documents/command_line/command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "documents/command_line/version.hpp"
#include "documents/text/process_usage.hpp"
#include "documents/text/sha256.hpp"

namespace busline::cli {

CLI::App* new_command(CLI::App& program, Invocation& invocation, const std::string& name,
                      const std::string& description, const std::vector<std::string>& examples) {
  auto* command = program.add_subcommand(name, description);
  command->add_flag("--json", invocation.json, "Print one JSON document instead of text");
  command->add_flag("-q,--quiet", invocation.quiet, "Suppress warnings and progress");
  std::string footer = "Examples:";
  for (const auto& e : examples) footer.append("\n  ").append(e);
  command->footer(footer);
  return command;
}

Command one_of(CLI::App* app, std::vector<Command> kinds) {
  app->require_subcommand(1);
  return {app, [kinds = std::move(kinds)] {
            return std::find_if(kinds.begin(), kinds.end(), [](const Command& c) { return c.app->parsed(); })
                ->run();
          }};
}

Provenance provenance(const Invocation& invocation, const std::vector<std::string>& inputs) {
  Provenance p;
  p.version = kVersion;
  p.commit = kCommit;
  p.command = invocation.command_line;
  for (const auto& path : inputs)
    if (auto hash = sha256_of_file(path)) p.inputs.push_back({path, std::move(*hash)});
  p.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - invocation.started).count();
  p.user_seconds = user_seconds();
  return p;
}

void print_document(nlohmann::ordered_json document, const Invocation& invocation,
                    const std::vector<std::string>& inputs) {
  document["provenance"] = to_json(provenance(invocation, inputs));
  fmt::print("{}", document_text(document));
}

}  // namespace busline::cli
