// The members of a study document (studies/schema/study.schema.json), described once.
#pragma once
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "studies/study/points.hpp"
#include "studies/study/study.hpp"

namespace busline {

inline constexpr std::string_view kStudySchema = "busline/study/1";

/// Any JSON value: what it means is said elsewhere.
struct AnyValue {
  std::string text = "null";
};
inline Expected<void> read_value(const Cursor& at, AnyValue& out) {
  out.text = at.value().dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return {};
}
inline nlohmann::ordered_json write_value(const AnyValue& v) {
  return nlohmann::ordered_json::parse(v.text, nullptr, false);
}

struct RangeDocument {
  AnyValue from, to;
  std::uint32_t points = 2;
  bool logarithmic = false;
};
struct PatchDocument {
  std::string name;
  AnyValue merge;
};
struct AxisDocument {
  std::optional<std::string> set;
  std::optional<std::vector<AnyValue>> to;
  std::optional<RangeDocument> range;
  std::optional<std::vector<PatchDocument>> patches;
  std::string label;
};
struct StudyFields {
  std::string name, description;
  AnyValue platform, workload, model{"\"dimemas\""}, mapping;
  std::vector<AxisDocument> axes;
  Sampling sampling;
  std::optional<Duration> timeout;
  bool why = false;
};

inline constexpr std::array<std::pair<std::string_view, bool>, 2> kScaleNames{
    {{"linear", false}, {"log", true}}};
inline constexpr std::array<std::pair<std::string_view, Sampling::Kind>, 4> kCombineNames{
    {{"product", Sampling::Kind::product},
     {"zip", Sampling::Kind::zip},
     {"random", Sampling::Kind::random},
     {"latin", Sampling::Kind::latin}}};

template <class Fields>
void describe(Fields& f, RangeDocument& r) {
  f.required("from", r.from);
  f.required("to", r.to);
  f.required("points", Whole{r.points, 2, 1'000'000});
  f.optional("scale", Choice<bool>{r.logarithmic, kScaleNames});
}
template <class Fields>
void describe(Fields& f, PatchDocument& p) {
  f.required("name", p.name);
  f.required("merge", p.merge);
}
template <class Fields>
void describe(Fields& f, AxisDocument& a) {
  f.optional("set", a.set);
  f.optional("to", a.to);
  f.optional("range", a.range);
  f.optional("patches", a.patches);
  f.optional("label", a.label);
}
template <class Fields>
void describe(Fields& f, StudyFields& s) {
  f.required("schema", SchemaName{kStudySchema});
  f.required("name", s.name);
  f.optional("description", s.description);
  f.required("platform", s.platform);
  f.required("workload", s.workload);
  f.optional("model", s.model);
  f.optional("mapping", s.mapping);
  f.required("axes", s.axes);
  f.optional("combine", Choice<Sampling::Kind>{s.sampling.kind, kCombineNames});
  f.optional("samples", Whole{s.sampling.points, 1, std::int64_t{kMostPoints}});
  f.optional("seed", Whole{s.sampling.seed, 0, INT64_MAX});
  f.optional("timeout", s.timeout);
  f.optional("why", s.why);
}

}  // namespace busline
