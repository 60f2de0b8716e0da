// busline study find: the cheapest value that is good enough.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/study.hpp"
#include "documents/command_line/interrupt.hpp"
#include "documents/command_line/option_values.hpp"
#include "documents/command_line/terminal.hpp"
#include "documents/text/json_document.hpp"
#include "sim/base/quantity.hpp"
#include "studies/study/find_value.hpp"
#include "studies/study/study_report.hpp"

namespace busline::cli {
namespace {

struct StudyFindArguments {
  StudyOptions study;
  std::string target, within = "5%";
  unsigned threads = usual_threads();
  bool largest = false;
};

Expected<FindOptions> find_options(const StudyFindArguments& options) {
  FindOptions find;
  find.largest = options.largest;
  const auto within = parse_share(options.within, "--within");
  if (!within) return tl::unexpected(within.error());
  find.within = *within;
  if (options.target.empty()) return find;
  const auto target = parse_duration(options.target);
  if (!target)
    return refuse_option(
        "--target",
        fmt::format("{}: column {}: {}", options.target, target.error().column, target.error().reason),
        "a run time, such as 1.5s");
  find.target = *target;
  return find;
}

Expected<Exit> run_study_find(const StudyFindArguments& options, const Invocation& invocation) {
  const auto find = find_options(options);
  if (!find) return tl::unexpected(find.error());
  auto study = make_study(options.study);
  if (!study) return tl::unexpected(std::move(study.error()));
  Diagnostics diagnostics;
  const auto cases = Cases::of(*std::move(study), diagnostics);
  if (!cases) return tl::unexpected(cases.error());
  if (!invocation.quiet) print_diagnostics(diagnostics);
  auto store = Store::open(":memory:", Store::Mode::create);
  if (!store) return tl::unexpected(std::move(store.error()));
  WorkloadPool workloads;
  RunStudyOptions how;
  how.threads = options.threads;
  how.program = version_and_commit();
  how.stop = interrupted;
  ProgressBar bar(!invocation.quiet, "searching");
  how.progress = [&bar](const StudyProgress& p) {
    bar.show(static_cast<double>(p.stored) / static_cast<double>(p.points));
  };
  const auto found = find_value(*cases, workloads, *store, how, *find);
  if (!found) return tl::unexpected(found.error());
  const auto told = workloads.diagnostics();
  if (!invocation.quiet) print_diagnostics(told);
  diagnostics.insert(diagnostics.end(), told.begin(), told.end());
  const auto& axes = cases->points().axes();
  const auto& axis = *std::find_if(axes.begin(), axes.end(), [](const Axis& a) { return a.varies(); });
  if (invocation.json) {
    auto document = find_json(*found, axis.label, *find);
    document["diagnostics"] = to_json(diagnostics);
    print_document(std::move(document), invocation, cases->files());
  } else {
    fmt::print("{}", to_text(*found, axis.label, *find));
  }
  if (found->interrupted) return interrupt_exit().value_or(kInterrupted);
  return found->found ? kDone : kBeyondThreshold;
}

}  // namespace

Command add_study_find(CLI::App& study, Invocation& invocation) {
  auto* app = new_command(
      study, invocation, "find", "Find the first or last value of an axis that is fast enough",
      {"busline study find --platform cluster.json --workload trace.meta --axis /network/buses=1..64:7:log",
       "busline study find --platform cluster.json --workload trace.meta --axis "
       "/network/latency=1us..1ms:7:log "
       "--largest --within 2%"});
  const auto options = std::make_shared<StudyFindArguments>();
  add_study_options(*app, options->study);
  app->get_option("--platform")->required();
  app->get_option("--workload")->required();
  app->add_option("--target", options->target, "Target run time (default: the best among the values tried)")
      ->type_name("TIME");
  app->add_option("--within", options->within, "How much slower than the target is still fast enough")
      ->type_name("SHARE")
      ->capture_default_str();
  app->add_flag("--largest", options->largest, "Find the last value that is fast enough, not the first");
  app->add_option("-j,--threads", options->threads, "Points to simulate at a time (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1U, 4096U));
  return {app, [options, &invocation] { return run_study_find(*options, invocation); }};
}

}  // namespace busline::cli
