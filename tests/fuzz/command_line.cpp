#include "tests/fuzz/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include "cli/busline_commands.hpp"
#include "cli/simulated_source.hpp"

namespace busline::fuzz {
namespace {

using namespace cli;

// Commands refer to the two others. They are made once: it takes longer than to read a line.
struct CommandProgram {
  CommandProgram() {
    invocation.testbeds = simulated_source;
    app.set_version_flag("--version", "0");
    app.require_subcommand(1);
    for (const auto add : kBuslineCommands) commands.push_back(add(app, invocation));
  }
  Invocation invocation;
  CLI::App app{"", "busline"};
  std::vector<Command> commands;
};

std::vector<std::string> lines_from_last(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

}  // namespace

std::string fault_in_command_line(std::string_view text) {
  static CommandProgram program;
  try {
    program.app.parse(lines_from_last(text));
  } catch (const CLI::ParseError& e) {
    // CLI11 also reports --help and --version this way.
    return *e.what() == '\0' ? "an error without a message" : std::string();
  }
  const auto used = std::count_if(program.commands.begin(), program.commands.end(),
                                  [](const Command& c) { return c.app->parsed(); });
  return used == 1 ? std::string() : "no command is used";
}

}  // namespace busline::fuzz
