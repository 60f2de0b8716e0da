// Where benchmarks run: on a simulated machine, or in the job that this program is part of. Everything a kind
// of measurement needs before it has a testbed.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "measuring/testbed/testbed.hpp"
#include "sim/base/error.hpp"

namespace busline::cli {

struct Invocation;

/// The default job of a benchmark: its number and placement of ranks.
struct DefaultJob {
  std::uint32_t most_ranks = 64;
  std::uint32_t most_per_node = 0;  ///< 0: as many as a node has CPUs
};

/// Shows buses and links: several nodes rather than all ranks of one, with several ranks on each. Collectives
/// on simulated machines with 10,000 CPUs would take hours.
inline constexpr DefaultJob kPairsJob{.most_ranks = 64, .most_per_node = 4};

class TestbedSource {
 public:
  TestbedSource() = default;
  TestbedSource(const TestbedSource&) = delete;
  TestbedSource& operator=(const TestbedSource&) = delete;
  virtual ~TestbedSource() = default;

  /// Adds its options to `command`, of which there is one for each source; those about the job's ranks only
  /// `with_job`.
  virtual void add_options(CLI::App& command, bool with_job) = 0;
  /// The testbed. Ctrl-C interrupts what runs on it; warnings are printed unless -q.
  virtual Expected<std::unique_ptr<measure::Testbed>> make(const DefaultJob& job, std::uint64_t seed,
                                                           const Invocation& invocation) = 0;
  /// The command line of a kind of measurement with these arguments, for examples.
  virtual std::string example(const std::string& kind, const std::string& arguments) const = 0;
  /// How long a measurement may take by default, as --budget has it.
  virtual std::string usual_budget() const = 0;
  /// Files that it was made of, for the provenance.
  virtual std::vector<std::string> inputs() const = 0;
};

}  // namespace busline::cli
