// What the command line's definition says about a program, for everything that describes it: completion of
// shells, manual pages.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace busline::cli {

struct OptionDescription {
  std::vector<std::string> names;    ///< "--quiet", "-q"; of an argument, its one name: "PLATFORM"
  std::string type;                  ///< "FILE"; empty: a flag, or an argument
  std::string help, group, preset;   ///< `preset` is the value that it has if it is not given
  std::vector<std::string> choices;  ///< the only values that it may have; empty: others
  std::string limits;                ///< "UINT in [1 - 1000]"
  bool takes_value = false, required = false, repeated = false;
};

struct CommandDescription {
  std::string name;  ///< from the program on: "busline study run"
  std::string description, footer;
  std::vector<OptionDescription> options, arguments;
  std::vector<CommandDescription> commands;  ///< below it
};

/// `app` and all below it, in the order of help; what is hidden there is left out.
CommandDescription describe(const CLI::App& app);

/// `command` and all below it, each before its own.
std::vector<const CommandDescription*> all_commands(const CommandDescription& command);

}  // namespace busline::cli
