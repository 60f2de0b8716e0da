// The definition of a command, and the state that all commands share.
#pragma once
#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "documents/command_line/exit_codes.hpp"
#include "documents/text/json_document.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

class TestbedSource;

/// Shared by all commands: their common options, the program's arguments, and the machine that its benchmarks
/// run on.
struct Invocation {
  std::vector<std::string> command_line;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  bool json = false;
  bool quiet = false;
  std::function<std::shared_ptr<TestbedSource>()> testbeds;
};

/// A subcommand and its action. `run` prints its results to stdout and its warnings to stderr; the caller
/// prints an Error, once.
struct Command {
  CLI::App* app = nullptr;
  std::function<Expected<Exit>()> run;
};
using AddCommand = Command (*)(CLI::App& program, Invocation& invocation);

/// A subcommand with the common options --json and -q. `examples` are lines of a shell.
CLI::App* new_command(CLI::App& program, Invocation& invocation, const std::string& name,
                      const std::string& description, const std::vector<std::string>& examples);

/// A command with several kinds as subcommands: exactly one must be given, and is run.
Command one_of(CLI::App* app, std::vector<Command> kinds);

/// The origin of a document. Hashes `inputs`; those that cannot be read (a closed pipe) are left out.
Provenance provenance(const Invocation& invocation, const std::vector<std::string>& inputs);
/// Prints `document` with its provenance to stdout.
void print_document(nlohmann::ordered_json document, const Invocation& invocation,
                    const std::vector<std::string>& inputs);

}  // namespace busline::cli
