#include "studies/accuracy/calibration_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "documents/text/written.hpp"
#include "platforms/description/platform_fields.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

std::string interval(const CalibratedFigure& f) {
  if (f.low.empty() && f.high.empty()) return "-";
  return fmt::format("{} to {}", f.low.empty() ? "?" : f.low, f.high.empty() ? "?" : f.high);
}

// Why, where there is something to say; else from what.
std::string origin(const CalibratedFigure& f) {
  if (!f.remark.empty()) return f.remark;
  return fmt::format("{}", fmt::join(f.suites, ", "));
}

// ", good: ...", or the suites that are missed, the worst first.
std::string verdict(const CalibrationRecord& record) {
  const auto suites = record.suites.size();
  if (suites == 0) return ", not checked: no suite can be predicted\n";
  std::vector<const CalibratedSuite*> off;
  for (const auto& s : record.suites)
    if (s.off) off.push_back(&s);
  if (off.empty()) return fmt::format(", good: all suites are reproduced ({})\n", suites);
  std::stable_sort(off.begin(), off.end(),
                   [](const auto* a, const auto* b) { return a->median_error > b->median_error; });
  auto text = fmt::format(", NOT GOOD: suites off by more than they spread: {} of {}\n", off.size(), suites);
  for (const auto* s : off)
    text += fmt::format("  {}: off by {} in the median, {} at {}; samples spread by {}\n", s->name,
                        percent(s->median_error), percent(s->worst_error), readable(s->worst_at),
                        percent(s->spread));
  return text;
}

}  // namespace

std::string to_text(const CalibrationRecord& record) {
  auto text = fmt::format("calibrated from measurements of {} ({}){}", record.machine, record.testbed,
                          verdict(record));
  TextTable figures({"figure", "value", "95 % interval"});
  for (const auto& f : record.figures) figures.add({f.figure, f.value, interval(f)});
  text += figures.text();
  for (const auto& f : record.figures)
    if (const auto why = origin(f); !why.empty()) text += fmt::format("  {}: {}\n", f.figure, why);
  for (const auto& a : record.alternatives)
    text += fmt::format("  not told apart: {} as {} instead of {}{}\n", a.of, fmt::join(a.other, ", "),
                        a.chosen.empty() ? "none" : fmt::format("{}", fmt::join(a.chosen, ", ")),
                        a.remark.empty() ? "" : " (" + a.remark + ")");
  if (record.suites.empty()) return text;
  text += "\nmeasured against modelled\n";
  TextTable suites({"suite", "points", "median error", "worst error", "at"});
  for (const auto& s : record.suites)
    suites.add({s.held_out ? s.name + " (held out)" : s.name, fmt::format("{}", s.points),
                percent(s.median_error), percent(s.worst_error), readable(s.worst_at)});
  return text + suites.text();
}

std::string to_text(const calibrate::Calibrated& calibrated) {
  const auto& platform = calibrated.platform;
  auto text = fmt::format("{}: ", platform.name);
  if (platform.calibration) text += to_text(*platform.calibration);
  return text;
}

void describe(Fields& f, calibrate::Residual& r) {
  auto held_out = r.held_out ? std::optional(true) : std::nullopt;
  f.required("suite", r.suite, "Of the measurement.");
  f.required("argument", Amount{r.argument}, "Of the point: its bytes, ranks or whatever the suite varies.");
  f.required("measured_ps", NotNegative{r.measured_ps}, "The time in picoseconds.");
  f.required("modelled_ps", NotNegative{r.modelled_ps}, "By the platform.");
  f.required("error", Real{r.error(), -1}, "modelled_ps / measured_ps - 1.");
  f.optional("held_out", Also{held_out, R"({"const": true})"},
             "No parameter was fitted to the point; left out otherwise.");
}

void describe(Fields& f, calibrate::Calibrated& calibrated) {
  auto good = calibrated.is_good();
  f.about("docs/how-to/calibration.md.");
  f.required("schema", SchemaName{"busline/calibration/1"});
  f.required("platform", WrittenPlatform{calibrated.platform},
             "With 'calibration': its parameters, their intervals and sources.");
  f.required(
      "good", good,
      "false: the platform misses one of its own suites by more than it spreads; calibration.suites says "
      "which.");
  f.required("residuals", calibrated.residuals, "Each point that was measured.");
  describe_end(f, calibrated.diagnostics);
}

ordered_json to_json(const calibrate::Calibrated& calibrated) {
  auto copy = calibrated;
  return written(fields::Object(copy));
}

}  // namespace busline
