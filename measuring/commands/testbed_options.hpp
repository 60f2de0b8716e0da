// The options that every kind of measurement has, whatever it runs on.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "documents/command_line/command.hpp"
#include "measuring/commands/testbed_source.hpp"
#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

struct TestbedOptions {
  std::shared_ptr<TestbedSource> source;
  std::uint64_t seed = 1;
  std::string output;  ///< where the measurement document goes (deliver)

  /// `more` and what the testbed was made of, for the provenance.
  std::vector<std::string> inputs(std::vector<std::string> more = {}) const {
    for (auto& path : source->inputs()) more.push_back(std::move(path));
    return more;
  }
};

/// Adds them to `command`, except for those about the job. `options` must outlive it.
void add_machine_options(CLI::App& command, TestbedOptions& options, const Invocation& invocation);
/// Adds all of them.
void add_testbed_options(CLI::App& command, TestbedOptions& options, const Invocation& invocation);

/// Lines for help: a kind of measurement called with each of `arguments`.
std::vector<std::string> examples(const Invocation& invocation, const std::string& kind,
                                  const std::vector<std::string>& arguments);

/// What the source makes. An Error also if the measurement document could not be written later.
Expected<std::unique_ptr<measure::Testbed>> make_testbed(const TestbedOptions& options, const DefaultJob& job,
                                                         const Invocation& invocation);

}  // namespace busline::cli
