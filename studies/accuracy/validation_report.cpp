#include "studies/accuracy/validation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/accuracy/validation_details.hpp"

namespace busline {
namespace {

using compare::BaselineChange;
using compare::RunComparison;

std::string heading(const RunComparison& run) {
  const auto traced =
      run.traced_on ? fmt::format("traced on {}, predicted for {}\n", *run.traced_on, run.machine) : "";
  return fmt::format(
      "{}: {}, predicted with {}\n{}{}{}\n", run.machine, readable(run.ranks, "rank"), run.platform, traced,
      to_text(run.region),
      run.measured_in == compare::MeasuredIn::trace ? ", measured only in the traced run" : "");
}

bool same_heading(const RunComparison& a, const RunComparison& b) {
  return a.machine == b.machine && a.ranks == b.ranks && a.platform == b.platform && a.region == b.region &&
         a.measured_in == b.measured_in && a.traced_on == b.traced_on;
}

// The call whose time is furthest off.
std::string most_off(const RunComparison& run) {
  if (!run.traced_time) return "not traced";
  const auto calls = compare::call_differences(run);
  if (calls.empty()) return "";
  return fmt::format("{} {}", calls.front().call, signed_time(calls.front().difference()));
}

std::string interval_text(const RunComparison& run) {
  if (!run.interval) return "";
  return fmt::format("{} to {}{}", readable(run.interval->shortest), readable(run.interval->longest),
                     run.inside() ? "" : " !");
}

bool has_interval(const RunComparison& run) {
  return run.interval.has_value();
}

std::vector<std::string> run_row(const RunComparison& run, double most_spread, bool with_interval) {
  const auto spread = run.spread();
  const auto predicted = run.predicted_at_all();
  std::vector<std::string> row{
      run.program,
      predicted             ? readable(run.predicted)
      : run.blocked.empty() ? "none"
                            : "deadlock",
      readable(run.measured.median),
      predicted ? signed_percent(run.error()) : "",
      spread ? fmt::format("{}{}", percent(*spread), *spread > most_spread ? " !" : "") : "?",
      run.disturbed_runs.value_or(0) > 0 ? fmt::format("{}, {} disturbed", run.runs, *run.disturbed_runs)
                                         : fmt::format("{}", run.runs),
      most_off(run)};
  if (with_interval) row.insert(row.begin() + 2, interval_text(run));
  return row;
}

// What another explanation of the platform's measurements predicts, where the difference is larger than that
// between real runs of one program, which are seldom within 1 %.
std::vector<std::vector<std::string>> alternative_rows(const RunComparison& run, bool with_interval) {
  constexpr double kSame = 0.01;
  std::vector<std::vector<std::string>> rows;
  const auto predicted = static_cast<double>(run.predicted.count());
  for (const auto& a : run.alternatives) {
    if (std::abs(static_cast<double>(a.predicted.count()) - predicted) < kSame * predicted) continue;
    auto& row = rows.emplace_back(
        std::vector<std::string>{"  or", readable(a.predicted), "", signed_percent(run.error_of(a.predicted)),
                                 "", "", a.explanation.substr(0, a.explanation.find(" as "))});
    if (with_interval) row.insert(row.begin() + 2, "");
  }
  return rows;
}

std::string share_of_intervals(const ValidationReport& report) {
  const auto run = std::find_if(report.runs.begin(), report.runs.end(), has_interval);
  return run == report.runs.end() ? "" : fmt::format("{:.0f} % interval", run->interval->share * 100);
}

std::string groups_text(const ValidationReport& report) {
  std::string text;
  std::vector<std::string> columns{
      "program", "predicted", "measured", "error", "spread", "runs", "largest error, mean of ranks"};
  const auto interval = share_of_intervals(report);
  if (!interval.empty()) columns.insert(columns.begin() + 2, interval);
  for (std::size_t i = 0; i < report.runs.size();) {
    const auto& first = report.runs[i];
    TextTable table(columns);
    for (; i < report.runs.size() && same_heading(first, report.runs[i]); ++i) {
      table.add(run_row(report.runs[i], report.most_spread, !interval.empty()));
      for (auto& row : alternative_rows(report.runs[i], !interval.empty())) table.add(std::move(row));
    }
    text += fmt::format("{}{}{}", text.empty() ? "" : "\n", heading(first), table.text());
  }
  return text;
}

std::string names(const ValidationReport& report, const std::vector<std::size_t>& places) {
  std::string text;
  for (const auto i : places) text.append(text.empty() ? "" : ", ").append(name_of_run(report.runs[i]));
  return text;
}

std::string summary_text(const ValidationReport& report) {
  const auto judged = report.judged();
  std::string text = "\n";
  text += labelled_line("counted runs", fmt::format("{} of {}", judged.counted.size(), report.runs.size()));
  if (!judged.scattered.empty())
    text += labelled_line(fmt::format("spread above {}", percent(report.most_spread)),
                          names(report, judged.scattered));
  if (!judged.unpredicted.empty()) text += labelled_line("no prediction", names(report, judged.unpredicted));
  if (const auto s = compare::summarise_errors(report.runs, judged)) {
    text += labelled_line("median |error|", percent(s->median));
    text += labelled_line("90th percentile", percent(s->p90));
    text += labelled_line("worst",
                          fmt::format("{}: {}", percent(s->worst), name_of_run(report.runs[s->worst_run])));
    if (s->intervals > 0)
      text += labelled_line(fmt::format("in {}", share_of_intervals(report)),
                            fmt::format("{} of {}", s->inside, readable(std::uint64_t{s->intervals}, "run")));
  }
  return text;
}

std::string change_text(const BaselineChange& c) {
  const auto name = fmt::format("{} on {}", c.program, c.machine);
  switch (c.kind) {
    case BaselineChange::Kind::worse:
      return fmt::format("{} got worse: {}, was {}", name, signed_percent(c.now), signed_percent(c.before));
    case BaselineChange::Kind::better:
      return fmt::format("{} got better: {}, was {}", name, signed_percent(c.now), signed_percent(c.before));
    case BaselineChange::Kind::added:
      return fmt::format("{} is new: {}", name, signed_percent(c.now));
    case BaselineChange::Kind::gone:
      return fmt::format("{} is gone: was {}", name, signed_percent(c.before));
  }
  return "";
}

std::string baseline_text(const BaselineReport& baseline) {
  const auto count = baseline.changes.size();
  auto text = fmt::format("\nbaseline {}: ", baseline.file);
  text += count == 0 ? "nothing changed" : readable(count, "change");
  text += baseline.updated ? ", written\n" : count == 0 ? "\n" : "; --update-baseline records them\n";
  for (const auto& c : baseline.changes) text += fmt::format("  {}\n", change_text(c));
  return text;
}

}  // namespace

std::vector<std::string> complaints(const ValidationReport& report) {
  std::vector<std::string> all;
  const auto judged = report.judged();
  const auto& limits = report.limits;
  if (judged.counted.empty() && (limits.each || limits.median || report.baseline))
    all.emplace_back("no run counts, so nothing was validated");
  for (const auto i : judged.counted)
    if (limits.each && std::fabs(report.runs[i].error()) > *limits.each)
      all.push_back(fmt::format("{} is off by {}, more than {}", name_of_run(report.runs[i]),
                                signed_percent(report.runs[i].error()), percent(*limits.each)));
  const auto summary = compare::summarise_errors(report.runs, judged);
  if (limits.median && summary && summary->median > *limits.median)
    all.push_back(fmt::format("the median error is {}, more than {}", percent(summary->median),
                              percent(*limits.median)));
  if (report.baseline && !report.baseline->updated)
    for (const auto& c : report.baseline->changes)
      if (c.kind == BaselineChange::Kind::worse) all.push_back(change_text(c));
  return all;
}

std::string to_text(const ValidationReport& report, bool details) {
  auto text = groups_text(report);
  if (details)
    for (const auto& run : report.runs) text += fmt::format("\n{}", details_text(run));
  text += summary_text(report);
  if (report.baseline) text += baseline_text(*report.baseline);
  return text;
}

}  // namespace busline
