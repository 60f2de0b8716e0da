// busline measure skampi: the suites of a SKaMPI parameter file, or a script of SKaMPI 5
// (docs/reference/skampi.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/command_line/version.hpp"
#include "measuring/commands/measure.hpp"
#include "measuring/commands/measuring_options.hpp"
#include "measuring/commands/testbed_options.hpp"
#include "measuring/skampi/run_suites.hpp"
#include "measuring/skampi/ski_suites.hpp"
#include "measuring/skampi/suite_plan.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::cli {
namespace {

// Collectives over more ranks take long, and the curve over ranks is clear by then.
constexpr DefaultJob kSkampiJob{.most_ranks = 64, .most_per_node = 0};

struct SkampiArguments {
  TestbedOptions testbed;
  std::string file, out, log;
  std::vector<std::string> suites;
  bool lenient = false;
  BudgetOption budget;
  ResolutionOption resolution;
};

// The options as numbers.
struct Limits {
  std::optional<Duration> budget;
  double resolution = 0;
};

Expected<Limits> limits_of(const SkampiArguments& options) {
  const auto budget = options.budget.limit();
  if (!budget) return tl::unexpected(budget.error());
  const auto resolution = options.resolution.share();
  if (!resolution) return tl::unexpected(resolution.error());
  return Limits{*budget, *resolution};
}

// Leaves the wanted suites in the file, and gives the names of the others.
Expected<std::vector<std::string>> choose_skampi_suites(const std::vector<std::string>& wanted,
                                                        skampi::ParameterFile& file) {
  if (wanted.empty()) return std::vector<std::string>{};
  std::vector<std::string> known;
  for (const auto& s : file.suites) known.push_back(s.name);
  for (const auto& name : wanted)
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const auto near = nearest_name(known, name);
      return refuse_option("--suite", fmt::format("unknown suite '{}'", name),
                           near.empty() ? fmt::format("the file has {} suites", known.size())
                                        : fmt::format("did you mean {}?", near));
    }
  const auto is_other = [&](const std::string& name) {
    return std::find(wanted.begin(), wanted.end(), name) == wanted.end();
  };
  std::erase_if(file.suites, [&](const skampi::SuiteParameters& s) { return is_other(s.name); });
  std::erase_if(known, [&](const std::string& name) { return !is_other(name); });
  return known;
}

// The identification of the run, for the head of its result file.
std::string result_head(const skampi::ParameterFile& file, const measure::Testbed& testbed) {
  auto head = skampi::head_of(file);
  if (file.machine.empty()) head.insert(head.begin(), {"MACHINE", testbed.machine().name});
  head.emplace_back("TESTBED", "simulated");
  head.emplace_back("VERSION", fmt::format("busline {}", kVersion));
  return skampi::head_text(head);
}

// Where results and log go; nothing: nowhere.
std::optional<skampi::RunFileNames> file_names(const SkampiArguments& options,
                                               const skampi::ParameterFile& file) {
  const auto out = options.out.empty() ? file.out_file : options.out;
  if (out.empty()) return std::nullopt;
  auto log = options.log.empty() ? file.log_file : options.log;
  if (log.empty()) log = std::filesystem::path(out).replace_extension(".log").string();
  if (log == out) log += ".log";
  return skampi::RunFileNames{out, log};
}

// Hands over what was measured.
Expected<Exit> finish(skampi::SuiteRun&& run, const measure::Testbed& testbed, const Limits& limits,
                      Diagnostics& diagnostics, const SkampiArguments& options,
                      const Invocation& invocation) {
  warn_of_budget(run.suites, run.left_out, diagnostics);
  if (!invocation.quiet) print_diagnostics(diagnostics);
  auto document = measure::measurement_on(testbed);
  const auto any = check_measured(run.suites, run.failed.size() + run.left_out.size());
  document.suites = std::move(run.suites);
  document.budget = budget_use(limits.budget, testbed, std::move(run.left_out));
  if (auto delivered = deliver(std::move(document), options.testbed.output, invocation,
                               options.testbed.inputs({options.file}));
      !delivered)
    return tl::unexpected(std::move(delivered.error()));
  if (run.interrupted) return interrupt_exit().value_or(kInterrupted);
  if (!any) return tl::unexpected(any.error());
  return kDone;
}

Expected<Exit> run_parameter_file(const SkampiArguments& options, const Limits& limits,
                                  const Invocation& invocation) {
  Diagnostics diagnostics;
  auto file = skampi::read_parameter_file(options.file, {.lenient = options.lenient}, diagnostics);
  if (!file) return tl::unexpected(std::move(file.error()));
  auto others = choose_skampi_suites(options.suites, *file);
  if (!others) return tl::unexpected(std::move(others.error()));
  if (file->suites.empty())
    return refuse_file(Error::Kind::bad_input, options.file,
                       "the file contains no suites: nothing is measured",
                       "suites follow @MEASUREMENTS (docs/reference/skampi.md)");
  auto testbed = make_testbed(options.testbed, kSkampiJob, invocation);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  auto plans = skampi::plan_suites(*file, options.file, **testbed, diagnostics);
  if (!plans) return tl::unexpected(plans.error());
  for (auto& plan : *plans) plan.resolution = limits.resolution;
  const auto names = file_names(options, *file);
  std::optional<skampi::RunFiles> files;
  if (names) {
    auto opened = skampi::RunFiles::open(*names, result_head(*file, **testbed), diagnostics);
    if (!opened) return tl::unexpected(std::move(opened.error()));
    files.emplace(*std::move(opened));
  }
  if (!invocation.quiet) print_diagnostics(std::exchange(diagnostics, {}));

  SuiteProgressBar progress(!invocation.quiet, **testbed, limits.budget,
                            std::vector<double>(plans->size(), 1));
  const skampi::RunOptions how{
      .files = files ? &*files : nullptr, .others = *std::move(others), .budget = limits.budget};
  auto measured = skampi::run_suites(**testbed, *plans, how, std::ref(progress), diagnostics);
  if (!measured) return tl::unexpected(std::move(measured.error()));
  if (names && file->post_processing && !measured->interrupted && measured->left_out.empty())
    if (auto merged = skampi::merge_older_runs(names->out, diagnostics); !merged)
      return tl::unexpected(std::move(merged.error()));
  return finish(*std::move(measured), **testbed, limits, diagnostics, options, invocation);
}

// The result file of a script: SKaMPI 4's, at once when all is measured.
Expected<void> write_results(const skampi::SuiteRun& run, const measure::Testbed& testbed,
                             const std::string& path) {
  auto text = result_head({}, testbed);
  for (const auto& suite : run.suites)
    text += skampi::suite_text(suite, {nullptr, static_cast<std::uint32_t>(suite.ranks.size()), {}});
  if (!run.interrupted && run.left_out.empty()) text += skampi::end_text();
  return write_file(path, text);
}

Expected<Exit> run_script(const SkampiArguments& options, const Limits& limits,
                          const Invocation& invocation) {
  for (const auto& [option, given] : {std::pair{"--suite", !options.suites.empty()},
                                      {"--log", !options.log.empty()},
                                      {"--lenient", options.lenient}})
    if (given) return refuse_option(option, "works with parameter files", "a .ski file is a SKaMPI 5 script");
  if (auto ok = check_writable(options.out); !ok) return tl::unexpected(std::move(ok.error()));
  auto testbed = make_testbed(options.testbed, kSkampiJob, invocation);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  Diagnostics diagnostics;
  const auto measurements = skampi::read_ski(options.file, skampi::machine_of(**testbed), diagnostics);
  if (!measurements) return tl::unexpected(measurements.error());
  const auto suites = skampi::group_into_suites(*measurements).size();
  SuiteProgressBar progress(!invocation.quiet, **testbed, limits.budget, std::vector<double>(suites, 1));
  const skampi::SkiOptions how{.budget = limits.budget, .resolution = limits.resolution};
  auto measured = skampi::run_ski(**testbed, *measurements, how, std::ref(progress), diagnostics);
  if (!measured) return tl::unexpected(std::move(measured.error()));
  if (!options.out.empty())
    if (auto written = write_results(*measured, **testbed, options.out); !written)
      return tl::unexpected(std::move(written.error()));
  return finish(*std::move(measured), **testbed, limits, diagnostics, options, invocation);
}

Expected<Exit> measure_skampi(const SkampiArguments& options, const Invocation& invocation) {
  const auto limits = limits_of(options);
  if (!limits) return tl::unexpected(limits.error());
  const bool is_script = std::filesystem::path(options.file).extension() == ".ski";
  return is_script ? run_script(options, *limits, invocation)
                   : run_parameter_file(options, *limits, invocation);
}

}  // namespace

Command add_measure_skampi(CLI::App& measure, Invocation& invocation) {
  auto* app =
      new_command(measure, invocation, "skampi", "Run the measurements of a SKaMPI parameter file or script",
                  examples(invocation, "skampi",
                           {"suites.skampi", "suites.skampi --suite MPI_Bcast-nodes",
                            "suites.skampi -o m.json --skampi-out s.out"}));
  const auto options = std::make_shared<SkampiArguments>();
  app->add_option("PARAMETERS", options->file, "A SKaMPI 1 to 4 parameter file or a SKaMPI 5 script (.ski)")
      ->type_name("")
      ->required();
  add_testbed_options(*app, options->testbed, invocation);
  options->budget.add_to(*app, options->testbed.source->usual_budget());
  options->resolution.add_to(*app);
  const std::string group = "SKaMPI";
  app->add_option("--suite", options->suites, "Measure only this suite of the file; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(group);
  app->add_option("--skampi-out", options->out,
                  "Also write a SKaMPI result file; a run that was stopped is continued (default: @OUTFILE)")
      ->type_name("FILE")
      ->group(group);
  app->add_option("--log", options->log, "Log of that run (default: @LOGFILE, or the result file with .log)")
      ->type_name("FILE")
      ->group(group);
  app->add_flag("--lenient", options->lenient,
                "Replace invalid values with defaults and warn, as SKaMPI does")
      ->group(group);
  return {app, [options, &invocation] { return measure_skampi(*options, invocation); }};
}

}  // namespace busline::cli
