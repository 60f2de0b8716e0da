// The platform document (docs/reference/platform.md, platforms/schema/platform.schema.json): reading,
// checking, writing.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "documents/fields/document.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// The platform that a document describes, every value checked. The first thing that is wrong comes back as
/// an Error with file, line, column and JSON pointer; a misspelt key names the nearest known one.
Expected<Platform> parse_platform(const Document& document);
/// The same from a text; `path` is what messages call it.
Expected<Platform> parse_platform(std::string_view text, std::string path);
/// The same from a .json file.
Expected<Platform> read_platform(const std::string& path);

/// `simulate --set /network/buses=4`: Document::set under the name that the command line uses. What the
/// value means is checked by the next parse_platform, whose error then names this --set.
Expected<void> apply_set(Document& document, std::string_view assignment);

/// The canonical document: members that have their default value are left out, quantities carry units.
/// parse_platform gives back an equal Platform.
nlohmann::ordered_json to_json(const Platform& platform);
/// to_json as a text for people: two spaces of indentation, short lists and objects on one line, a newline
/// at the end.
std::string to_json_text(const Platform& platform);

}  // namespace busline
