// The objects of a run-set document, each described once (documents/fields/object.hpp).
// measuring/schema/run-set.schema.json is the same for other programs, and a test compares the two.
#pragma once
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/runs/run_set.hpp"

namespace busline::measure {

template <class Fields>
void describe(Fields& f, RankPlace& p) {
  f.required("host", p.host);
  f.required("node", Whole{p.node, 0, kMostRanks});
  f.optional("core", Whole{p.core, 0, std::numeric_limits<std::int32_t>::max()});
}

}  // namespace busline::measure

namespace busline::runs {

inline constexpr std::string_view kRunSetSchema = "busline/run-set/1";
inline constexpr std::int64_t kMostExitCode = 255;

// ---- views of a member that say how it is written

/// A call as "MPI_Barrier:1".
struct CallText {
  std::optional<CallRef>& value;
};
Expected<void> read_value(const Cursor& at, CallText& out);
nlohmann::ordered_json write_value(const CallText& v);

/// An object with a text for each name.
struct Variables {
  std::vector<Variable>& values;
};
Expected<void> read_value(const Cursor& at, Variables& out);
nlohmann::ordered_json write_value(const Variables& v);

/// A relative path that stays below its folder, or an absolute one.
struct PathText {
  std::string& value;
};
Expected<void> read_value(const Cursor& at, PathText& out);
nlohmann::ordered_json write_value(const PathText& v);

// ---- objects

// What holds between members.
Expected<void> check(const Cursor& at, const Run& run);
Expected<void> check(const Cursor& at, const TracedRun& traced);
Expected<void> check(const Cursor& at, const RunSet& set);

template <class Fields>
void describe(Fields& f, Borders& b) {
  f.optional("from", CallText{b.from});
  f.optional("to", CallText{b.to});
}

template <class Fields>
void describe(Fields& f, Run& r) {
  f.optional("time_ps", measure::OptionalPicoseconds{r.time});
  f.optional("rank_times_ps", measure::PicosecondsList{r.rank_times});
  f.optional("wall_ps", measure::OptionalPicoseconds{r.wall});
  f.optional("exit_code", Whole{r.exit_code, 0, kMostExitCode});
}

template <class Fields>
void describe(Fields& f, TracedRun& t) {
  f.required("trace", PathText{t.trace});
  describe(f, t.run);
}

template <class Fields>
void describe(Fields& f, RunSet& s) {
  f.required("schema", SchemaName{kRunSetSchema});
  f.required("name", s.name);
  f.required("command", s.command);
  f.required("ranks", Whole{s.ranks, 1, measure::kMostRanks});
  f.required("machine", s.machine);
  f.optional("placement", s.placement);
  f.optional("region", s.region);
  f.required("runs", s.runs);
  f.optional("traced", s.traced);
  f.optional("environment", Variables{s.environment});
  f.required("provenance", s.provenance);
}

}  // namespace busline::runs
