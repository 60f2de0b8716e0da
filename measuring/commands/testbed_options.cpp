#include "measuring/commands/testbed_options.hpp"

#include <utility>

#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

void add_options(CLI::App& command, TestbedOptions& options, const Invocation& invocation, bool with_job) {
  options.source = invocation.testbeds();
  options.source->add_options(command, with_job);
  command.add_option("--seed", options.seed, "Seed for all random choices")
      ->type_name("N")
      ->capture_default_str()
      ->group("Machine");
  command.add_option("-o,--output", options.output, "Measurement document to write; - for standard output")
      ->type_name("FILE");
}

}  // namespace

void add_machine_options(CLI::App& command, TestbedOptions& options, const Invocation& invocation) {
  add_options(command, options, invocation, false);
}

void add_testbed_options(CLI::App& command, TestbedOptions& options, const Invocation& invocation) {
  add_options(command, options, invocation, true);
}

std::vector<std::string> examples(const Invocation& invocation, const std::string& kind,
                                  const std::vector<std::string>& arguments) {
  const auto source = invocation.testbeds();
  std::vector<std::string> lines;
  for (const auto& a : arguments) lines.push_back(source->example(kind, a));
  return lines;
}

Expected<std::unique_ptr<measure::Testbed>> make_testbed(const TestbedOptions& options, const DefaultJob& job,
                                                         const Invocation& invocation) {
  if (options.output != "-")
    if (auto ok = check_writable(options.output); !ok) return tl::unexpected(std::move(ok.error()));
  return options.source->make(job, options.seed, invocation);
}

}  // namespace busline::cli
