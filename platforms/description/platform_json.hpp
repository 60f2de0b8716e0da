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

/// The platform that a document describes, with every value checked. Returns the first error with file, line,
/// column and JSON pointer; for a misspelt key it names the nearest known one.
Expected<Platform> parse_platform(const Document& document);
/// The same from a text; `path` names it in messages.
Expected<Platform> parse_platform(std::string_view text, std::string path);
/// The same from a .json file.
Expected<Platform> read_platform(const std::string& path);

/// `simulate --set /network/buses=4`: Document::set under the name that the command line uses. The next
/// parse_platform checks the value; its error then names this --set.
Expected<void> apply_set(Document& document, std::string_view assignment);

/// The canonical document: members with their default value are left out, quantities carry units.
/// parse_platform returns an equal Platform for it.
nlohmann::ordered_json to_json(const Platform& platform);
/// The same to change members of; `path` names it in messages.
Document document_of(const Platform& platform, std::string path);
/// to_json as readable text: two spaces of indentation, short lists and objects on one line, a newline at the
/// end.
std::string to_json_text(const Platform& platform);

}  // namespace busline
