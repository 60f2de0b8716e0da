// busline study find: the cheapest value that is good enough.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
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
  if (options.target.empty() || options.target == "best" || options.target == "base") return find;
  const auto target = parse_duration(options.target);
  if (!target)
    return refuse_option(
        "--target",
        fmt::format("{}: column {}: {}", options.target, target.error().column, target.error().reason),
        "a run time, such as 1.5s, or best or base");
  find.target = *target;
  return find;
}

// The base case, if it is the target.
Expected<std::optional<Cases>> base_of(const StudyFindArguments& options, Diagnostics& diagnostics) {
  if (options.target != "base") {
    if (options.study.bases.empty()) return std::nullopt;
    return refuse_option("--base", "says what the base case is, but the target is not the base case",
                         "add --target base");
  }
  auto study = make_base_case(options.study);
  if (!study) return tl::unexpected(std::move(study.error()));
  return Cases::of(*std::move(study), diagnostics).map([](Cases&& cases) {
    return std::optional(std::move(cases));
  });
}

Expected<Exit> run_study_find(const StudyFindArguments& options, const Invocation& invocation) {
  auto find = find_options(options);
  if (!find) return tl::unexpected(find.error());
  Diagnostics diagnostics;
  const auto base = base_of(options, diagnostics);
  if (!base) return tl::unexpected(base.error());
  if (*base) find->base = &**base;
  auto searched = options.study;
  searched.bases.clear();
  auto study = make_study(searched);
  if (!study) return tl::unexpected(std::move(study.error()));
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
       "--largest --within 2%",
       "busline study find --platform cluster.json --workload trace.meta --axis /network/buses=1..64:7:log "
       "--target base --base /network/buses=32"});
  const auto options = std::make_shared<StudyFindArguments>();
  add_study_options(*app, options->study);
  app->get_option("--platform")->required();
  app->get_option("--workload")->required();
  app->add_option("--target", options->target,
                  "Target run time: a time; best, of the values tried; or base, of the base case")
      ->type_name("TIME|best|base")
      ->default_str("best");
  app->add_option("--base", options->study.bases,
                  "Change the base case of --target base, such as /network/buses=4; may be repeated")
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
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
