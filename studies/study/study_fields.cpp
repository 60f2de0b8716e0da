#include "studies/study/study_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

Expected<void> read_value(const Cursor& at, AnyValue& out) {
  out.text = at.value().dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return {};
}
nlohmann::ordered_json write_value(const AnyValue& v) {
  return nlohmann::ordered_json::parse(v.text, nullptr, false);
}

void describe(Fields& f, RangeDocument& r) {
  f.required("from", r.from);
  f.required("to", r.to);
  f.required("points", Whole{r.points, 2, 1'000'000});
  f.optional("scale", Choice<bool>{r.logarithmic, kScaleNames});
}

void describe(Fields& f, PatchDocument& p) {
  f.required("name", p.name);
  f.required("merge", p.merge);
}

void describe(Fields& f, AxisDocument& a) {
  f.optional("set", a.set);
  f.optional("to", a.to);
  f.optional("range", a.range);
  f.optional("patches", a.patches);
  f.optional("label", a.label);
}

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
  f.optional("base", s.base);
  f.optional("weights", s.weights);
}

}  // namespace busline
