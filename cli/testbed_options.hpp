// The options that say on which simulated machine a benchmark runs: the same for every kind of 'busline
// measure'.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "sim/error.hpp"
#include "validation/measure/testbed.hpp"

namespace busline::cli {

struct TestbedOptions {
  std::string platform;
  std::vector<std::string> sets;
  std::string model = "dimemas", mapping;
  std::uint32_t ranks = 0;  ///< 0: one for each CPU
  std::string noise;        ///< "2%"; empty: none
  std::uint64_t seed = 1;
  std::string output;  ///< where the measurement document goes (deliver)
};

/// Adds them to `command`, but for those about the job. `options` must outlive it.
void add_machine_options(CLI::App& command, TestbedOptions& options);
/// Adds all of them.
void add_testbed_options(CLI::App& command, TestbedOptions& options);

/// The job that a benchmark runs as if nobody says how many ranks it has and where they sit.
struct DefaultJob {
  std::uint32_t most_ranks = 64;
  std::uint32_t most_per_node = 0;  ///< 0: as many as a node has CPUs
};

/// The machine, with as many ranks as asked for, or one for each CPU within the limits of `job`. Ctrl-C
/// interrupts what runs on it. Prints warnings unless -q. An Error also if the measurement document could not
/// be written later.
Expected<std::unique_ptr<measure::Testbed>> make_testbed(const TestbedOptions& options, const DefaultJob& job,
                                                         const Invocation& invocation);

/// "2%" or "0.02"; `option` is for messages. 0 to 10.
Expected<double> parse_share(const std::string& text, const std::string& option);

}  // namespace busline::cli
