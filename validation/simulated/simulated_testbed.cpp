#include "validation/simulated/simulated_testbed.hpp"

#include <fmt/format.h>

#include <utility>

#include "platforms/mapping.hpp"
#include "sim/algorithms/libraries.hpp"
#include "validation/simulated/launch.hpp"

namespace busline {
namespace {

using measure::KernelSamples;
using measure::Span;

tl::unexpected<Error> cannot_run(const Kernel& kernel, std::string message, std::string hint = {}) {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.where = "kernel " + kernel.operation;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return tl::unexpected(std::move(e));
}

Expected<void> check(const Kernel& kernel, const Result& result) {
  switch (result.status) {
    case Result::Status::complete:
      return {};
    case Result::Status::deadlock:
      return cannot_run(kernel, fmt::format("deadlocks: {} ranks are blocked", result.blocked.size()),
                        "all sends of this size may be waiting for their receives: see /mpi/rendezvous_from");
    case Result::Status::clock_overflow:
      return cannot_run(kernel, "takes longer than 106 days, the limit of the clock");
    case Result::Status::interrupted:
      return {};
  }
  return {};
}

/// Marks come by rank and in order: a begin and an end for each sample.
KernelSamples samples_of(const Kernel& kernel, const std::vector<MarkedTime>& marks, std::uint32_t ranks) {
  std::vector<std::vector<Span>> by_rank(ranks);
  for (const auto& mark : marks) {
    auto& spans = by_rank[mark.rank];
    if (mark.label == kSampleBegins)
      spans.push_back({mark.time.since_start(), mark.time.since_start()});
    else
      spans.back().end = mark.time.since_start();
  }
  KernelSamples samples;
  samples.reserve(kernel.ranks.size());
  for (const auto rank : kernel.ranks) samples.push_back(std::move(by_rank[rank]));
  return samples;
}

}  // namespace

Expected<std::unique_ptr<SimulatedTestbed>> SimulatedTestbed::create(Platform platform, std::uint32_t ranks,
                                                                     std::string model) {
  if (auto known = check_model(model); !known) return tl::unexpected(std::move(known.error()));
  auto nodes = place_ranks(platform, ranks);
  if (!nodes) return tl::unexpected(std::move(nodes.error()));
  return std::unique_ptr<SimulatedTestbed>(
      new SimulatedTestbed(std::move(platform), *std::move(nodes), std::move(model)));
}

SimulatedTestbed::SimulatedTestbed(Platform platform, Machine nodes, std::string model)
    : platform_(std::move(platform)), nodes_(std::move(nodes)) {
  options_.model = std::move(model);
  IdVector<NodeId, std::int32_t> cores(nodes_.nodes.size());
  for (const auto node : nodes_.rank_node)
    placement_.push_back({fmt::format("node{:04}", raw(node)), raw(node), cores[node]++});
}

measure::MeasuredMachine SimulatedTestbed::machine() const {
  measure::MeasuredMachine m;
  m.name = platform_.name;
  for (std::uint32_t i = 0; i < nodes_.nodes.size(); ++i) m.nodes.push_back(fmt::format("node{:04}", i));
  m.cpus_per_node = nodes_.nodes.empty() ? 0 : nodes_.nodes.front().cpus;
  m.mpi = simulated_library(platform_.mpi.collectives.preset.value_or(CollectivePreset::dimemas));
  return m;
}

measure::MeasuringClock SimulatedTestbed::clock() const {
  return {"simulated", Duration::picoseconds(1), Duration()};
}

Expected<KernelSamples> SimulatedTestbed::run(const Kernel& kernel, const measure::RunPlan& plan) {
  return run_as(kernel,
                KernelPlan{.warmup = plan.warmup, .samples = plan.samples, .lead_in = usual_lead_in(kernel)});
}

Expected<KernelSamples> SimulatedTestbed::run_as(const Kernel& kernel, const KernelPlan& plan) {
  const auto program = kernel_program(kernel, plan, ranks());
  if (!program) return tl::unexpected(program.error());
  const auto result = simulate(*program, platform_, nodes_, options_);
  if (!result) return tl::unexpected(result.error());
  if (auto ok = check(kernel, *result); !ok) return tl::unexpected(std::move(ok.error()));
  elapsed_ += result->run_time - Time::zero();
  if (result->status == Result::Status::interrupted) return KernelSamples{};
  return samples_of(kernel, result->marks, ranks());
}

Expected<ziatest::LaunchTimes> SimulatedTestbed::launch(const ziatest::LaunchJob& job) {
  auto times = ziatest::simulate_launch(platform_, options_.model, job, options_.progress);
  if (times) elapsed_ += ziatest::startup_result(job, *times).total;
  return times;
}

}  // namespace busline
