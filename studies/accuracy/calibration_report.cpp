#include "studies/accuracy/calibration_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

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

}  // namespace

std::string to_text(const CalibrationRecord& record) {
  auto text = fmt::format("calibrated from measurements of {} ({})\n", record.machine, record.testbed);
  TextTable figures({"figure", "value", "95 % interval"});
  for (const auto& f : record.figures) figures.add({f.figure, f.value, interval(f)});
  text += figures.text();
  for (const auto& f : record.figures)
    if (const auto why = origin(f); !why.empty()) text += fmt::format("  {}: {}\n", f.figure, why);
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
