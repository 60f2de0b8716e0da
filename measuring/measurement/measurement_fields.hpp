// The objects of a measurement document, each described once (documents/fields/object.hpp).
// measuring/schema/measurement.schema.json is the same for other programs, and a test compares the
// two.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "measuring/measurement/measurement.hpp"

namespace busline::measure {

// ---- views of a member that say how it is written

/// A whole number of picoseconds.
struct Picoseconds {
  Duration& value;
};
Expected<void> read_value(const Cursor& at, Picoseconds& out);
nlohmann::ordered_json write_value(const Picoseconds& v);

struct OptionalPicoseconds {
  std::optional<Duration>& value;
};
Expected<void> read_value(const Cursor& at, OptionalPicoseconds& out);
nlohmann::ordered_json write_value(const OptionalPicoseconds& v);

struct PicosecondsList {
  std::vector<Duration>& values;
};
Expected<void> read_value(const Cursor& at, PicosecondsList& out);
nlohmann::ordered_json write_value(const PicosecondsList& v);

/// Numbers of 0 or more.
struct Numbers {
  std::vector<double>& values;
};
Expected<void> read_value(const Cursor& at, Numbers& out);
nlohmann::ordered_json write_value(const Numbers& v);

/// [low, high]
Expected<void> read_value(const Cursor& at, Interval& out);
nlohmann::ordered_json write_value(const Interval& v);

// ---- names

template <class E, std::size_t N>
using Names = std::array<std::pair<std::string_view, E>, N>;

inline constexpr std::string_view kMeasurementSchema = "busline/measurement/1";
inline constexpr Names<TestbedKind, 3> kTestbedNames{
    {{"simulated", TestbedKind::simulated}, {"mpi", TestbedKind::mpi}, {"local", TestbedKind::local}}};
inline constexpr Names<Pattern, 16> kPatternNames{{{"pingpong", Pattern::pingpong},
                                                   {"pingping", Pattern::pingping},
                                                   {"bandwidth", Pattern::bandwidth},
                                                   {"bidirectional", Pattern::bidirectional},
                                                   {"message-rate", Pattern::message_rate},
                                                   {"overhead", Pattern::overhead},
                                                   {"all-pairs", Pattern::all_pairs},
                                                   {"node-flows", Pattern::node_flows},
                                                   {"pairings", Pattern::pairings},
                                                   {"incast", Pattern::incast},
                                                   {"ring", Pattern::ring},
                                                   {"master-worker", Pattern::master_worker},
                                                   {"collective", Pattern::collective},
                                                   {"local", Pattern::local},
                                                   {"compute", Pattern::compute},
                                                   {"startup", Pattern::startup}}};
inline constexpr Names<TimeOf, 9> kTimeOfNames{{{"round-trip", TimeOf::round_trip},
                                                {"half-round-trip", TimeOf::half_round_trip},
                                                {"one-way", TimeOf::one_way},
                                                {"root", TimeOf::root},
                                                {"max-over-ranks", TimeOf::max_over_ranks},
                                                {"call", TimeOf::call},
                                                {"after-last", TimeOf::after_last},
                                                {"longest-call", TimeOf::longest_call},
                                                {"mean-call", TimeOf::mean_call}}};
inline constexpr Names<LeadIn, 4> kLeadInNames{{{"barrier", LeadIn::barrier},
                                                {"verdict-and-barrier", LeadIn::verdict_and_barrier},
                                                {"none", LeadIn::none},
                                                {"together", LeadIn::together}}};
inline constexpr Names<Varies, 7> kVariesNames{{{"nothing", Varies::nothing},
                                                {"bytes", Varies::bytes},
                                                {"ranks", Varies::ranks},
                                                {"nodes", Varies::nodes},
                                                {"chunks", Varies::chunks},
                                                {"pairs", Varies::pairs},
                                                {"steps", Varies::steps}}};
inline constexpr Names<std::optional<RouteClass>, 4> kRouteClassNames{{{"intra-node", RouteClass::intra_node},
                                                                       {"inter-node", RouteClass::inter_node},
                                                                       {"wan", RouteClass::wan},
                                                                       {"mixed", RouteClass::mixed}}};
inline constexpr Names<std::optional<Stop>, 3> kStopNames{{{"precision", Stop::precision},
                                                           {"max-repetitions", Stop::max_repetitions},
                                                           {"time-limit", Stop::time_limit}}};
inline constexpr Names<std::optional<SuiteEnd>, 2> kSuiteEndNames{
    {{"time-limit", SuiteEnd::time_limit}, {"interrupt", SuiteEnd::interrupt}}};
inline constexpr Names<StopRule, 2> kStopRuleNames{
    {{"standard-error", StopRule::standard_error}, {"median-interval", StopRule::median_interval}}};
inline constexpr Names<ziatest::Variant, 2> kVariantNames{
    {{"seed", ziatest::Variant::seed}, {"lanl", ziatest::Variant::lanl}}};
inline constexpr Names<ziatest::Phase, ziatest::kPhases> kPhaseNames{{{"start", ziatest::Phase::start},
                                                                      {"image", ziatest::Phase::image},
                                                                      {"daemon", ziatest::Phase::daemon},
                                                                      {"spawn", ziatest::Phase::spawn},
                                                                      {"init", ziatest::Phase::init},
                                                                      {"pair", ziatest::Phase::pair}}};
inline constexpr Names<MergeRule, 2> kMergeRuleNames{
    {{"count", MergeRule::count}, {"robust", MergeRule::robust}}};

// ---- bounds

inline constexpr std::int64_t kMostCount = std::int64_t{1}
                                           << 53U;  // below it, other readers' doubles are exact
inline constexpr std::int64_t kMostRanks = std::numeric_limits<std::uint32_t>::max();

// ---- objects

// What holds between members.
Expected<void> check(const Cursor& at, const Measurement& measurement);
Expected<void> check(const Cursor& at, const Suite& suite);
Expected<void> check(const Cursor& at, const Point& point);
Expected<void> check(const Cursor& at, const RepetitionRules& rules);

template <class Fields>
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

template <class Fields>
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

template <class Fields>
void describe(Fields& f, MeasuringClock& c) {
  f.required("source", c.source);
  f.required("tick_ps", Picoseconds{c.tick});
  f.required("overhead_ps", Picoseconds{c.overhead});
}

template <class Fields>
void describe(Fields& f, MergedFrom& m) {
  f.required("rule", Choice<MergeRule>{m.rule, kMergeRuleNames});
  f.required("files", m.files);
}

template <class Fields>
void describe(Fields& f, BudgetUse& b) {
  f.required("limit_ps", Picoseconds{b.limit});
  f.required("used_ps", Picoseconds{b.used});
  f.optional("left_out", b.left_out);
}

template <class Fields>
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

template <class Fields>
void describe(Fields& f, RepetitionRules& r) {
  f.required("rule", Choice<StopRule>{r.rule, kStopRuleNames});
  f.required("precision", NotNegative{r.precision});
  f.required("min_repetitions", Whole{r.min_repetitions, 0, kMostRepetitions});
  f.required("max_repetitions", Whole{r.max_repetitions, 1, kMostRepetitions});
  f.optional("time_limit_ps", OptionalPicoseconds{r.time_limit});
  f.required("cut_quantile", NotNegative{r.cut_quantile});
}

template <class Fields>
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

template <class Fields>
void describe(Fields& f, LaunchSubject& l) {
  f.required("variant", Choice<ziatest::Variant>{l.variant, kVariantNames});
  f.required("ranks_per_node", Whole{l.ranks_per_node, 1, kMostRanks});
  f.required("image_bytes", Whole{l.image_bytes, 0, kMostCount});
}

template <class Fields>
void describe(Fields& f, LaunchDetails& l) {
  f.required("slowest_rank", Whole{l.slowest_rank, 0, kMostRanks});
  f.optional("phases", l.phases);
}

template <class Fields>
void describe(Fields& f, PointSpread& s) {
  f.required("runs", Whole{s.runs, 1, kMostCount});
  f.optional("interpolated_runs", Whole{s.interpolated_runs, 0, kMostCount});
  f.required("results_ps", s.results_ps);
}

template <class Fields>
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

template <class Fields>
void describe(Fields& f, PhaseTime& t) {
  f.required("phase", Choice<Phase>{t.phase, measure::kPhaseNames});
  f.required("critical_ps", measure::Picoseconds{t.critical});
  f.required("slowest_rank_ps", measure::Picoseconds{t.slowest_rank});
}

}  // namespace busline::ziatest
