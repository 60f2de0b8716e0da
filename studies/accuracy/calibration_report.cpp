#include "studies/accuracy/calibration_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "platforms/description/platform_json.hpp"

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

ordered_json to_json(const calibrate::Calibrated& calibrated) {
  ordered_json document;
  document["schema"] = "busline/calibration/1";
  document["platform"] = to_json(calibrated.platform);
  document["good"] = calibrated.is_good();
  document["residuals"] = ordered_json::array();
  for (const auto& r : calibrated.residuals) {
    ordered_json point{{"suite", r.suite},
                       {"argument", r.argument},
                       {"measured_ps", r.measured_ps},
                       {"modelled_ps", r.modelled_ps},
                       {"error", r.error()}};
    if (r.held_out) point["held_out"] = true;
    document["residuals"].push_back(std::move(point));
  }
  document["diagnostics"] = to_json(calibrated.diagnostics);
  return document;
}

}  // namespace busline
