// The objects of a measurement document, each described once (documents/fields/object.hpp).
// measuring/schema/measurement.schema.json is generated from these descriptions.
#pragma once
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "documents/fields/names.hpp"
#include "measuring/measurement/measurement.hpp"

namespace busline::measure {

// ---- views of a member that say how it is written

struct PicosecondsList {
  std::vector<Duration>& values;
};
Expected<void> read_value(const Cursor& at, PicosecondsList& out);
nlohmann::ordered_json write_value(const PicosecondsList& v);
nlohmann::ordered_json schema_of(const PicosecondsList&);

/// Numbers of 0 or more.
struct Numbers {
  std::vector<double>& values;
};
Expected<void> read_value(const Cursor& at, Numbers& out);
nlohmann::ordered_json write_value(const Numbers& v);
nlohmann::ordered_json schema_of(const Numbers&);

/// [low, high]
Expected<void> read_value(const Cursor& at, Interval& out);
nlohmann::ordered_json write_value(const Interval& v);
nlohmann::ordered_json schema_of(const Interval&);

// ---- names

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

void describe(Fields& f, Measurement& m);
void describe(Fields& f, MeasuredMachine& m);
void describe(Fields& f, MeasuringClock& c);
void describe(Fields& f, MergedFrom& m);
void describe(Fields& f, BudgetUse& b);
void describe(Fields& f, Suite& s);
void describe(Fields& f, RepetitionRules& r);
void describe(Fields& f, Point& p);
void describe(Fields& f, LaunchSubject& l);
void describe(Fields& f, LaunchDetails& l);
void describe(Fields& f, PointSpread& s);
void describe(Fields& f, Summary& s);

}  // namespace busline::measure

namespace busline::ziatest {

void describe(Fields& f, PhaseTime& t);

}  // namespace busline::ziatest
