// The measurement document (docs/reference/measuring.md, measuring/schema/measurement.schema.json):
// reading, checking, writing.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "documents/fields/document.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"

namespace busline::measure {

/// Every value checked. The first thing that is wrong comes back as an Error with file, line, column and JSON
/// pointer; a misspelt key names the nearest known one.
Expected<Measurement> parse_measurement(const Document& document);
/// The same from a text; `path` is what messages call it.
Expected<Measurement> parse_measurement(std::string text, std::string path);
/// The same from a file.
Expected<Measurement> read_measurement(const std::string& path);

/// Members that have their default value are left out. parse_measurement gives back an equal Measurement.
nlohmann::ordered_json to_json(const Measurement& measurement);
/// to_json as a text for people: indented, short lists and objects on one line, a newline at the end.
std::string to_json_text(const Measurement& measurement);

}  // namespace busline::measure
