#include "studies/report/gathered_study.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/quantity.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::report {
namespace {

using Json = nlohmann::ordered_json;

Points::Combined combined_of(const StoredStudy& study) {
  const auto described = Json::parse(study.axes, nullptr, false);
  const auto kind = described.is_object() ? described.value("combine", Json()) : Json();
  if (kind == static_cast<int>(Sampling::Kind::zip)) return Points::Combined::together;
  if (kind == static_cast<int>(Sampling::Kind::random) || kind == static_cast<int>(Sampling::Kind::latin))
    return Points::Combined::sampled;
  return Points::Combined::product;
}

const PointOutcome* extreme(const std::vector<PointOutcome>& points, bool slowest) {
  const PointOutcome* best = nullptr;
  for (const auto& p : points) {
    const auto here = cost_of(p.outcome);
    if (!here) continue;
    if (best == nullptr || (slowest ? *here > *cost_of(best->outcome) : *here < *cost_of(best->outcome)))
      best = &p;
  }
  return best;
}

}  // namespace

Expected<GatheredStudy> gather_study(const Store& store) {
  auto study = store.study();
  if (!study) return tl::unexpected(std::move(study.error()));
  if (!*study) {
    return refuse_file(Error::Kind::bad_input, store.path(), "it contains no study",
                       "store one with 'busline study run'");
  }
  GatheredStudy g{**std::move(study), {}, {}, {}};
  g.combined = combined_of(g.study);
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    if (p.values.size() != g.study.labels.size()) {
      return refuse_file(Error::Kind::bad_input, store.path(),
                         fmt::format("point {} has {}, expected one for each of the {} axes", p.point,
                                     counted(p.values.size(), "value"), g.study.labels.size()));
    }
    g.points.push_back(p);
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));

  for (std::size_t i = 0; i < g.study.labels.size(); ++i)
    g.axes.push_back(study_axis(g.study.labels[i], g.points, i));
  return g;
}

const PointOutcome* GatheredStudy::best() const {
  return extreme(points, false);
}

const PointOutcome* GatheredStudy::slowest() const {
  return extreme(points, true);
}

std::string GatheredStudy::where(const PointOutcome& point) const {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].varies())
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", study.labels[i], point.values[i].name);
  return text.empty() ? fmt::format("point {}", point.point) : text;
}

}  // namespace busline::report
