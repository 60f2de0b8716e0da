#include "studies/runs/interval_report.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"

namespace busline {
namespace {

constexpr std::int64_t kMostRuns = std::numeric_limits<std::uint32_t>::max();

std::string change_of(Duration bound, Duration predicted) {
  return signed_percent(bound.in_seconds() / predicted.in_seconds() - 1);
}

// What a cause is, for someone who has not read how the interval is made.
std::string words_of(const PredictionInterval::Cause& cause, std::size_t figures) {
  if (cause.name == kFigures) return readable(std::uint64_t{figures}, "figure") + " of the platform";
  if (cause.name == kNoise) return "noise of single messages";
  return cause.name;
}

}  // namespace

void describe(Fields& f, PredictionInterval& interval) {
  const auto picoseconds = [&f](std::string_view key, Duration value, std::string_view meaning) {
    f.required(key, Picoseconds{value}, meaning);
  };
  f.about("How far the prediction may be off because the machine was measured: docs/how-to/intervals.md.");
  f.required("share", Number{interval.share}, "Share of real runs that should lie inside.");
  picoseconds("predicted_ps", interval.predicted, "Of the region if one was asked for, else of the run.");
  picoseconds("shortest_ps", interval.shortest, "Lower end of the interval.");
  picoseconds("longest_ps", interval.longest, "Upper end of the interval.");
  f.required("runs", Whole{interval.runs, 0, kMostRuns},
             "Runs with other figures that were made; 0 if none has an interval.");
  f.required("incomplete", Whole{interval.incomplete, 0, kMostRuns},
             "Those among them that did not complete and are left out.");
  f.required("figures", interval.figures, "The figures that were drawn: JSON pointers into the platform.");
  f.required("causes",
             DescribedList{
                 interval.causes,
                 [](Fields& o, std::size_t, PredictionInterval::Cause& c) {
                   o.required("name", c.name, "A collective, 'messages', 'noise' of messages, or 'figures'.");
                   o.required("path_share", Number{c.path},
                              "Its share of the critical path; 1 for 'figures'.");
                   o.required("error", Number{c.error}, "Standard deviation of its time, as a share of it.");
                   o.required("deviation_ps", Picoseconds{c.deviation}, "What that does to the prediction.");
                 }},
             "What makes the interval wide, the largest first.");
}

std::string to_text(const PredictionInterval& interval) {
  const auto label = fmt::format("{:.0f} % interval", interval.share * 100);
  auto text = labelled_line(
      label, fmt::format("{} to {}  ({} to {})", readable(interval.shortest), readable(interval.longest),
                         change_of(interval.shortest, interval.predicted),
                         change_of(interval.longest, interval.predicted)));
  auto runs = interval.runs == 0 ? "no figure of the platform has an interval"
                                 : readable(std::uint64_t{interval.runs}, "run") + " with other figures";
  if (interval.incomplete > 0)
    runs += fmt::format("; {} did not complete", readable(std::uint64_t{interval.incomplete}));
  text += labelled_line("", runs);
  TextTable causes({"what makes it wide", "share of path", "uncertain by", "moves the time by"});
  for (const auto& c : interval.causes)
    causes.add({words_of(c, interval.figures.size()), c.name == kFigures ? "" : percent(c.path),
                percent(c.error), readable(c.deviation)});
  return causes.has_rows() ? text + "\n" + causes.text() : text;
}

}  // namespace busline
