// The document "busline/validation/1".
#include <cmath>
#include <nlohmann/json.hpp>

#include "documents/text/json_document.hpp"
#include "studies/accuracy/validation_report.hpp"
#include "studies/runs/status_json.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

const char* change_name(compare::BaselineChange::Kind kind) {
  using Kind = compare::BaselineChange::Kind;
  switch (kind) {
    case Kind::worse:
      return "worse";
    case Kind::better:
      return "better";
    case Kind::added:
      return "added";
    case Kind::gone:
      return "gone";
  }
  return "";
}

ordered_json border_json(const std::optional<CallRef>& call) {
  return call ? ordered_json(to_text(*call)) : ordered_json();
}

ordered_json ranks_json(const compare::RunComparison& run) {
  auto list = ordered_json::array();
  for (std::size_t i = 0; i < run.rank_calls.size(); ++i) {
    const auto& rank = run.rank_calls[i];
    auto calls = ordered_json::array();
    for (const auto& c : rank.calls)
      calls.push_back(
          {{"call", c.call}, {"predicted_ps", c.predicted.count()}, {"traced_ps", c.traced.count()}});
    list.push_back({{"rank", i},
                    {"predicted_ps", rank.predicted.count()},
                    {"traced_ps", rank.traced.count()},
                    {"calls", std::move(calls)}});
  }
  return list;
}

ordered_json calls_json(const compare::RunComparison& run) {
  auto list = ordered_json::array();
  for (const auto& c : compare::call_differences(run))
    list.push_back({{"call", c.call},
                    {"mean_predicted_ps", c.predicted.count()},
                    {"mean_traced_ps", c.traced.count()},
                    {"worst_rank", c.worst_rank},
                    {"worst_difference_ps", c.worst.count()}});
  return list;
}

ordered_json run_json(const compare::RunComparison& run, bool counts) {
  ordered_json j{{"machine", run.machine},
                 {"program", run.program},
                 {"command", run.command},
                 {"ranks", run.ranks},
                 {"platform", run.platform},
                 {"from", border_json(run.region.from)},
                 {"to", border_json(run.region.to)},
                 {"measured_in", run.measured_in == compare::MeasuredIn::runs ? "runs" : "trace"},
                 {"runs", run.runs},
                 {"failed_runs", run.failed_runs}};
  if (run.disturbed_runs) j["disturbed_runs"] = *run.disturbed_runs;
  j["measured_ps"] = run.measured.median.count();
  j["least_ps"] = run.measured.least.count();
  j["most_ps"] = run.measured.most.count();
  const auto spread = run.spread();
  j["spread"] = spread ? ordered_json(*spread) : ordered_json();
  if (run.traced_on) j["traced_on"] = *run.traced_on;
  if (run.traced_time) j["traced_ps"] = run.traced_time->count();
  j["status"] = name_of(run.status);
  j["counts"] = counts;
  if (!run.predicted_at_all()) {
    j["blocked"] = to_json(run.blocked);
    return j;
  }
  j["predicted_ps"] = run.predicted.count();
  j["error"] = run.error();
  for (const auto& a : run.alternatives)
    j["alternatives"].push_back({{"explanation", a.explanation},
                                 {"predicted_ps", a.predicted.count()},
                                 {"error", run.error_of(a.predicted)}});
  if (run.interval)
    j["interval"] = {{"share", run.interval->share},
                     {"shortest_ps", run.interval->shortest.count()},
                     {"longest_ps", run.interval->longest.count()},
                     {"inside", run.inside()}};
  if (!run.traced_time) return j;
  j["calls"] = calls_json(run);
  j["rank_times"] = ranks_json(run);
  return j;
}

ordered_json summary_json(const ValidationReport& report, const compare::Judged& judged) {
  ordered_json j{{"counted", judged.counted.size()},
                 {"scattered", judged.scattered.size()},
                 {"unpredicted", judged.unpredicted.size()}};
  if (const auto s = compare::summarise_errors(report.runs, judged)) {
    j["median_error"] = s->median;
    j["p90_error"] = s->p90;
    j["worst_error"] = s->worst;
    j["worst_run"] = s->worst_run;
    if (s->intervals > 0) j["intervals"] = s->intervals, j["inside"] = s->inside;
  }
  return j;
}

ordered_json baseline_json(const BaselineReport& baseline) {
  auto changes = ordered_json::array();
  for (const auto& c : baseline.changes) {
    ordered_json j{{"change", change_name(c.kind)}, {"machine", c.machine}, {"program", c.program}};
    if (c.kind != compare::BaselineChange::Kind::added) j["error_before"] = c.before;
    if (c.kind != compare::BaselineChange::Kind::gone) j["error"] = c.now;
    changes.push_back(std::move(j));
  }
  return {{"file", baseline.file},
          {"tolerance", baseline.tolerance},
          {"updated", baseline.updated},
          {"changes", std::move(changes)}};
}

}  // namespace

ordered_json to_json(const ValidationReport& report) {
  const auto judged = report.judged();
  ordered_json j{
      {"schema", "busline/validation/1"}, {"model", report.model}, {"max_spread", report.most_spread}};
  std::vector<bool> counts(report.runs.size());
  for (const auto i : judged.counted) counts[i] = true;
  auto& runs = j["runs"] = ordered_json::array();
  for (std::size_t i = 0; i < report.runs.size(); ++i) runs.push_back(run_json(report.runs[i], counts[i]));
  j["summary"] = summary_json(report, judged);
  if (report.limits.each) j["max_error"] = *report.limits.each;
  if (report.limits.median) j["max_median"] = *report.limits.median;
  if (report.baseline) j["baseline"] = baseline_json(*report.baseline);
  j["complaints"] = complaints(report);
  j["diagnostics"] = to_json(report.diagnostics);
  return j;
}

}  // namespace busline
