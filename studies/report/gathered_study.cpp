#include "studies/report/gathered_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string values_of(const GatheredStudy& g, const PointOutcome& point, bool with_workloads) {
  std::string text;
  for (std::size_t i = 0; i < g.axes.size(); ++i)
    if (g.axes[i].varies() && (with_workloads || !g.axes[i].axis.of_workloads))
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", g.study.labels[i], point.values[i].name);
  return text;
}

}  // namespace

Expected<GatheredStudy> gather_study(const Store& store) {
  auto study = store.study();
  if (!study) return tl::unexpected(std::move(study.error()));
  if (!*study) {
    return refuse_file(Error::Kind::bad_input, store.path(), "it contains no study",
                       "store one with 'busline study run'");
  }
  auto compared = Comparison::of(store, **study, compare_with((*study)->document));
  if (!compared) return tl::unexpected(std::move(compared.error()));
  GatheredStudy g{**std::move(study), {}, {}, {}, *std::move(compared)};
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

  for (std::size_t i = 0; i < g.study.labels.size(); ++i) {
    g.axes.push_back(study_axis(g.study.labels[i], g.points, i));
    g.axes.back().axis.of_workloads = i < g.compared.of_workloads().size() && g.compared.of_workloads()[i];
  }
  return g;
}

const PointOutcome* GatheredStudy::slowest(const Comparison::Workload& workload) const {
  const PointOutcome* slowest = nullptr;
  for (const auto& p : points) {
    const auto here = cost_of(p.outcome);
    if (!here || &compared.workload_of(p) != &workload) continue;
    if (slowest == nullptr || *here > *cost_of(slowest->outcome)) slowest = &p;
  }
  return slowest;
}

std::string GatheredStudy::where(const PointOutcome& point) const {
  const auto text = values_of(*this, point, true);
  return text.empty() ? fmt::format("point {}", point.point) : text;
}

std::string GatheredStudy::choice(const PointOutcome& point) const {
  const auto text = values_of(*this, point, false);
  return text.empty() ? fmt::format("point {}", point.point) : text;
}

std::string GatheredStudy::varied() const {
  std::vector<std::string> labels;
  for (const auto& axis : axes)
    if (axis.varies() && !axis.axis.of_workloads) labels.push_back(axis.axis.scale.label);
  if (labels.size() < 2) return labels.empty() ? "" : labels.front();
  const auto last = std::move(labels.back());
  labels.pop_back();
  return fmt::format("{} and {}", fmt::join(labels, ", "), last);
}

}  // namespace busline::report
