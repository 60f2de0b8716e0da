// busline measure ziatest: from the launch of a job to its first messages (docs/reference/ziatest.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "measuring/commands/measure.hpp"
#include "measuring/commands/testbed_options.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "measuring/ziatest/classic_output.hpp"
#include "measuring/ziatest/startup_study.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::cli {
namespace {

using namespace ziatest;

// The testbed's own job does nothing: launches have their own nodes and ranks.
constexpr DefaultJob kIdleJob{.most_ranks = 1};

enum class Format { table, classic, milliseconds, json };
constexpr std::array<std::pair<std::string_view, Format>, 4> kFormats{{{"table", Format::table},
                                                                       {"classic", Format::classic},
                                                                       {"ms", Format::milliseconds},
                                                                       {"json", Format::json}}};

struct ZiatestArguments {
  TestbedOptions testbed;
  std::uint32_t ranks_per_node = 1, nodes = 0;  // 0: all
  bool scaling = false;
  std::string variant = "seed", image = "100MiB", format = "table";
};

template <class Value, std::size_t N>
Expected<Value> named(const std::array<std::pair<std::string_view, Value>, N>& names, const std::string& text,
                      const char* option) {
  std::string all;
  for (const auto& [name, value] : names) {
    if (name == text) return value;
    all.append(all.empty() ? "" : ", ").append(name);
  }
  return refuse_option(option, fmt::format("'{}' is not known", text),
                       fmt::format("expected one of {}", all));
}

Expected<LaunchJob> job_of(const ZiatestArguments& options) {
  const auto variant = named(measure::kVariantNames, options.variant, "--variant");
  if (!variant) return tl::unexpected(variant.error());
  const auto image = parse_bytes(options.image);
  if (!image)
    return refuse_option("--image", fmt::format("{}: {}", options.image, image.error().reason),
                         "such as 100MiB");
  return LaunchJob{{*variant, 1, options.ranks_per_node}, *image};
}

// All nodes of the machine, or the requested number. A launcher outside a job does not report how many exist.
Expected<std::vector<std::uint32_t>> node_counts(const ZiatestArguments& options,
                                                 const measure::Testbed& testbed) {
  const auto there = static_cast<std::uint32_t>(testbed.machine().nodes.size());
  if (there > 0 && options.nodes > there)
    return refuse_option(
        "--nodes", fmt::format("{}, but the machine has {}", counted(options.nodes, "node"), there), "");
  const auto most = options.nodes == 0 ? std::max(there, 1U) : options.nodes;
  return options.scaling ? scaling_steps(most) : std::vector{most};
}

void print_classic(const std::vector<StartupResult>& results, ClassicTime time) {
  for (const auto& r : results) fmt::print("{}", classic_text({r.total, r.slowest_rank}, time));
}

Expected<Exit> measure_ziatest(const ZiatestArguments& options, const Invocation& invocation) {
  const auto job = job_of(options);
  if (!job) return tl::unexpected(job.error());
  const auto format = named(kFormats, options.format, "--format");
  if (!format) return tl::unexpected(format.error());
  const auto testbed = make_testbed(options.testbed, kIdleJob, invocation);
  if (!testbed) return tl::unexpected(testbed.error());
  const auto steps = node_counts(options, **testbed);
  if (!steps) return tl::unexpected(steps.error());

  ProgressBar bar(!invocation.quiet, "launching");
  std::size_t done = 0;
  const auto study = run_startup(**testbed, *job, *steps, [&](std::uint32_t) {
    bar.show(static_cast<double>(done++) / static_cast<double>(steps->size()));
    return !interrupted();
  });
  if (!study) return tl::unexpected(study.error());
  if (!study->results.empty()) {
    auto document = measure::measurement_on(**testbed);
    document.suites = {startup_suite(study->results)};
    auto shown = invocation;
    shown.json = shown.json || *format == Format::json;
    const bool classic = !shown.json && (*format == Format::classic || *format == Format::milliseconds);
    shown.quiet = shown.quiet || classic;
    if (auto delivered =
            deliver(std::move(document), options.testbed.output, shown, options.testbed.inputs());
        !delivered)
      return tl::unexpected(std::move(delivered.error()));
    if (classic && !invocation.quiet)
      print_classic(study->results,
                    *format == Format::classic ? ClassicTime::original : ClassicTime::milliseconds);
  }
  // Ctrl-C also reaches the launcher, whose launch then fails.
  if (study->interrupted || (study->failed && interrupted())) return interrupt_exit().value_or(kInterrupted);
  if (study->failed) return tl::unexpected(*study->failed);
  return kDone;
}

}  // namespace

Command add_measure_ziatest(CLI::App& measure, Invocation& invocation) {
  auto* app = new_command(measure, invocation, "ziatest",
                          "Predict how long a job takes to launch and to send its first messages",
                          examples(invocation, "ziatest",
                                   {"32 --nodes 64", "32 --scaling -o startup.json", "4 --format classic"}));
  const auto options = std::make_shared<ZiatestArguments>();
  app->add_option("RANKS_PER_NODE", options->ranks_per_node, "Processes per node")
      ->type_name("")
      ->check(CLI::Range(1U, 1'000'000U))
      ->required();
  app->add_option("--nodes", options->nodes, "Nodes of the job (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1U, 10'000'000U));
  app->add_flag("--scaling", options->scaling, "Also launch on 2, 20, 200, ... nodes");
  app->add_option("--variant", options->variant,
                  "seed: the exchange as the benchmark describes it; lanl: as its program performs it")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--image", options->image, "Size of the executable")
      ->type_name("SIZE")
      ->capture_default_str();
  app->add_option("--format", options->format,
                  "table; classic: ZiaTest's own output; ms: the same in milliseconds; json")
      ->type_name("FORMAT")
      ->capture_default_str();
  add_machine_options(*app, options->testbed, invocation);
  return {app, [options, &invocation] { return measure_ziatest(*options, invocation); }};
}

}  // namespace busline::cli
