// The output of 'busline explain' for a platform: how it was read, and what messages and collectives cost on
// it. As a page of text, or as a document "busline/explanation/1".
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "documents/fields/cursor.hpp"
#include "platforms/description/platform.hpp"
#include "studies/machines/explanation.hpp"

namespace busline {

struct ExplainedPlatform {
  Platform platform;
  Explanation explanation;
};
void describe(Fields& f, ExplainedPlatform& explained);
nlohmann::ordered_json to_json(const Platform& platform, const Explanation& explanation);
std::string to_text(const Platform& platform, const Explanation& explanation);

}  // namespace busline
