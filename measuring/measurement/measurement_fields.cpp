#include "measuring/measurement/measurement_fields.hpp"

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline::measure {

void describe(Fields& f, Measurement& m) {
  f.required("schema", SchemaName{kMeasurementSchema});
  f.required("testbed", Choice<TestbedKind>{m.testbed, kTestbedNames});
  f.required("machine", m.machine);
  f.optional("clock", m.clock);
  f.optional("merged", m.merged);
  f.optional("budget", m.budget);
  f.required("suites", m.suites);
  f.required("provenance", m.provenance);
}

void describe(Fields& f, MeasuredMachine& m) {
  f.required("name", m.name);
  f.optional("nodes", m.nodes);
  f.optional("cpus_per_node", Whole{m.cpus_per_node, 1, kMostRanks});
  f.optional("cpu_model", m.cpu_model);
  f.optional("mpi", m.mpi);
  f.optional("pinning", m.pinning);
  f.optional("scheduler_job", m.scheduler_job);
  f.optional("hwloc_xml", m.hwloc_xml);
}

void describe(Fields& f, MeasuringClock& c) {
  f.required("source", c.source);
  f.required("tick_ps", Picoseconds{c.tick});
  f.required("overhead_ps", Picoseconds{c.overhead});
}

void describe(Fields& f, MergedFrom& m) {
  f.required("rule", Choice<MergeRule>{m.rule, kMergeRuleNames});
  f.required("files", m.files);
}

void describe(Fields& f, BudgetUse& b) {
  f.required("limit_ps", Picoseconds{b.limit});
  f.required("used_ps", Picoseconds{b.used});
  f.optional("left_out", b.left_out);
}

void describe(Fields& f, Suite& s) {
  f.required("name", s.name);
  f.required("operation", s.operation);
  f.required("pattern", Choice<Pattern>{s.pattern, kPatternNames});
  f.required("time", Choice<TimeOf>{s.time, kTimeOfNames});
  f.required("varies", Choice<Varies>{s.varies, kVariesNames});
  f.optional("class", Choice<std::optional<RouteClass>>{s.route_class, kRouteClassNames});
  f.optional("bytes", Whole{s.bytes, 0, kMostCount});
  f.optional("chunks", Whole{s.chunks, 0, kMostCount});
  f.required("ranks", Wholes{s.ranks, 0, kMostRanks});
  f.optional("nodes", Wholes{s.nodes, 0, kMostRanks});
  f.optional("concurrent", Whole{s.concurrent, 1, kMostRanks});
  f.required("messages", Whole{s.messages, 0, kMostRanks});
  f.required("warmup", Whole{s.warmup, 0, kMostRanks});
  f.optional("lead_in", Choice<LeadIn>{s.lead_in, kLeadInNames});
  f.optional("buffers", Whole{s.buffers, 1, kMostRanks});
  f.optional("launch", s.launch);
  f.optional("overhead_ps", NotNegative{s.overhead_ps.value});
  f.optional("overhead_standard_error_ps", NotNegative{s.overhead_ps.standard_error});
  f.optional("repetition", s.repetition);
  f.optional("ended_by", Choice<std::optional<SuiteEnd>>{s.ended_by, kSuiteEndNames});
  f.required("points", s.points);
}

void describe(Fields& f, RepetitionRules& r) {
  f.required("rule", Choice<StopRule>{r.rule, kStopRuleNames});
  f.required("precision", NotNegative{r.precision});
  f.required("min_repetitions", Whole{r.min_repetitions, 0, kMostRepetitions});
  f.required("max_repetitions", Whole{r.max_repetitions, 1, kMostRepetitions});
  f.optional("time_limit_ps", OptionalPicoseconds{r.time_limit});
  f.required("cut_quantile", NotNegative{r.cut_quantile});
}

void describe(Fields& f, Point& p) {
  f.required("argument", Whole{p.argument, 0, kMostCount});
  f.optional("ranks", Wholes{p.ranks, 0, kMostRanks});
  f.required("result_ps", NotNegative{p.result_ps.value});
  f.required("standard_error_ps", NotNegative{p.result_ps.standard_error});
  f.required("count", Whole{p.count, 0, kMostCount});
  f.optional("stop", Choice<std::optional<Stop>>{p.stop, kStopNames});
  f.optional("settled", p.settled);
  f.optional("refined", p.refined);
  f.optional("interpolated", p.interpolated);
  f.optional("batch", Whole{p.batch, 1, kMostRanks});
  f.optional("merged", p.merged);
  f.optional("time_ps", p.time_ps);
  f.optional("samples_ps", PicosecondsList{p.samples});
  f.optional("node_results_ps", Numbers{p.node_results_ps});
  f.optional("launch", p.launch);
}

void describe(Fields& f, LaunchSubject& l) {
  f.required("variant", Choice<ziatest::Variant>{l.variant, kVariantNames});
  f.required("ranks_per_node", Whole{l.ranks_per_node, 1, kMostRanks});
  f.required("image_bytes", Whole{l.image_bytes, 0, kMostCount});
}

void describe(Fields& f, LaunchDetails& l) {
  f.required("slowest_rank", Whole{l.slowest_rank, 0, kMostRanks});
  f.optional("phases", l.phases);
}

void describe(Fields& f, PointSpread& s) {
  f.required("runs", Whole{s.runs, 1, kMostCount});
  f.optional("interpolated_runs", Whole{s.interpolated_runs, 0, kMostCount});
  f.required("results_ps", s.results_ps);
}

void describe(Fields& f, Summary& s) {
  f.required("count", Whole{s.count, 1, kMostCount});
  f.required("min", NotNegative{s.min});
  f.required("p1", NotNegative{s.p1});
  f.required("p10", NotNegative{s.p10});
  f.required("p25", NotNegative{s.p25});
  f.required("median", NotNegative{s.median});
  f.required("p75", NotNegative{s.p75});
  f.required("p90", NotNegative{s.p90});
  f.required("p99", NotNegative{s.p99});
  f.required("max", NotNegative{s.max});
  f.required("mean", NotNegative{s.mean});
  f.required("standard_deviation", NotNegative{s.standard_deviation});
  f.required("standard_error", NotNegative{s.standard_error});
  f.optional("median_interval", s.median_interval);
  f.required("outliers", Whole{s.outliers, 0, kMostCount});
}

}  // namespace busline::measure

namespace busline::ziatest {

void describe(Fields& f, PhaseTime& t) {
  f.required("phase", Choice<Phase>{t.phase, measure::kPhaseNames});
  f.required("critical_ps", measure::Picoseconds{t.critical});
  f.required("slowest_rank_ps", measure::Picoseconds{t.slowest_rank});
}

}  // namespace busline::ziatest
