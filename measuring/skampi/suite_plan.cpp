#include "measuring/skampi/suite_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/measurement/variation.hpp"
#include "measuring/skampi/parameter_words.hpp"

namespace busline::skampi {
namespace {

using measure::Pattern;
using measure::TimeOf;
using measure::Varies;

constexpr std::uint64_t kProbeBytes = 4;  // of SKaMPI's first ping-pongs
constexpr double kSquareRootOf2 = 1.4142135623730951;
// Suites of SKaMPI 4 with this ending measure with a common start.
constexpr std::string_view kSynchronised = "-SM";

// Pairs that are no ping-pongs; all others are.
struct NamedMeaning {
  std::string_view operation;
  Meaning meaning;
};
constexpr std::array<NamedMeaning, 9> kOtherPairs{{
    {"MPI_Send", {Pattern::overhead, TimeOf::call}},
    {kLateReceive, {Pattern::overhead, TimeOf::call}},
    {"MPI_Sendrecv", {Pattern::pingping, TimeOf::root}},
    {"MPI_Sendrecv_replace", {Pattern::pingping, TimeOf::root}},
    {"exchange", {Pattern::pingping, TimeOf::root}},
    {kLateExchange, {Pattern::pingping, TimeOf::root}},
    {"stream", {Pattern::bandwidth, TimeOf::root}},
    {"window", {Pattern::bandwidth, TimeOf::root}},
    {"exchange_window", {Pattern::bidirectional, TimeOf::root}},
}};

class Planner {
 public:
  Planner(const ParameterFile& file, const std::string& path, measure::Testbed& testbed,
          Diagnostics& diagnostics)
      : file_(file), path_(path), testbed_(testbed), diagnostics_(diagnostics) {}

  Expected<measure::SuitePlan> plan(const SuiteParameters& suite) {
    suite_ = &suite;
    const auto found = operation();
    if (!found) return tl::unexpected(found.error());
    const auto& op = **found;
    auto ranks = ranks_for(op);
    if (!ranks) return tl::unexpected(std::move(ranks.error()));
    const auto varies = variation_for(op);
    if (!varies) return tl::unexpected(varies.error());

    measure::SuitePlan plan;
    plan.name = suite.name;
    plan.kernel = {.operation = std::string(op.name), .ranks = *std::move(ranks)};
    plan.kernel.chunks = suite.chunks;
    plan.kernel.bytes = op.buffers == BufferUse::none ? 0 : suite.message;
    const auto meaning = meaning_of(op, suite.name.ends_with(kSynchronised));
    plan.pattern = meaning.pattern;
    plan.time = meaning.time;
    plan.varies = *varies;
    plan.repetition = suite.limits.repetition;
    plan.without_overhead = !file_.absolute && &op != &empty_operation(op.pattern);
    plan.node_times = suite.node_times;
    if (auto filled = fill_range(op, plan); !filled) return tl::unexpected(std::move(filled.error()));
    return plan;
  }

 private:
  tl::unexpected<Error> wrong(std::string_view key, std::string message, std::string hint = "") const {
    Error e;
    e.path = path_;
    e.line = suite_->line;
    e.where = key.empty() ? suite_->name : fmt::format("{} of {}", key, suite_->name);
    e.message = std::move(message);
    e.hint = std::move(hint);
    return tl::unexpected(std::move(e));
  }

  Expected<const KernelOperation*> operation() const {
    if (suite_->type != 0) {
      if (const auto* const op = find_operation(suite_->type)) return op;
      return wrong("Type", fmt::format("no operation has the number {}", suite_->type),
                   "docs/reference/kernels.md lists the operations");
    }
    if (const auto* const op = find_operation(suite_->operation)) return op;
    if (const auto* const op = find_skampi5_operation(suite_->operation)) return op;
    std::vector<std::string> known;
    for (const auto& o : kernel_operations()) known.emplace_back(o.name);
    const auto near = nearest_name(known, printable(suite_->operation));
    return wrong("Operation", fmt::format("unknown operation '{}'", printable(suite_->operation)),
                 near.empty() ? "docs/reference/kernels.md lists the operations"
                              : fmt::format("did you mean {}?", near));
  }

  Expected<std::vector<std::uint32_t>> ranks_for(const KernelOperation& op) {
    if (op.pattern == KernelPattern::simple) return std::vector<std::uint32_t>{0};
    if (testbed_.ranks() < 2 && op.pattern != KernelPattern::collective)
      return wrong("", fmt::format("{} needs two ranks, but the job has one", op.name));
    if (op.pattern != KernelPattern::pairs) return measure::all_ranks(testbed_);
    if (!partner_) {
      const auto farthest = farthest_rank(testbed_);
      if (!farthest) return tl::unexpected(farthest.error());
      partner_ = *farthest;
    }
    return std::vector<std::uint32_t>{0, *partner_};
  }

  Expected<Varies> variation_for(const KernelOperation& op) const {
    const bool has_data = op.buffers != BufferUse::none;
    if (!suite_->varies)
      return has_data                                  ? Varies::bytes
             : op.pattern == KernelPattern::collective ? Varies::ranks
                                                       : Varies::nothing;
    const auto varies = *suite_->varies;
    const auto refuse = [&](std::string_view why) {
      return wrong("Variation", fmt::format("{} {}", op.name, why));
    };
    if (op.pattern == KernelPattern::simple && varies != Varies::nothing && varies != Varies::chunks)
      return refuse("is a call of one rank, expected No_variation");
    if (varies == Varies::bytes && !has_data) return refuse("has no message whose length could vary");
    if (varies == Varies::ranks && op.pattern == KernelPattern::pairs)
      return refuse("runs between two ranks, expected Length or No_variation");
    if (varies == Varies::chunks && op.pattern != KernelPattern::master_worker && op.name != "work")
      return refuse("has no chunks whose number could vary");
    return varies;
  }

  Expected<void> fill_range(const KernelOperation& op, measure::SuitePlan& plan) {
    if (plan.varies == Varies::nothing) return {};
    const auto& variation = measure::variation_of(plan.varies);
    const auto least = variation.least(op), most = variation.most(op, plan.kernel, count(file_.memory));
    if (plan.varies == Varies::chunks && !suite_->end)
      return wrong("End_Argument", "is Max_Value, but the number of chunks has no maximum", "give a number");
    plan.range.scale = suite_->scale.value_or(plan.varies == Varies::bytes ? measure::Scale::dynamic_log
                                                                           : measure::Scale::fixed_linear);
    plan.range.start = std::max(suite_->start.value_or(least), least);
    plan.range.end = suite_->end.value_or(most);
    plan.range.step = suite_->step.value_or(measure::is_log(plan.range.scale) ? kSquareRootOf2 : 1);
    plan.range.multiple_of = suite_->limits.multiple_of;
    if (plan.range.end > most) {
      diagnostics_.push_back({Diagnostic::Severity::warning,
                              "end-argument",
                              fmt::format("End_Argument of {} is {}, but the maximum is {}: it ends there",
                                          suite_->name, plan.range.end, most),
                              path_,
                              {},
                              suite_->line});
      plan.range.end = most;
    }
    plan.limits.max_steps = suite_->limits.max_steps;
    plan.limits.min_distance = suite_->min_distance;
    // SKaMPI's files have no key of their own for this.
    plan.limits.precision = suite_->limits.repetition.precision;
    plan.limits.time_limit = suite_->limits.time_suite;
    if (const auto grid = measure::initial_grid(plan.range); !grid) return wrong("", grid.error().message);
    return {};
  }

  const ParameterFile& file_;
  const std::string& path_;
  measure::Testbed& testbed_;
  Diagnostics& diagnostics_;
  const SuiteParameters* suite_ = nullptr;
  std::optional<std::uint32_t> partner_;
};

}  // namespace

Meaning meaning_of(const KernelOperation& operation, bool synchronised) {
  switch (operation.pattern) {
    case KernelPattern::master_worker:
      return {Pattern::master_worker, TimeOf::root};
    case KernelPattern::collective:
      return {Pattern::collective, synchronised ? TimeOf::max_over_ranks : TimeOf::root};
    case KernelPattern::simple:
      return {operation.name == "work" ? Pattern::compute : Pattern::local, TimeOf::call};
    case KernelPattern::pairs:
      break;
  }
  for (const auto& other : kOtherPairs)
    if (other.operation == operation.name) return other.meaning;
  return {Pattern::pingpong, TimeOf::round_trip};
}

Expected<std::uint32_t> farthest_rank(measure::Testbed& testbed) {
  std::uint32_t farthest = 0;
  Duration longest = Duration::picoseconds(-1);
  for (std::uint32_t rank = 1; rank < testbed.ranks(); ++rank) {
    const Kernel kernel{.operation = "MPI_Send-MPI_Recv", .ranks = {0, rank}, .bytes = kProbeBytes};
    const auto samples =
        testbed.run(kernel, {.warmup = 1, .samples = 1, .suite = "farthest rank", .argument = rank});
    if (!samples) return tl::unexpected(samples.error());
    if (samples->empty()) break;  // interrupted
    const auto time = measure::sample_times(*samples, kernel, TimeOf::round_trip).front();
    if (time > longest) {
      longest = time;
      farthest = rank;
    }
  }
  return farthest;
}

Expected<std::vector<measure::SuitePlan>> plan_suites(const ParameterFile& file, const std::string& path,
                                                      measure::Testbed& testbed, Diagnostics& diagnostics) {
  Planner planner(file, path, testbed, diagnostics);
  std::vector<measure::SuitePlan> plans;
  for (const auto& suite : file.suites) {
    auto plan = planner.plan(suite);
    if (!plan) return tl::unexpected(std::move(plan.error()));
    plans.push_back(*std::move(plan));
  }
  return plans;
}

}  // namespace busline::skampi
