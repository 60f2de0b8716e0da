// How 'busline simulate --why' shows why a run takes as long as it does.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/why/explain_run.hpp"

namespace busline {

/// The member "why" of studies/schema/result.schema.json.
nlohmann::ordered_json to_json(const Why& why);
/// A page for people: what the path is spent with, whose and in which calls; slopes in words; efficiencies.
std::string to_text(const Why& why);

}  // namespace busline
