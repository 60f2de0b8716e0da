#include "studies/json_document.hpp"

namespace busline {

using nlohmann::ordered_json;

ordered_json to_json(const Provenance& provenance) {
  ordered_json inputs = ordered_json::array();
  for (const auto& input : provenance.inputs)
    inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
  ordered_json j{{"tool", "busline"}, {"version", provenance.version}};
  if (!provenance.commit.empty()) j["commit"] = provenance.commit;
  j["command"] = provenance.command;
  j["wall_s"] = provenance.wall_seconds;
  j["user_s"] = provenance.user_seconds;
  if (!inputs.empty()) j["inputs"] = std::move(inputs);
  return j;
}

ordered_json to_json(const Diagnostics& diagnostics) {
  ordered_json list = ordered_json::array();
  for (const auto& d : diagnostics) {
    const bool warning = d.severity == Diagnostic::Severity::warning;
    ordered_json j{{"severity", warning ? "warning" : "note"}, {"code", d.code}, {"message", d.message}};
    if (!d.path.empty()) j["path"] = d.path;
    if (d.offset) j["offset"] = *d.offset;
    if (d.line) j["line"] = *d.line;
    if (d.rank) j["rank"] = *d.rank;
    list.push_back(std::move(j));
  }
  return list;
}

std::string document_text(const ordered_json& document) {
  const auto compact = [](const ordered_json& j) {
    return j.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  std::string text = "{";
  const char* between = "\n  ";
  for (const auto& [key, value] : document.items()) {
    text.append(between).append(compact(key)).append(": ");
    between = ",\n  ";
    if (!value.is_array() || value.empty() || !value.front().is_object()) {
      text += compact(value);
      continue;
    }
    const char* between_elements = "[\n    ";
    for (const auto& element : value) {
      text.append(between_elements).append(compact(element));
      between_elements = ",\n    ";
    }
    text += "\n  ]";
  }
  text += "\n}\n";
  return text;
}

}  // namespace busline
