#include "cli/simulated_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "documents/command_line/command.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/testbed/noisy_testbed.hpp"
#include "platforms/description/mapping_text.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/mapping.hpp"
#include "validation/simulated/simulated_testbed.hpp"

namespace busline::cli {
namespace {

// The number of ranks, and their placement if the platform does not set one.
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

class SimulatedSource final : public TestbedSource {
 public:
  void add_options(CLI::App& command, bool with_job) override {
    const auto add = [&command](const char* name, auto& value, const char* type, const char* help) {
      return command.add_option(name, value, help)->type_name(type)->group("Machine");
    };
    add("--platform", platform_, "FILE", "The simulated machine: a .json document or a Dimemas .cfg")
        ->required();
    add("--set", sets_, "POINTER=VALUE",
        "Change a member of the platform, such as /network/buses=4; may be repeated")
        ->allow_extra_args(false);
    add("--model", model_, "NAME", "Model, as in 'busline simulate'")->capture_default_str();
    add("--noise", noise_, "SHARE", "Scatter times log-normally by this share, such as 2%");
    if (!with_job) return;
    add("-n,--ranks", ranks_, "N",
        "Ranks of the job (default: 64, or as many as fit; calibration and linktest place at most four on a "
        "node)")
        ->check(CLI::Range(1U, 10'000'000U));
    add("--mapping", mapping_, "HOW",
        "Placement of ranks: fill, round-robin, per-node:K, or a node for each rank as 0,0,1,1");
  }

  Expected<std::unique_ptr<measure::Testbed>> make(const DefaultJob& job, std::uint64_t seed,
                                                   const Invocation& invocation) override {
    double spread = 0;
    if (!noise_.empty()) {
      const auto share = parse_share(noise_, "--noise");
      if (!share) return tl::unexpected(share.error());
      spread = *share;
    }
    Diagnostics diagnostics;
    auto platform = load_platform(platform_, {.overrides = {}, .sets = sets_}, diagnostics);
    if (!platform) return tl::unexpected(std::move(platform.error()));
    if (!mapping_.empty()) {
      auto mapping = parse_mapping(mapping_);
      if (!mapping) return tl::unexpected(std::move(mapping.error()));
      platform->mapping = *std::move(mapping);
    }
    if (!invocation.quiet) print_diagnostics(diagnostics);
    const auto ranks = ranks_ != 0 ? ranks_ : default_ranks(*platform, job);
    auto machine = SimulatedTestbed::create(*std::move(platform), ranks, model_);
    if (!machine) {
      if (machine.error().where == "/mapping" && !mapping_.empty()) machine.error().where = "--mapping";
      return tl::unexpected(std::move(machine.error()));
    }
    if (const auto placed = place_ranks((*machine)->platform(), ranks); placed && !invocation.quiet)
      if (auto crowded = crowding_warning((*machine)->platform(), *placed))
        print_diagnostics({*std::move(crowded)});
    (*machine)->set_progress([](double) { return !interrupted(); });
    if (spread == 0) return *std::move(machine);
    return std::make_unique<measure::NoisyTestbed>(*std::move(machine),
                                                   measure::Noise{.spread = spread, .seed = seed});
  }

  std::string example(const std::string& kind, const std::string& arguments) const override {
    return fmt::format("busline measure {} --platform cluster.json {}", kind, arguments);
  }

  std::string usual_budget() const override { return "none"; }

  std::vector<std::string> inputs() const override { return {platform_}; }

 private:
  std::string platform_, model_ = "dimemas", mapping_;
  std::vector<std::string> sets_;
  std::uint32_t ranks_ = 0;  // 0: one for each CPU
  std::string noise_;        // "2%"; empty: none
};

}  // namespace

std::shared_ptr<TestbedSource> simulated_source() {
  return std::make_shared<SimulatedSource>();
}

}  // namespace busline::cli
