// The run-set document (docs/how-to/record.md, measuring/schema/run-set.schema.json): reading,
// checking, writing.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "documents/fields/document.hpp"
#include "measuring/runs/run_set.hpp"
#include "sim/base/error.hpp"

namespace busline::runs {

/// The name of the document in its folder.
inline constexpr const char* kRunSetFile = "run-set.json";

/// Every value checked. The first thing that is wrong comes back as an Error with file, line, column and JSON
/// pointer. Whether the trace is there is not looked at. RunSet::folder is that of the document's path.
Expected<RunSet> parse_run_set(const Document& document);
/// The same from a text; `path` is what messages call it.
Expected<RunSet> parse_run_set(std::string text, std::string path);
/// The same from a file.
Expected<RunSet> read_run_set(const std::string& path);

/// Members that have their default value are left out. parse_run_set gives back an equal RunSet.
nlohmann::ordered_json to_json(const RunSet& set);
/// Writes the document; what was there before stays until all of it is written.
Expected<void> write_run_set(const RunSet& set, const std::string& path);

}  // namespace busline::runs
