// busline measure linktest: times between all ranks of a job (docs/reference/linktest.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/command_line/version.hpp"
#include "measuring/commands/linktest_output.hpp"
#include "measuring/commands/measure.hpp"
#include "measuring/commands/measuring_options.hpp"
#include "measuring/commands/testbed_options.hpp"
#include "measuring/linktest/analysis.hpp"
#include "measuring/linktest/linktest_suites.hpp"
#include "measuring/linktest/run_linktest.hpp"
#include "measuring/linktest/write_linktest.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "sim/base/quantity.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

using linktest::KernelKind;
using linktest::LinkTestResult;
using linktest::OrderKind;

// For a measurement document: 1024 ranks, some 200 MB.
constexpr std::uint64_t kMostPoints = 1024 * 1023;

struct LinktestArguments {
  TestbedOptions testbed;
  linktest::RunOptions run;
  std::string size = "1MiB", kernel = "semi", order;
  bool bisection = false;
  BudgetOption budget;
  std::string sion, sion_version = "2.1.16", csv;
};

template <class Value>
struct Named {
  const char* name;
  Value value;
};
constexpr std::array<Named<KernelKind>, 3> kKernels{{{"semi", KernelKind::semidirectional},
                                                     {"bi", KernelKind::bidirectional},
                                                     {"uni", KernelKind::unidirectional}}};
constexpr std::array<Named<OrderKind>, 4> kOrders{{{"identity", OrderKind::identity},
                                                   {"shuffled", OrderKind::shuffled},
                                                   {"mixed", OrderKind::mixed},
                                                   {"nodes", OrderKind::nodes}}};

template <class Value, std::size_t N>
Expected<Value> parse_name(const std::array<Named<Value>, N>& names, const std::string& text,
                           const char* option, const char* hint) {
  for (const auto& n : names)
    if (text == n.name) return n.value;
  return refuse_option(option, fmt::format("unknown value '{}'", text), hint);
}

// The measurement, as set by the options.
Expected<linktest::RunOptions> run_options(const LinktestArguments& options) {
  auto run = options.run;
  const auto size = parse_bytes(options.size);
  if (!size)
    return refuse_option("--size", fmt::format("{}: {}", options.size, size.error().reason), "such as 1MiB");
  run.message_bytes = count(*size);
  const auto kernel = parse_name(kKernels, options.kernel, "--kernel",
                                 "semi: there and back; bi: both ways at once; uni: one way");
  if (!kernel) return tl::unexpected(kernel.error());
  run.kernel = *kernel;
  const auto* const usual = run.iterations > 1 ? "shuffled" : "identity";
  const auto order = parse_name(kOrders, options.order.empty() ? usual : options.order, "--order",
                                "identity, shuffled, nodes, or mixed: LinkTest 1.2's random order");
  if (!order) return tl::unexpected(order.error());
  run.order = *order;
  if (options.bisection) run.scope = linktest::Scope::bisection;
  run.seed = options.testbed.seed;
  if (options.sion_version != "1.2" && options.sion_version != "2.1.16")
    return refuse_option("--sion-version", fmt::format("cannot write LinkTest {}", options.sion_version),
                         "1.2 or 2.1.16");
  if (options.sion_version == "1.2" && run.iterations > 1)
    return refuse_option("--sion-version", "a LinkTest 1.2 file holds one iteration",
                         "a 2.1.16 file holds several");
  return run;
}

// Unless an order is asked for, pairs of a simulated machine are to be equal if its links are: where nodes
// have several ranks, whole nodes meet.
bool nodes_meet(const LinktestArguments& options, const measure::Testbed& testbed) {
  const auto& run = options.run;
  std::uint32_t last = 0;
  for (const auto& place : testbed.placement()) last = std::max(last, place.node);
  return options.order.empty() && run.iterations == 1 && !run.serial && !options.bisection &&
         testbed.kind() == measure::TestbedKind::simulated && last > 0 && last + 1 < testbed.ranks() &&
         linktest::has_equal_nodes(testbed);
}

Expected<void> write_sion(const LinktestArguments& options, const LinkTestResult& result) {
  if (options.sion.empty()) return {};
  return options.sion_version == "1.2" ? linktest::write_version1(options.sion, result)
                                       : linktest::write_version2(options.sion, result);
}

// Fail before spending hours on a file that cannot be written.
Expected<void> check_document(const LinktestArguments& options, std::uint64_t ranks) {
  if (options.testbed.output.empty()) return {};
  const auto points = ranks * (ranks - 1) / (options.bisection ? 2 : 1) * options.run.iterations;
  if (points <= kMostPoints) return {};
  return refuse_option("-o", fmt::format("a measurement document cannot hold {} times", points),
                       fmt::format("it holds up to {}; --sion and --csv take any number", kMostPoints));
}

struct Outcome {
  LinkTestResult result;
  std::optional<Duration> budget;
  std::optional<measure::SuiteEnd> ended_by;  // before all pairs were measured
};

// Until all is measured, the time is used up, or Ctrl-C.
Expected<Outcome> measure_pairs(measure::Testbed& testbed, const linktest::RunOptions& how,
                                std::optional<Duration> budget, bool with_progress) {
  ProgressBar bar(with_progress, "measuring");
  Outcome outcome{{}, budget, {}};
  Duration before, longest;  // of the runs so far; the next one takes as long
  auto result = linktest::run_linktest(testbed, how, [&](double share) {
    const auto now = testbed.elapsed();
    longest = std::max(longest, now - before);
    before = now;
    bar.show(std::max(share, budget ? now.in_seconds() / budget->in_seconds() : 0));
    if (interrupted())
      outcome.ended_by = measure::SuiteEnd::interrupt;
    else if (budget && now + longest > *budget)
      outcome.ended_by = measure::SuiteEnd::time_limit;
    return !outcome.ended_by;
  });
  if (!result) return tl::unexpected(std::move(result.error()));
  outcome.result = *std::move(result);
  outcome.result.settings.git_hash = kCommit;
  return outcome;
}

// Pairs that were slow only beside others, where ranks share a node's links.
std::uint64_t slowed_by_others(const LinkTestResult& result) {
  const auto nodes = linktest::nodes_of(result);
  const std::set<std::uint32_t> different(nodes.begin(), nodes.end());
  if (result.settings.flags[linktest::kSerial] != 0 || different.size() == nodes.size()) return 0;
  std::uint64_t slowed = 0;
  for (const auto& iteration : result.iterations)
    for (const auto& pair : linktest::analyse(result, iteration).slow)
      if (pair.kind == linktest::PairClass::between_nodes && pair.verdict == linktest::Verdict::transient)
        ++slowed;
  return slowed;
}

Diagnostics warnings_of(const Outcome& outcome) {
  Diagnostics all;
  if (outcome.ended_by) {
    const bool of_time = *outcome.ended_by == measure::SuiteEnd::time_limit;
    all.push_back({Diagnostic::Severity::warning, of_time ? "cut-suites" : "interrupted",
                   fmt::format("not all pairs were measured{}: pairs without a time are left out",
                               of_time ? " because time ran out" : "")});
  }
  if (const auto slowed = slowed_by_others(outcome.result); slowed > 0)
    all.push_back(
        {Diagnostic::Severity::note, "shared-links",
         fmt::format("{} of the slowest pairs {} slow beside other pairs of {} and not alone: nodes "
                     "have several ranks, whose messages queue for the same links. With --serial, or "
                     "one rank on a node, each pair has its links to itself",
                     slowed, slowed == 1 ? "was" : "were", slowed == 1 ? "its step" : "their steps")});
  return all;
}

// Everything that was asked for but the page.
Expected<void> write_files(const LinktestArguments& options, const measure::Testbed& testbed,
                           const Outcome& outcome, const Invocation& invocation) {
  const auto& result = outcome.result;
  if (auto written = write_sion(options, result); !written) return written;
  if (options.testbed.output.empty()) return {};
  auto document = measure::measurement_on(testbed);
  document.suites = linktest::suites_of(result);
  for (auto& suite : document.suites) suite.ended_by = outcome.ended_by;
  document.budget = budget_use(outcome.budget, testbed, {});
  document.provenance = provenance(invocation, options.testbed.inputs());
  return save(document, options.testbed.output);
}

Expected<Exit> measure_linktest(const LinktestArguments& options, const Invocation& invocation) {
  auto how = run_options(options);
  if (!how) return tl::unexpected(how.error());
  const auto budget = options.budget.limit();
  if (!budget) return tl::unexpected(budget.error());
  for (const auto& path : {options.sion, options.csv == "-" ? std::string() : options.csv})
    if (auto ok = check_writable(path); !ok) return tl::unexpected(std::move(ok.error()));
  auto testbed = make_testbed(options.testbed, kPairsJob, invocation);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  if (auto ok = check_document(options, (*testbed)->ranks()); !ok)
    return tl::unexpected(std::move(ok.error()));
  if (nodes_meet(options, **testbed)) how->order = OrderKind::nodes;
  auto outcome = measure_pairs(**testbed, *how, *budget, !invocation.quiet);
  if (!outcome) return tl::unexpected(std::move(outcome.error()));
  auto diagnostics = warnings_of(*outcome);
  if (!invocation.quiet) print_diagnostics(diagnostics);
  if (auto written = write_files(options, **testbed, *outcome, invocation); !written)
    return tl::unexpected(std::move(written.error()));
  // Also after an interrupt: keep what was measured.
  const LinkTestReport report{(*testbed)->machine().name, std::move(outcome->result), std::move(diagnostics)};
  const LinkTestOutput output{.csv = options.csv,
                              .page = options.testbed.output != "-" && (!invocation.quiet || invocation.json),
                              .inputs = options.testbed.inputs()};
  if (auto shown = show(report, output, invocation); !shown) return tl::unexpected(std::move(shown.error()));
  return interrupt_exit().value_or(kDone);
}

}  // namespace

Command add_measure_linktest(CLI::App& measure, Invocation& invocation) {
  auto* app =
      new_command(measure, invocation, "linktest", "Measure messages between all pairs of ranks",
                  examples(invocation, "linktest",
                           {"--sion linktest.sion", "--kernel bi --bisection --size 16MiB --retests 0",
                            "--iterations 5 --csv pairs.csv"}));
  const auto options = std::make_shared<LinktestArguments>();
  add_testbed_options(*app, options->testbed, invocation);
  options->budget.add_to(*app, options->testbed.source->usual_budget());
  const auto add = [app](const std::string& group) {
    return [app, group](const char* name, auto& value, const char* type, const char* help) {
      app->add_option(name, value, help)->type_name(type)->capture_default_str()->group(group);
    };
  };
  auto& run_options = options->run;
  const std::string measurement = "Measurement", pairs = "Pairs", files = "Files";
  const auto how = add(measurement);
  how("--size", options->size, "SIZE", "Message size");
  how("--messages", run_options.messages, "N", "Messages in each measurement");
  how("--warmup", run_options.warmup, "N", "Messages before each measurement");
  how("--kernel", options->kernel, "KIND", "semi: there and back; bi: both ways at once; uni: one way");
  how("--retests", run_options.retests, "N", "Number of slowest pairs to measure again, one at a time");
  how("--buffers", run_options.buffers, "N", "Number of buffers to use in turn");
  how("--buffer-seed", run_options.buffer_seed, "N", "Seed for the contents of buffers");
  app->add_flag("--random-buffers", run_options.random_buffers, "Fill buffers with random bytes")
      ->group(measurement);
  app->add_flag("--all-to-all", run_options.all_to_all, "Run a one-byte MPI_Alltoall before each step")
      ->group(measurement);
  const auto which = add(pairs);
  app->add_flag("--serial", run_options.serial, "Run one measurement at a time")->group(pairs);
  app->add_flag("--bisection", options->bisection, "Pair each rank of one half with each rank of the other")
      ->group(pairs);
  which("--order", options->order, "ORDER",
        "Order of ranks: identity, shuffled, mixed as in LinkTest 1.2, or nodes: whole nodes meet (default: "
        "identity; nodes on a simulated machine with several ranks a node; shuffled for several iterations)");
  app->add_flag("--shuffle-steps", run_options.shuffled_steps, "Take the steps in random order")
      ->group(pairs);
  which("--iterations", run_options.iterations, "N", "Passes over all pairs, in different orders");
  const auto where = add(files);
  where("--sion", options->sion, "FILE", "Write the result as a LinkTest file");
  where("--sion-version", options->sion_version, "VERSION", "LinkTest version of that file: 2.1.16 or 1.2");
  where("--csv", options->csv, "FILE", "Write a table of all pairs; '-' prints it instead of the page");
  return {app, [options, &invocation] { return measure_linktest(*options, invocation); }};
}

}  // namespace busline::cli
