// The document "busline/validation/1", described once.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "documents/fields/names.hpp"
#include "documents/text/written.hpp"
#include "studies/accuracy/validation_fields.hpp"
#include "studies/runs/result_fields.hpp"
#include "studies/runs/status_json.hpp"

namespace busline {

using ChangeKind = compare::BaselineChange::Kind;
constexpr Names<ChangeKind, 4> kChangeNames{{{"worse", ChangeKind::worse},
                                             {"better", ChangeKind::better},
                                             {"added", ChangeKind::added},
                                             {"gone", ChangeKind::gone}}};

/// The times of a rank in a run.
struct ValidatedRank {
  std::size_t rank = 0;
  compare::RankCalls times;
};
struct ValidatedAlternative {
  compare::RunComparison::Alternative of;
  double error = 0;
};
struct ValidatedInterval {
  PredictionInterval of;
  bool inside = false;
};

void describe(Fields& f, compare::CallTime& c) {
  f.required("call", c.call, "Name of the MPI function, or '(outside of MPI)'.");
  f.required("predicted_ps", TimeTaken{c.predicted}, "Time in these calls in the replay.");
  f.required("traced_ps", TimeTaken{c.traced}, "The same in the traced run.");
}

void describe(Fields& f, ValidatedRank& r) {
  f.required("rank", Amount{r.rank}, "Rank in MPI_COMM_WORLD.");
  f.required("predicted_ps", TimeTaken{r.times.predicted},
             "Length of the region on this rank in the replay.");
  f.required("traced_ps", TimeTaken{r.times.traced}, "The same in the traced run.");
  f.required("calls", r.times.calls, "Those that took time in one or the other, by name.");
}

void describe(Fields& f, compare::CallDifference& c) {
  f.required("call", c.call, "Name of the MPI function.");
  f.required("mean_predicted_ps", Integer{c.predicted.count()},
             "Time of a rank in these calls, mean over ranks, in the replay.");
  f.required("mean_traced_ps", Integer{c.traced.count()}, "The same in the run set's own traced run.");
  f.required("worst_rank", Amount{c.worst_rank}, "The rank on which the two differ most.");
  f.required("worst_difference_ps", Integer{c.worst.count()}, "Predicted minus traced on that rank.");
}

void describe(Fields& f, ValidatedAlternative& a) {
  f.required("explanation", a.of.explanation,
             "What is explained, and the members of the platform that differ.");
  f.required("predicted_ps", TimeTaken{a.of.predicted}, "Time of the region.");
  f.required("error", Number{a.error}, "predicted_ps / measured_ps - 1.");
}

void describe(Fields& f, ValidatedInterval& i) {
  f.required("share", Number{i.of.share}, "Share of real runs that should lie inside.");
  f.required("shortest_ps", TimeTaken{i.of.shortest}, "Its lower end.");
  f.required("longest_ps", TimeTaken{i.of.longest}, "Its upper end.");
  f.required("inside", i.inside, "Whether measured_ps lies in it.");
}

void describe(Fields& f, compare::BaselineChange& c) {
  const auto error = [](bool there, double value) {
    return there ? std::optional(Real{value, {}}) : std::nullopt;
  };
  f.required("change", Choice<ChangeKind>{c.kind, kChangeNames},
             "How the error changed; added: the baseline lacks the run; gone: only the baseline has it.");
  f.required("machine", c.machine, "Where the run took place.");
  f.required("program", c.program, "The command that was run.");
  f.optional("error_before", error(c.kind != ChangeKind::added, c.before),
             "The baseline's value: predicted / measured - 1; left out if added.");
  f.optional("error", error(c.kind != ChangeKind::gone, c.now), "The current value; left out if gone.");
}

void describe(Fields& f, BaselineReport& b) {
  f.required("file", b.file, "The path of the baseline.");
  f.required("tolerance", Number{b.tolerance},
             "How much an error may grow in size, as a share of the run's measured time.");
  f.required("updated", b.updated, "Whether the file was rewritten.");
  f.required(
      "changes",
      DescribedList{b.changes, [](Fields& o, std::size_t, compare::BaselineChange& c) { describe(o, c); }},
      "Runs whose error changed in size by more than the tolerance, and runs in only one of the two.");
}

namespace {

OrNull<std::string> border_of(const std::optional<CallRef>& call) {
  return {call ? std::optional(to_text(*call)) : std::nullopt};
}

std::optional<TimeTaken> time_if(bool there, Duration time) {
  return there ? std::optional(TimeTaken{time}) : std::nullopt;
}

std::vector<ValidatedRank> validated_ranks(const compare::RunComparison& run) {
  std::vector<ValidatedRank> ranks;
  for (const auto& times : run.rank_calls) ranks.push_back({ranks.size(), times});
  return ranks;
}

std::vector<ValidatedAlternative> validated_alternatives(const compare::RunComparison& run) {
  std::vector<ValidatedAlternative> alternatives;
  for (const auto& a : run.alternatives) alternatives.push_back({a, run.error_of(a.predicted)});
  return alternatives;
}

// What exists only of a complete replay.
void describe_prediction(Fields& f, compare::RunComparison& run) {
  const bool complete = run.predicted_at_all();
  const bool traced = complete && run.traced_time;
  f.optional(
      "predicted_ps", time_if(complete, run.predicted),
      "The longest time of a rank in the region of the replay; left out if the replay is not complete.");
  f.optional("error", complete ? std::optional(Real{run.error(), {}}) : std::nullopt,
             "predicted_ps / measured_ps - 1: above 0 the prediction is too long; left out likewise.");
  f.optional(
      "alternatives",
      complete && !run.alternatives.empty() ? std::optional(validated_alternatives(run)) : std::nullopt,
      "Predictions with other explanations of the platform's measurements; left out without.");
  f.optional(
      "interval",
      complete && run.interval ? std::optional(ValidatedInterval{*run.interval, run.inside()}) : std::nullopt,
      "How far the prediction may be off because the machine was measured; with --interval.");
  f.optional("calls", traced ? std::optional(compare::call_differences(run)) : std::nullopt,
             "The largest difference first; '(outside of MPI)' is computation. Left out if the replay is not "
             "complete, "
             "or without traced_ps.");
  f.optional("rank_times", traced ? std::optional(validated_ranks(run)) : std::nullopt,
             "The same rank by rank; left out likewise.");
}

void describe_validated(Fields& f, compare::RunComparison& run, bool counts) {
  f.about("A run set with its measured and predicted times.");
  f.required("machine", run.machine, "The machine, as named in the run set.");
  f.required("program", run.program, "The name that the run set has for tables.");
  f.required("command", run.command, "The command that started the program, word by word.");
  f.required("ranks", Amount{run.ranks, 1}, "Ranks of the run.");
  f.required("platform", run.platform, "The platform on which it was predicted.");
  f.required("from", border_of(run.region.from), "\"MPI_Barrier:1\"; null: the end of MPI_Init.");
  f.required("to", border_of(run.region.to), "null: MPI_Finalize.");
  f.required("measured_in", Choice<compare::MeasuredIn>{run.measured_in, kMeasuredInNames},
             "trace: only the traced run, because another region was requested.");
  f.required("runs", Amount{run.runs, 1}, "Number of runs of which measured_ps is the median.");
  f.required("failed_runs", Amount{run.failed_runs}, "Failed runs of the set, which are left out.");
  f.optional(
      "disturbed_runs", run.disturbed_runs ? std::optional(Amount{*run.disturbed_runs}) : std::nullopt,
      "Runs in which a rank waited for a CPU or was throttled for more than 5 % of the time; left out if not "
      "known.");
  f.required("measured_ps", TimeTaken{run.measured.median}, "The median.");
  f.required("least_ps", TimeTaken{run.measured.least}, "The shortest run.");
  f.required("most_ps", TimeTaken{run.measured.most}, "The longest run.");
  f.required("spread", OrNull<Real>{optional_real(run.spread())}, "null: a single run.");
  f.optional("traced_on", run.traced_on,
             "The machine of the trace that was replayed; left out without --traces: the trace is then the "
             "run set's "
             "own.");
  f.optional(
      "traced_ps", time_if(run.traced_time.has_value(), run.traced_time.value_or(Duration())),
      "The region in the run set's own traced run; left out if it has none, which --traces makes possible.");
  f.required("status", Choice<Result::Status>{run.status, kStatusNames},
             "How the replay ended; a prediction exists only if complete.");
  f.required("counts", counts, "Whether it is in the summary.");
  f.optional("blocked", run.predicted_at_all() ? std::nullopt : std::optional(run.blocked),
             "For a deadlock, instead of a prediction.");
  describe_prediction(f, run);
}

void describe_summary(Fields& f, const ValidationReport& report, const compare::Judged& judged) {
  const auto s = compare::summarise_errors(report.runs, judged);
  const auto share = [&](double compare::ErrorSummary::*of) {
    return s ? std::optional(Real{(*s).*of, {}}) : std::nullopt;
  };
  const auto amount = [](bool there, std::size_t n) {
    return there ? std::optional(Amount{n}) : std::nullopt;
  };
  const bool intervals = s && s->intervals > 0;
  f.required("counted", Amount{judged.counted.size()}, "Counted runs: neither scattered nor unpredicted.");
  f.required("scattered", Amount{judged.scattered.size()}, "Runs whose spread is above max_spread.");
  f.required("unpredicted", Amount{judged.unpredicted.size()}, "Runs whose replay could not continue.");
  f.optional("median_error", share(&compare::ErrorSummary::median),
             "Over the sizes of the errors of counted runs; absent if there are none.");
  f.optional("p90_error", share(&compare::ErrorSummary::p90),
             "90th percentile of the sizes of the errors, likewise.");
  f.optional("worst_error", share(&compare::ErrorSummary::worst), "Largest size of an error, likewise.");
  f.optional("worst_run", amount(s.has_value(), s ? s->worst_run : 0), "Its place in 'runs'.");
  f.optional("intervals", Also{amount(intervals, intervals ? s->intervals : 0), R"({"minimum": 1})"},
             "Counted runs with an interval: with --interval.");
  f.optional("inside", amount(intervals, intervals ? s->inside : 0),
             "Those among them whose measured_ps lies in it.");
}

}  // namespace

void describe(Fields& f, ValidationReport& report) {
  const auto judged = report.judged();
  std::vector<bool> counts(report.runs.size());
  for (const auto i : judged.counted) counts[i] = true;
  auto complained = complaints(report);
  f.about(
      "docs/how-to/validating.md defines the metrics. Errors and spreads are shares: 0.02 is 2 %. Everything "
      "except "
      "'provenance' is byte-identical for the same inputs.");
  f.required("schema", SchemaName{"busline/validation/1"});
  f.required("model", report.model, "The model that replayed the traces, such as 'dimemas'.");
  f.required("max_spread", NotNegative{report.most_spread},
             "The spread above which a run is not counted: --max-spread.");
  f.required("runs",
             DescribedList{report.runs,
                           [&](Fields& o, std::size_t i, compare::RunComparison& run) {
                             describe_validated(o, run, i < counts.size() && counts[i]);
                           }},
             "Each run set with its prediction, in the order in which they were compared.");
  f.required("summary", Inside{[&](Fields& o) { describe_summary(o, report, judged); }},
             "Over the runs that count.");
  f.optional("max_error", optional_real(report.limits.each),
             "The limit of each error, --max-error; left out without one.");
  f.optional("max_median", optional_real(report.limits.median),
             "The limit of median_error, --max-median; left out without one.");
  f.optional("baseline", report.baseline,
             "How the errors changed since they were recorded; left out without --baseline.");
  f.required("complaints", complained,
             "What exceeds a limit or is worse than the baseline, as printed by the program; empty with exit "
             "code 0.");
  describe_end(f, report.diagnostics);
}

nlohmann::ordered_json to_json(const ValidationReport& report) {
  auto copy = report;
  return written(fields::Object(copy));
}

}  // namespace busline
