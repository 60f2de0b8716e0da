// What the command line's definition says about a program, for everything that describes it: completion of
// shells, manual pages.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace busline::cli {

struct OptionDescription {
  std::vector<std::string> names;    ///< "--quiet", "-q"; for an argument, its single name: "PLATFORM"
  std::string type;                  ///< "FILE"; empty: a flag, or an argument
  std::string help, group, preset;   ///< `preset` is the default value
  std::vector<std::string> choices;  ///< the permitted values; empty: any
  std::string limits;                ///< "UINT in [1 - 1000]"
  bool takes_value = false, required = false, repeated = false;
};

struct CommandDescription {
  std::string name;  ///< including the program: "busline study run"
  std::string description, footer;
  std::vector<OptionDescription> options, arguments;
  std::vector<CommandDescription> commands;  ///< subcommands
};

/// `app` and all its subcommands, in the order of help, without hidden ones.
CommandDescription describe(const CLI::App& app);

/// `command` and all its subcommands, each before its own subcommands.
std::vector<const CommandDescription*> all_commands(const CommandDescription& command);

}  // namespace busline::cli
