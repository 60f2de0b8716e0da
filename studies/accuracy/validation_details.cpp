#include "studies/accuracy/validation_details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"

namespace busline {
namespace {

constexpr std::size_t kComparedCallsShown = 12, kComparedRanksShown = 16, kComparedBlockedShown = 20;

std::string signed_in(const TimeColumn& column, Duration d) {
  return fmt::format("{}{}", d < Duration() ? '-' : '+',
                     column(Duration::picoseconds(std::llabs(d.count()))));
}

std::string compared_calls_text(const compare::RunComparison& run, const TimeColumn& column) {
  TextTable table({fmt::format("call, mean of ranks [{}]", column.unit), "predicted", "traced", "difference",
                   "of run", "maximum on a rank"});
  const auto calls = compare::call_differences(run);
  const auto whole = run.measured.median.in_seconds();
  for (std::size_t i = 0; i < std::min(calls.size(), kComparedCallsShown); ++i) {
    const auto& c = calls[i];
    table.add({c.call, column(c.predicted), column(c.traced), signed_in(column, c.difference()),
               signed_percent(c.difference().in_seconds() / whole),
               fmt::format("{} on {}", signed_in(column, c.worst), c.worst_rank)});
  }
  return table.text();
}

std::string compared_ranks_text(const compare::RunComparison& run, const TimeColumn& column) {
  TextTable table({fmt::format("rank, time in MPI [{}]", column.unit), "predicted", "traced", "difference",
                   "call with the largest error"});
  const auto shown = std::min(run.rank_calls.size(), kComparedRanksShown);
  for (std::size_t i = 0; i < shown; ++i) {
    Duration predicted, traced;
    const compare::CallTime* most = nullptr;
    for (const auto& c : run.rank_calls[i].calls) {
      predicted += c.predicted;
      traced += c.traced;
      if (most == nullptr || std::llabs(c.difference().count()) > std::llabs(most->difference().count()))
        most = &c;
    }
    table.add(
        {fmt::format("{}", i), column(predicted), column(traced), signed_in(column, predicted - traced),
         most == nullptr ? "" : fmt::format("{} {}", most->call, signed_in(column, most->difference()))});
  }
  auto text = table.text();
  if (shown < run.rank_calls.size())
    text += fmt::format("  {} of {} ranks; --json shows all\n", shown, run.rank_calls.size());
  return text;
}

std::string run_blocked_text(const compare::RunComparison& run) {
  std::string text;
  for (std::size_t i = 0; i < std::min(run.blocked.size(), kComparedBlockedShown); ++i)
    text += fmt::format("  rank {} in call {}, {}, waits for {}\n", run.blocked[i].rank,
                        run.blocked[i].call_number, run.blocked[i].call, run.blocked[i].waits_for);
  return text;
}

std::string disturbances_text(const compare::RunComparison& run) {
  if (run.measured_in == compare::MeasuredIn::trace) return "";
  if (!run.disturbed_runs)
    return "disturbed runs: not known; the run set does not say what its kernel counted\n";
  return fmt::format("disturbed runs: {} of {}\n", *run.disturbed_runs, run.runs);
}

}  // namespace

std::string signed_time(Duration d) {
  return fmt::format("{}{}", d < Duration() ? '-' : '+',
                     readable(Duration::picoseconds(std::llabs(d.count()))));
}

std::string name_of_run(const compare::RunComparison& run) {
  const auto name = fmt::format("{} on {}", run.program, run.machine);
  return run.traced_on ? fmt::format("{} (traced on {})", name, *run.traced_on) : name;
}

std::string details_text(const compare::RunComparison& run) {
  auto text = name_of_run(run);
  if (!run.predicted_at_all())
    return fmt::format("{}: the replay cannot continue\n{}", text, run_blocked_text(run));
  if (!run.traced_time) return fmt::format("{}: no trace of its own to compare calls with\n", text);
  text += fmt::format(": {}traced run {}, {:+.1f} % of the median\n", run.traced_on ? "its own " : "",
                      readable(*run.traced_time),
                      (run.traced_time->in_seconds() / run.measured.median.in_seconds() - 1) * 100);
  text += disturbances_text(run);
  const TimeColumn column(std::max(run.predicted, run.measured.median));
  return fmt::format("{}{}\n{}", text, compared_calls_text(run, column), compared_ranks_text(run, column));
}

}  // namespace busline
