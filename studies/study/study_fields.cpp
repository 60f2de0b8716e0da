#include "studies/study/study_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "studies/study/workload_fields.hpp"

namespace busline {

Expected<void> read_value(const Cursor& at, AnyValue& out) {
  out.text = at.value().dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return {};
}
nlohmann::ordered_json write_value(const AnyValue& v) {
  return nlohmann::ordered_json::parse(v.text, nullptr, false);
}

namespace {

/// A workload, which read_workload_choice reads.
struct WorkloadValue {
  AnyValue& value;
};
Expected<void> read_value(const Cursor& at, WorkloadValue& out) {
  return read_value(at, out.value);
}
nlohmann::ordered_json write_value(const WorkloadValue& v) {
  return write_value(v.value);
}
nlohmann::ordered_json schema_of(const WorkloadValue&) {
  TraceChoice trace;
  BenchmarkChoice benchmark;
  return one_schema_of(
      {with_keywords({}, R"({"type": "string", "description": "The path of a trace or a Program file."})"),
       schema_of(trace), with_keywords({}, R"({"type": "object",
         "description":
           "Further members are parameters of the generator, as 'busline generate NAME --help' lists them.",
         "additionalProperties": {"type": ["string", "number", "boolean"]},
         "required": ["generate"],
         "properties": {"generate": {"type": "string", "description": "Name of the generator, such as 'halo'."}}})"),
       schema_of(benchmark)});
}

}  // namespace

void describe(Fields& f, RangeDocument& r) {
  f.about("Equal steps, or equal ratios, between two numbers or two quantities of one kind.");
  f.required("from", Also{r.from, R"({"type": ["string", "number"]})"},
             "The first value: a number, or a quantity such as '1 us'.");
  f.required("to", Also{r.to, R"({"type": ["string", "number"]})"}, "The last value, of the same kind.");
  f.required("points", Whole{r.points, 2, 1'000'000},
             "Number of values, including the ends; duplicate whole numbers are left out.");
  f.optional("scale", Choice<bool>{r.logarithmic, kScaleNames},
             "Equal steps (linear), or equal ratios (log), for which both ends are above 0.");
}

void describe(Fields& f, PatchDocument& p) {
  f.about("A value that changes several places of the case at once.");
  f.required("name", p.name, "The value's name in tables.");
  f.required("merge", Also{p.merge, R"({"type": "object"})"},
             "JSON Merge Patch (RFC 7386) of {platform, workload, model, mapping}.");
}

void describe(Fields& f, AxisDocument& a) {
  f.about("Either 'set' with 'to' or 'range', or 'patches'.");
  f.optional("set", a.set,
             "JSON Pointer (RFC 6901) that begins with /platform, /workload, /model or /mapping.");
  f.optional("to", a.to, "The values.");
  f.optional("range", a.range, "The values, evenly spread.");
  f.optional("patches", a.patches, "The values, each a change of the whole case.");
  f.optional("label", a.label, "Heading of the column.");
}

void describe(Fields& f, StudyFields& s) {
  f.about("docs/how-to/studies.md explains the members. Paths are relative to the document's folder.");
  f.required("schema", SchemaName{kStudySchema});
  f.required("name", s.name, "Heading of the results.");
  f.optional("description", s.description, "For people.");
  f.required("platform", Also{s.platform, R"({"type": ["string", "object"]})"},
             "The path of a platform, or a platform document.");
  f.required("workload", WorkloadValue{s.workload}, "The workload of each point.");
  f.optional("model", Also{s.model, R"({"type": "string"})"},
             "The model that simulates: 'dimemas', 'ideal' or 'flow'.");
  f.optional(
      "mapping", Also{s.mapping, R"({"type": ["string", "object", "array", "null"]})"},
      "Placement of ranks: as in 'busline simulate --mapping' or in a platform; null: the platform's own.");
  f.required("axes", s.axes,
             "The axes to vary, applied in this order; an axis with a single value changes the base case.");
  f.optional("combine", Choice<Sampling::Kind>{s.sampling.kind, kCombineNames},
             "How points combine the values of several axes: all combinations (last axis fastest), first "
             "with first, "
             "at random, or as a Latin hypercube.");
  f.optional("samples", Whole{s.sampling.points, 1, std::int64_t{kMostPoints}},
             "Number of points; required for random and latin.");
  f.optional("seed", Whole{s.sampling.seed, 0, INT64_MAX}, "For random and latin.");
  f.optional("timeout", s.timeout, "Wall-clock time after which a point is given up, such as \"60 s\".");
  f.optional("why", s.why,
             "Each run is watched: its results have slopes and the parts of its critical path.");
  f.optional(
      "base", Also{s.base, R"({"type": "object"})"},
      "The base point: for axes, by label or pointer, the value there; by default the first. Times of each "
      "workload are compared with those of its own base point.");
  f.optional(
      "weights",
      Also{s.weights, R"({"type": "object", "additionalProperties": {"type": "number", "minimum": 0}})"},
      "By the name or path of a workload, how much it counts in the mix; by default 1.");
}

}  // namespace busline
