#include "documents/command_line/manual/command_tree.hpp"

#include <string_view>
#include <utility>

#include "sim/base/text_parts.hpp"

namespace busline::cli {
namespace {

// CLI11 stores the permitted values after the type's name: "WHAT:{io,cpu}", "K:INT in [1 - 1000]".
void set_type(OptionDescription& option, std::string_view type) {
  const auto colon = type.find(':');
  option.type = type.substr(0, colon);
  if (colon == std::string_view::npos) return;
  const auto rest = type.substr(colon + 1);
  if (rest.starts_with("{") && rest.ends_with("}"))
    for (const auto choice : split(rest.substr(1, rest.size() - 2), ',')) option.choices.emplace_back(choice);
  else
    option.limits = rest;
}

OptionDescription describe(const CLI::Option& from) {
  OptionDescription option;
  for (const auto& n : from.get_lnames()) option.names.push_back("--" + n);
  for (const auto& n : from.get_snames()) option.names.push_back("-" + n);
  if (option.names.empty()) option.names.push_back(from.get_single_name());
  option.help = from.get_description();
  option.group = from.get_group();
  option.preset = from.get_default_str();
  option.takes_value = from.get_items_expected_max() != 0;  // a flag expects none
  option.required = from.get_required();
  option.repeated = from.get_expected_max() == CLI::detail::expected_max_vector_size;
  if (option.takes_value) set_type(option, from.get_type_name());
  return option;
}

CommandDescription describe(const CLI::App& app, const std::string& above) {
  CommandDescription command{above.empty() ? app.get_name() : above + " " + app.get_name(),
                             app.get_description(),
                             app.get_footer(),
                             {},
                             {},
                             {}};
  for (const auto* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->nonpositional() ? command.options : command.arguments).push_back(describe(*option));
  }
  for (const auto* below : app.get_subcommands(nullptr))
    if (!below->get_group().empty()) command.commands.push_back(describe(*below, command.name));
  return command;
}

}  // namespace

CommandDescription describe(const CLI::App& app) {
  return describe(app, "");
}

std::vector<const CommandDescription*> all_commands(const CommandDescription& command) {
  std::vector<const CommandDescription*> all{&command};
  for (const auto& below : command.commands)
    for (const auto* c : all_commands(below)) all.push_back(c);
  return all;
}

}  // namespace busline::cli
