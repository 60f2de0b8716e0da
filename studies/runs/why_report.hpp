// How 'busline simulate --why' shows why a run takes as long as it does.
#pragma once
#include <string>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "models/why/explain_run.hpp"

namespace busline {

/// The member "why" of studies/schema/result.schema.json.
void describe(Fields& f, Why& why);
/// A human-readable page: what the path is spent with, whose and in which calls; slopes in words;
/// efficiencies.
std::string to_text(const Why& why);

Duration total_of(const PathParts& parts);
/// Those with time, the longest first.
std::vector<PathCause> causes_of(const PathParts& parts);

}  // namespace busline
