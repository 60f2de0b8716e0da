// How 'busline simulate --why' shows why a run takes as long as it does.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "models/why/explain_run.hpp"

namespace busline {

/// The member "why" of studies/schema/result.schema.json.
void describe(Fields& f, Why& why);
/// A human-readable page: what the path is spent with, whose and in which calls; slopes in words;
/// efficiencies.
std::string to_text(const Why& why);

/// Why ranks may compute for `of_time` of their time while computing is only `of_path` of the critical path,
/// both as shares. Empty if they are close. `blank` is where a line may break.
std::string overlap_sentence(double of_time, double of_path, std::string_view blank = " ");

/// AdviceFigure in documents.
inline constexpr std::array<std::pair<std::string_view, AdviceFigure>, 3> kAdviceFigureNames{
    {{"cpu_speed", AdviceFigure::cpu_speed},
     {"bandwidth", AdviceFigure::bandwidth},
     {"latency", AdviceFigure::latency}}};

Duration total_of(const PathParts& parts);
/// Those with time, the longest first.
std::vector<PathCause> causes_of(const PathParts& parts);

}  // namespace busline
