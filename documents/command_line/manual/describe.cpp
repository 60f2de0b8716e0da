#include "documents/command_line/manual/describe.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "documents/command_line/manual/completion.hpp"
#include "documents/command_line/manual/man_page.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/version.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

// Without --json and -q: their output is text for other programs.
CLI::App* add_plain(CLI::App& program, const char* name, const char* description,
                    const std::string& examples) {
  auto* app = program.add_subcommand(name, description);
  app->footer("Examples:\n  " + examples);
  return app;
}

// The parent of `command`, whose page refers to it; null for the program.
const CommandDescription* above(const std::vector<const CommandDescription*>& all,
                                const CommandDescription& command) {
  const auto name = command.name.substr(0, command.name.rfind(' '));
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto* c) { return c->name == name; });
  return *found == &command ? nullptr : *found;
}

Expected<Exit> write_pages(const std::vector<const CommandDescription*>& all, const std::string& folder) {
  const auto section = man_section(*all.front());
  for (const auto* c : all) {
    const auto path = (std::filesystem::path(folder) / fmt::format("{}.{}", page_name(*c), section)).string();
    if (auto written = write_file(path, man_page(*c, above(all, *c), section, kVersion)); !written)
      return tl::unexpected(written.error());
  }
  return kDone;
}

Expected<Exit> print_page(const std::vector<const CommandDescription*>& all,
                          const std::vector<std::string>& words) {
  auto name = all.front()->name;
  for (const auto& w : words) name.append(" ").append(w);
  std::vector<std::string> names;
  for (const auto* c : all) {
    names.push_back(c->name);
    if (c->name != name) continue;
    fmt::print("{}", man_page(*c, above(all, *c), man_section(*all.front()), kVersion));
    return kDone;
  }
  const auto nearest = nearest_name(names, name);
  return refuse_option("COMMAND", fmt::format("there is no command '{}'", name),
                       nearest.empty() ? fmt::format("'{} --help' lists the commands", all.front()->name)
                                       : fmt::format("did you mean '{}'?", nearest));
}

}  // namespace

Command add_completion(CLI::App& program, Invocation&) {
  auto* app = add_plain(program, "completion", "Print the completion script for a shell",
                        fmt::format("source <({0} completion bash)\n  {0} completion fish > "
                                    "~/.config/fish/completions/{0}.fish",
                                    program.get_name()));
  const auto shell = std::make_shared<std::string>();
  app->add_option("SHELL", *shell, "Shell to complete in")
      ->type_name("")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return {app, [shell, &program]() -> Expected<Exit> {
            const auto described = describe(program);
            fmt::print("{}", *shell == "bash"  ? bash_completion(described)
                             : *shell == "zsh" ? zsh_completion(described)
                                               : fish_completion(described));
            return kDone;
          }};
}

Command add_man(CLI::App& program, Invocation&) {
  struct Options {
    std::vector<std::string> command;
    std::string folder;
  };
  const auto first = program.get_subcommands(nullptr).front()->get_name();
  auto* app = add_plain(
      program, "man", "Print the manual page of the program or of a command",
      fmt::format("{0} man {1} | man -l -\n  {0} man -o ~/.local/share/man/man1", program.get_name(), first));
  const auto options = std::make_shared<Options>();
  auto* command =
      app->add_option("COMMAND", options->command, "Command whose page to print (default: the program's)")
          ->type_name("");
  app->add_option("-o,--output", options->folder, "Write all pages to this existing folder")
      ->type_name("FOLDER")
      ->excludes(command);
  return {app, [options, &program]() -> Expected<Exit> {
            const auto described = describe(program);
            const auto all = all_commands(described);
            return options->folder.empty() ? print_page(all, options->command)
                                           : write_pages(all, options->folder);
          }};
}

}  // namespace busline::cli
