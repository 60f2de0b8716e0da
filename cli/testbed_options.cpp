#include "cli/testbed_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "cli/interrupt.hpp"
#include "cli/option_values.hpp"
#include "cli/simulate_options.hpp"
#include "cli/terminal.hpp"
#include "platforms/load_platform.hpp"
#include "validation/measure/noisy_testbed.hpp"
#include "validation/simulated/simulated_testbed.hpp"
#include "workloads/output_file.hpp"

namespace busline::cli {
namespace {

constexpr const char* kMachineGroup = "Machine";  // in a command's help

// How many ranks, and where they sit if the platform leaves it open.
std::uint32_t default_ranks(Platform& platform, const DefaultJob& job) {
  std::uint64_t cpus = 0, nodes = 0;
  for (const auto& machine : platform.machines)
    for (const auto& group : machine.nodes) {
      cpus += std::uint64_t{group.count} * group.cpus;
      nodes += group.count;
    }
  const auto per_node = std::uint64_t{job.most_per_node};
  if (per_node == 0 || platform.mapping != Mapping{} || nodes * per_node >= cpus)
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(cpus, job.most_ranks));
  platform.mapping.kind = Mapping::Kind::per_node;
  platform.mapping.per_node = job.most_per_node;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes * per_node, job.most_ranks));
}

}  // namespace

void add_machine_options(CLI::App& command, TestbedOptions& options) {
  const std::string group = kMachineGroup;
  command
      .add_option("--platform", options.platform, "The simulated machine: a .json document or a Dimemas .cfg")
      ->type_name("FILE")
      ->required()
      ->group(group);
  command
      .add_option("--set", options.sets,
                  "Change a member of the platform, such as /network/buses=4; may be repeated")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false)
      ->group(group);
  command.add_option("--model", options.model, "As in 'busline simulate'")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  command.add_option("--noise", options.noise, "Times scatter log-normally by this share, such as 2%")
      ->type_name("SHARE")
      ->group(group);
  command.add_option("--seed", options.seed, "Of the noise and of every random choice")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("-o,--output", options.output, "The measurement document to write; - is standard output")
      ->type_name("FILE");
}

void add_testbed_options(CLI::App& command, TestbedOptions& options) {
  add_machine_options(command, options);
  const std::string group = kMachineGroup;
  command.add_option("-n,--ranks", options.ranks, "Ranks of the job (default: one for each CPU)")
      ->type_name("N")
      ->check(CLI::Range(1U, 10'000'000U))
      ->group(group);
  command
      .add_option("--mapping", options.mapping,
                  "Where ranks sit: fill, round-robin, per-node:K, or nodes as 0,0,1,1")
      ->type_name("HOW")
      ->group(group);
}

Expected<double> parse_share(const std::string& text, const std::string& option) {
  const bool percent = text.ends_with('%');
  double value = 0;
  const auto* end = text.data() + text.size() - (percent ? 1 : 0);
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (percent) value /= 100;
  if (error != std::errc{} || stopped != end || !(value >= 0 && value <= 10))
    return refuse(option, fmt::format("'{}' is no share", text), "such as 2% or 0.02");
  return value;
}

Expected<std::unique_ptr<measure::Testbed>> make_testbed(const TestbedOptions& options, const DefaultJob& job,
                                                         const Invocation& invocation) {
  if (options.output != "-")
    if (auto ok = check_writable(options.output); !ok) return tl::unexpected(std::move(ok.error()));
  double spread = 0;
  if (!options.noise.empty()) {
    const auto share = parse_share(options.noise, "--noise");
    if (!share) return tl::unexpected(share.error());
    spread = *share;
  }
  Diagnostics diagnostics;
  auto platform = load_platform(options.platform, {.overrides = {}, .sets = options.sets}, diagnostics);
  if (!platform) return tl::unexpected(std::move(platform.error()));
  if (!options.mapping.empty()) {
    auto mapping = parse_mapping(options.mapping);
    if (!mapping) return tl::unexpected(std::move(mapping.error()));
    platform->mapping = *std::move(mapping);
  }
  if (!invocation.quiet) print_diagnostics(diagnostics);
  const auto ranks = options.ranks != 0 ? options.ranks : default_ranks(*platform, job);
  auto machine = SimulatedTestbed::create(*std::move(platform), ranks, options.model);
  if (!machine) {
    if (machine.error().where == "/mapping" && !options.mapping.empty()) machine.error().where = "--mapping";
    return tl::unexpected(std::move(machine.error()));
  }
  (*machine)->set_progress([](double) { return !interrupted(); });
  if (spread == 0) return *std::move(machine);
  return std::make_unique<measure::NoisyTestbed>(*std::move(machine),
                                                 measure::Noise{.spread = spread, .seed = options.seed});
}

}  // namespace busline::cli
