#include "studies/report/study_axes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/quantity.hpp"

namespace busline::report {
namespace {

constexpr double kWide = 4;  // a ratio from which an axis is logarithmic to begin with

}  // namespace

std::optional<AxisNumber> axis_number(const std::string& json) {
  const auto value = nlohmann::ordered_json::parse(json, nullptr, false);
  if (value.is_number()) return AxisNumber{value.get<double>(), Unit::number};
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (const auto time = parse_duration(text))
    return AxisNumber{static_cast<double>(time->count()), Unit::time};
  if (const auto size = parse_bytes(text)) return AxisNumber{static_cast<double>(count(*size)), Unit::bytes};
  if (const auto rate = parse_bandwidth(text); rate && !rate->is_unlimited())
    return AxisNumber{rate->in_bytes_per_second(), Unit::bandwidth};
  return std::nullopt;
}

StudyAxis study_axis(const std::string& label, const std::vector<PointOutcome>& points, std::size_t number) {
  struct Found {
    std::string json, name;
    std::optional<AxisNumber> number;
  };
  std::vector<Found> found;
  std::map<std::string, std::uint32_t> seen;
  for (const auto& p : points)
    if (seen.emplace(p.values[number].json, 0).second)
      found.push_back({p.values[number].json, p.values[number].name, axis_number(p.values[number].json)});
  StudyAxis all{{{label, Unit::number, false}, {}}, {}};
  // Numbers of different kinds cannot be on one axis.
  const auto first =
      std::find_if(found.begin(), found.end(), [](const Found& f) { return f.number.has_value(); });
  if (first != found.end()) {
    const auto unit = first->number->unit;
    const bool same = std::all_of(found.begin(), found.end(),
                                  [&](const Found& f) { return !f.number || f.number->unit == unit; });
    if (same) {
      all.axis.scale.unit = unit;
      std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        if (!a.number || !b.number) return a.number.has_value() && !b.number.has_value();
        return a.number->value < b.number->value;
      });
    } else {
      for (auto& f : found) f.number.reset();
    }
  }
  double least = 0, most = 0;
  for (const auto& f : found) {
    all.places[f.json] = static_cast<std::uint32_t>(all.axis.values.size());
    all.axis.values.push_back({f.name, f.number ? std::optional(f.number->value) : std::nullopt});
    if (!f.number) continue;
    if (least == 0) least = f.number->value;
    most = f.number->value;
  }
  all.axis.scale.logarithmic = least > 0 && most / least >= kWide;
  return all;
}

}  // namespace busline::report
