// The member "why" of a result document, described once.
#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "studies/runs/why_report.hpp"

namespace busline {

struct PathPart {
  PathCause cause{};
  Duration time;
};

/// The name of a call; null between calls.
struct CallName {
  std::string& value;
};
Expected<void> read_value(const Cursor& at, CallName& out) {
  out.value.clear();
  return at.value().is_null() ? Expected<void>() : read_value(at, out.value);
}
nlohmann::ordered_json write_value(const CallName& v) {
  return v.value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(v.value);
}
nlohmann::ordered_json schema_of(const CallName&) {
  return {{"type", {"string", "null"}}};
}

namespace {

const std::array<std::pair<std::string_view, PathCause>, kPathCauses> kCauseNames = [] {
  std::array<std::pair<std::string_view, PathCause>, kPathCauses> names;
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = {name_of(static_cast<PathCause>(i)), static_cast<PathCause>(i)};
  return names;
}();

// Times of runs by a slope may lie before its start.
void path_ps(Fields& f, std::string_view key, Time time, std::string_view meaning) {
  auto ps = time.count();
  f.required(key, Whole{ps, INT64_MIN, INT64_MAX}, meaning);
}

void path_cause(Fields& f, PathCause& of) {
  f.required("cause", Choice<PathCause>{of, kCauseNames}, "docs/how-to/why.md explains each.");
}

void path_call(Fields& f, std::string name) {
  f.required("call", CallName{name}, "Null: between calls.");
}

template <class T>
void path_count(Fields& f, std::string_view key, T value, std::string_view meaning, std::int64_t least = 0) {
  f.required(key, Whole{value, least, INT64_MAX}, meaning);
}

void path_time(Fields& f, std::string_view key, Duration value, std::string_view meaning) {
  f.required(key, Picoseconds{value}, meaning);
}

void path_parts(Fields& f, const PathParts& of) {
  std::vector<PathPart> list;
  for (const auto c : causes_of(of)) list.push_back({c, of[static_cast<std::size_t>(c)]});
  f.required("parts", list, "Only nonzero entries.");
}

struct RankOnPath {
  std::uint32_t rank = 0;
  PathParts parts{};
};

// The name of a call that the path has; in a schema it has none.
std::string call_of(const CriticalPath& path, std::uint32_t index) {
  return index < path.calls.size() ? path.calls[index].name : std::string();
}

}  // namespace

void describe(Fields& f, PathPart& p) {
  path_cause(f, p.cause);
  f.required("ps", Picoseconds{p.time}, "Time of the path spent on it.");
}

void describe(Fields& f, CriticalPath& path) {
  std::vector<RankOnPath> ranks;
  for (const auto r : path.by_rank.ids())
    if (!causes_of(path.by_rank[r]).empty()) ranks.push_back({raw(r), path.by_rank[r]});
  path_time(f, "total_ps", path.total, "The run time, and the sum of all parts.");
  path_count(f, "segments", path.segments, "Number of its consecutive parts.");
  path_parts(f, path.parts);
  f.required("ranks",
             DescribedList{ranks,
                           [](Fields& o, std::size_t, RankOnPath& r) {
                             path_count(o, "rank", r.rank, "Rank in the run.");
                             path_time(o, "total_ps", total_of(r.parts),
                                       "Time of the path attributed to the rank.");
                             path_parts(o, r.parts);
                           }},
             "Only those on the path.");
  f.required("calls",
             DescribedList{path.calls,
                           [](Fields& o, std::size_t, CriticalPath::Call& c) {
                             path_call(o, c.name);
                             path_time(o, "total_ps", c.total, "Time of the path in these calls.");
                             path_parts(o, c.parts);
                           }},
             "The longest first.");
  f.required("longest",
             DescribedList{path.longest,
                           [&](Fields& o, std::size_t, PathSegment& s) {
                             path_time(o, "from_ps", s.from.since_start(), "Simulated time at its start.");
                             path_time(o, "length_ps", s.length, "How long it lasts.");
                             path_cause(o, s.cause);
                             path_count(
                                 o, "rank", raw(s.rank),
                                 "The rank it belongs to: a message's sender, a collective's last member.");
                             path_call(o, call_of(path, s.call));
                           }},
             "The longest segments.");
  path_count(f, "late_partners", path.late_partners,
             "Number of times the path leaves a rank whose partner arrived later.");
  path_time(f, "partners_late_ps", path.partners_late,
            "How long those had waited by then, together; not a part of the path.");
  f.required("latest",
             DescribedList{path.latest,
                           [&](Fields& o, std::size_t, LatePartner& l) {
                             path_time(o, "at_ps", l.at.since_start(),
                                       "Simulated time when the partner arrived.");
                             path_time(o, "late_ps", l.late, "How long the other had waited by then.");
                             path_count(o, "waiting", raw(l.waiting), "The rank that waited.");
                             path_count(o, "partner", raw(l.partner), "The rank that arrived later.");
                             path_call(o, call_of(path, l.call));
                           }},
             "The latest of them.");
}

void describe(Fields& f, AdviceCheck& c) {
  f.required("change", Number{c.change}, "Relative change of the figure: 0.1 is 10 % more.");
  f.required("jitter", Number{c.jitter}, "Standard deviation of the bursts in both runs, as a share.");
  f.required("effect", Number{c.effect}, "Run time / run time with the same bursts without the change - 1.");
}

void describe(Fields& f, Advice& a) {
  auto reliable = a.reliable();
  f.required("figure", Choice<AdviceFigure>{a.figure, kAdviceFigureNames},
             "Better by 10 %: less latency, more of the others.");
  f.required("reliable", reliable, "Whether the runs agree on the sign: 'low' and 'high' do.");
  f.required("median", Number{a.median}, "Relative change of the run time by runs: -0.02 is 2 % less.");
  f.required("low", Number{a.shortest}, "Nine of ten runs with jittered bursts, and by_a_run, lie from here");
  f.required("high", Number{a.longest}, "to here.");
  f.required("by_a_run", Number{a.by_a_run}, "By a run without jitter.");
  f.required("by_slope", Number{a.by_slope}, "From the slope.");
  f.required("checks", a.checks, "The pairs of runs that this rests on.");
}

void describe(Fields& f, LargeStep& s) {
  f.required("change", s.change, "The change, such as 'twice the latency'.");
  path_ps(f, "predicted_ps", s.predicted, "From the slope.");
  path_ps(f, "simulated_ps", s.simulated, "By a run.");
}

void describe(Fields& f, PopEfficiency& e) {
  auto parallel = e.parallel();
  f.required("parallel", Number{parallel}, "Mean computing time of a rank / run time.");
  f.required("load_balance", Number{e.load_balance}, "Mean / largest computing time of a rank.");
  f.required("serialisation", Number{e.serialisation},
             "Largest computing time of a rank / instant_network_ps.");
  f.required("transfer", Number{e.transfer}, "instant_network_ps / run time.");
  path_ps(f, "instant_network_ps", e.instant_network, "The run time on an instant network.");
}

void describe(Fields& f, Resolution& r) {
  path_count(f, "runs", r.runs, "Number of runs besides the run itself.", 1);
  path_ps(f, "shortest_ps", r.shortest, "The shortest of them, the run itself included.");
  path_ps(f, "longest_ps", r.longest, "The longest of them, likewise.");
  path_time(f, "spread_ps", r.spread(),
            "longest_ps - shortest_ps: smaller differences cannot be distinguished from chance.");
}

void describe(Fields& f, Why& why) {
  f.required("critical_path", why.path,
             "The chain of causes from the last rank's end back to the start of the run.");
  f.required("slopes", Inside{[&](Fields& o) {
               o.required("exact", why.exact, "Derivatives; otherwise those at frozen order.");
               o.required("latency", Number{why.slope.latency},
                          "Increase of the run time for each unit of /network/latency.");
               o.required("inverse_bandwidth_ps", Number{why.slope.transfer},
                          "The time added if 1 / bandwidth doubled.");
               o.required("inverse_cpu_speed_ps", Number{why.slope.compute},
                          "Likewise of the CPUs' 1 / speed.");
             }},
             "How much the run time would grow if the machine were slower.");
  path_count(f, "runs", why.runs, "Number of runs that were made, without those for the resolution.");
  f.required("advice", why.advice, "What better figures change, checked by runs.");
  f.required("large_steps", why.steps,
             "The slopes, next to runs in which a machine parameter changes a lot.");
  f.optional("efficiency", why.efficiency, "parallel = load_balance * serialisation * transfer.");
  f.optional("resolution", why.resolution,
             "With --resolution: run times with bursts jittered by 0.1 to 1 % and latencies longer by 1 to "
             "'runs' ns, "
             "minus the slope's share of the latter.");
}

}  // namespace busline
