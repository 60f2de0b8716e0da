// busline generate: a workload from the registry of generators (docs/how-to/generate.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/written_workload.hpp"
#include "documents/command_line/interrupt.hpp"
#include "workloads/generate/generator.hpp"

namespace busline::cli {
namespace {

struct GenerateArguments {
  const Generator* generator = nullptr;
  std::map<std::string, std::string> values;  // as given; CLI11 fills them
  std::string output;
};

Expected<Exit> run_generate(const GenerateArguments& options, const Invocation& invocation) {
  if (auto known = check_workload_name(options.output); !known)
    return tl::unexpected(std::move(known.error()));
  std::map<std::string, std::string> given;
  for (const auto& [name, text] : options.values)
    if (!text.empty()) given.emplace(name, text);
  auto program = [&] {
    const NothingToKeep making;
    return options.generator->generate(given);
  }();
  if (!program) return tl::unexpected(std::move(program.error()));
  Workload workload;
  workload.name = std::string(options.generator->name);
  workload.format = "generated";
  workload.program = *std::move(program);
  Origin origin{{"generator", workload.name}};
  for (const auto& p : options.generator->parameters) {
    const auto found = given.find(std::string(p.name));
    origin.push_back({std::string(p.name), found == given.end() ? std::string(p.fallback) : found->second});
  }
  nlohmann::ordered_json document{
      {"schema", "busline/conversion/1"}, {"from", workload.name}, {"to", options.output}};
  return write_and_tell(workload, origin, options.output, std::move(document), invocation, {});
}

// The form of a parameter's value.
std::string type_of(const GeneratorParameter& p) {
  using Kind = GeneratorParameter::Kind;
  switch (p.kind) {
    case Kind::number:
      return "N";
    case Kind::size:
      return "SIZE";
    case Kind::time:
      return "TIME";
    case Kind::share:
      return "SHARE";
    case Kind::rate:
      return "RATE";
    case Kind::choice:
      return p.choices.empty() ? "NAME" : fmt::format("{}", fmt::join(p.choices, "|"));
  }
  return {};
}

Command add_generator(CLI::App& generate, Invocation& invocation, const Generator& generator) {
  const std::string name(generator.name);
  auto* app = new_command(generate, invocation, name, std::string(generator.description),
                          {fmt::format("busline generate {} -o {}.program", name, name)});
  const auto options = std::make_shared<GenerateArguments>();
  options->generator = &generator;
  for (const auto& p : generator.parameters) {
    auto& value = options->values[std::string(p.name)];
    app->add_option(fmt::format("--{}", p.name), value, std::string(p.help))
        ->type_name(type_of(p))
        ->default_str(std::string(p.fallback));
  }
  app->add_option("-o,--output", options->output, "File to write: .program, .dim or another workload format")
      ->type_name("FILE")
      ->required();
  return {app, [options, &invocation] { return run_generate(*options, invocation); }};
}

}  // namespace

Command add_generate(CLI::App& program, Invocation& invocation) {
  auto* app =
      program.add_subcommand("generate", "Generate a workload: a communication pattern or a benchmark");
  app->footer("'busline generate WORKLOAD --help' shows its parameters.");
  std::vector<Command> kinds;
  for (const auto& generator : generators()) kinds.push_back(add_generator(*app, invocation, generator));
  return one_of(app, std::move(kinds));
}

}  // namespace busline::cli
