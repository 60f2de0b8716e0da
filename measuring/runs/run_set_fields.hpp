// The objects of a run-set document, each described once (documents/fields/object.hpp).
// measuring/schema/run-set.schema.json is generated from these descriptions.
#pragma once
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "measuring/runs/run_set.hpp"

namespace busline::measure {

void describe(Fields& f, RankPlace& p);

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
nlohmann::ordered_json schema_of(const CallText&);

/// An object with a text for each name.
struct Variables {
  std::vector<Variable>& values;
};
Expected<void> read_value(const Cursor& at, Variables& out);
nlohmann::ordered_json write_value(const Variables& v);
nlohmann::ordered_json schema_of(const Variables&);

/// A relative path that stays below its folder, or an absolute one.
struct PathText {
  std::string& value;
};
Expected<void> read_value(const Cursor& at, PathText& out);
nlohmann::ordered_json write_value(const PathText& v);
nlohmann::ordered_json schema_of(const PathText&);

// ---- objects

// What holds between members.
Expected<void> check(const Cursor& at, const Run& run);
Expected<void> check(const Cursor& at, const TracedRun& traced);
Expected<void> check(const Cursor& at, const RunSet& set);

void describe(Fields& f, Borders& b);
void describe(Fields& f, Disturbance& d);
void describe(Fields& f, Run& r);
void describe(Fields& f, TracedRun& t);
void describe(Fields& f, RunSet& s);

}  // namespace busline::runs
