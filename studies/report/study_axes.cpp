#include "studies/report/study_axes.hpp"

#include <algorithm>
#include <optional>

#include "studies/study/axis_number.hpp"

namespace busline::report {

Unit unit_of_axis(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::time:
      return Unit::time;
    case QuantityKind::bytes:
      return Unit::bytes;
    case QuantityKind::bandwidth:
      return Unit::bandwidth;
    case QuantityKind::number:
      break;
  }
  return Unit::number;
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
    const auto kind = first->number->kind;
    const bool same = std::all_of(found.begin(), found.end(),
                                  [&](const Found& f) { return !f.number || f.number->kind == kind; });
    if (same) {
      all.axis.scale.unit = unit_of_axis(kind);
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
  all.axis.scale.logarithmic = spans_widely(least, most);
  return all;
}

}  // namespace busline::report
