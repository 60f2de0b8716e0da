#include "measuring/skampi/run_suites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "measuring/measurement/merge_measurements.hpp"
#include "measuring/method/time_budget.hpp"
#include "workloads/files/output_file.hpp"

namespace busline::skampi {
namespace {

class SuiteRunner {
 public:
  SuiteRunner(measure::Testbed& testbed, RunFiles* files, const measure::TimeBudget& budget,
              const measure::Watch& watch, Diagnostics& diagnostics)
      : testbed_(testbed), files_(files), budget_(budget), watch_(watch), diagnostics_(diagnostics) {
    if (files_ != nullptr && files_->continued()) earlier_ = to_measurement(*files_->continued()).suites;
  }

  Expected<void> run(measure::SuitePlan plan) {
    const auto& name = plan.name;
    const auto state = files_ == nullptr ? SuiteState::todo : files_->state(name);
    if (state == SuiteState::done) {
      keep(name);
      return {};
    }
    if (state == SuiteState::failed) {
      fail(name, "was not measured: an earlier run started but did not finish it");
      return {};
    }
    const auto begin = testbed_.elapsed();
    if (budget_.is_used_up(begin)) {
      run_.left_out.push_back(name);
      return {};
    }
    plan.time_limit = budget_.next(begin, plan.share);
    if (files_ != nullptr)
      if (auto logged = files_->started(name); !logged) return logged;
    auto measured = measure::measure_suite(testbed_, plan, watch_);
    if (!measured) {
      fail(name, fmt::format("could not be measured: {}", to_string(measured.error())));
      return files_ == nullptr ? Expected<void>{} : files_->not_measured(name, LogEvent::failed);
    }
    run_.interrupted = measured->interrupted;
    if (measured->suite.points.empty() && !run_.interrupted) {  // the time was over before the first point
      run_.left_out.push_back(name);
      return files_ == nullptr ? Expected<void>{} : files_->not_measured(name, LogEvent::interrupted);
    }
    const auto text = suite_text(measured->suite, {&plan, testbed_.ranks(), testbed_.elapsed() - begin});
    if (!measured->suite.points.empty()) run_.suites.push_back(std::move(measured->suite));
    if (files_ == nullptr) return {};
    return run_.interrupted ? files_->not_measured(name, LogEvent::interrupted) : files_->ended(name, text);
  }

  bool interrupted() const { return run_.interrupted; }
  bool left_none_out() const { return run_.left_out.empty(); }
  SuiteRun take() { return std::move(run_); }

 private:
  void keep(const std::string& name) {
    for (auto& suite : earlier_)
      if (suite.name == name) run_.suites.push_back(std::move(suite));
  }

  void fail(const std::string& name, const std::string& why) {
    run_.failed.push_back(name);
    diagnostics_.push_back({Diagnostic::Severity::warning, "failed-suite", fmt::format("{} {}", name, why)});
  }

  measure::Testbed& testbed_;
  RunFiles* files_;
  measure::TimeBudget budget_;
  const measure::Watch& watch_;
  Diagnostics& diagnostics_;
  std::vector<measure::Suite> earlier_;
  SuiteRun run_;
};

}  // namespace

Expected<SuiteRun> run_suites(measure::Testbed& testbed, std::span<const measure::SuitePlan> suites,
                              const RunOptions& options, const measure::Watch& watch,
                              Diagnostics& diagnostics) {
  auto* const files = options.files;
  double shares = 0;
  for (const auto& suite : suites)
    if (files == nullptr || files->state(suite.name) == SuiteState::todo) shares += suite.share;
  SuiteRunner runner(testbed, files, {options.budget, testbed.elapsed(), shares}, watch, diagnostics);
  for (const auto& suite : suites) {
    if (auto done = runner.run(suite); !done) return tl::unexpected(std::move(done.error()));
    if (runner.interrupted()) break;
  }
  if (files != nullptr && !runner.interrupted() && runner.left_none_out())
    if (auto finished = files->finish(options.others); !finished)
      return tl::unexpected(std::move(finished.error()));
  return runner.take();
}

Expected<std::size_t> merge_older_runs(const std::string& out, Diagnostics& diagnostics) {
  auto names = older_runs(out);
  if (names.empty()) return 1;
  names.push_back(out);
  std::vector<measure::NamedMeasurement> runs;
  std::vector<ResultFile> files;
  for (const auto& name : names) {
    auto file = read_results(name, diagnostics);
    if (!file) return tl::unexpected(std::move(file.error()));
    runs.push_back({name, to_measurement(*file)});
    files.push_back(*std::move(file));
  }
  const auto merged = measure::merge_measurements(runs, measure::MergeRule::count, diagnostics);
  if (!merged) return tl::unexpected(merged.error());
  auto head = files.back().head;
  head.emplace_back("POSTPROC", fmt::format("{} runs", runs.size()));
  auto text = head_text(head);
  for (const auto& suite : merged->suites) {
    const auto processes = static_cast<std::uint32_t>(suite.ranks.size());
    text += suite_text(suite, {nullptr, processes, {}});
  }
  text += merged_end_text();

  auto file = OutputFile::create(out);
  if (!file) return tl::unexpected(std::move(file.error()));
  if (auto written = file->write(text); !written) return tl::unexpected(std::move(written.error()));
  std::error_code failed;
  std::filesystem::rename(out, next_free_name(out), failed);
  if (failed) {
    return refuse_file(Error::Kind::unreadable, out,
                       fmt::format("cannot be renamed to {}: {}", next_free_name(out), failed.message()));
  }
  if (auto done = file->commit(); !done) return tl::unexpected(std::move(done.error()));
  return runs.size();
}

}  // namespace busline::skampi
