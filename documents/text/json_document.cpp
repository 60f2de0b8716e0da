#include "documents/text/json_document.hpp"

#include <nlohmann/json.hpp>

#include "documents/fields/object.hpp"

namespace busline {

using nlohmann::ordered_json;

ordered_json to_json(const Provenance& provenance) {
  return write_value(provenance);
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

namespace {

// Invalid UTF-8 is replaced, and non-ASCII characters are escaped: U+009B begins terminal commands.
std::string compact(const ordered_json& j) {
  constexpr bool kOnlyAscii = true;
  return j.dump(-1, ' ', kOnlyAscii, ordered_json::error_handler_t::replace);
}

std::string member(const std::string& key, const ordered_json& value) {
  auto text = compact(key) + ": ";
  if (!value.is_array() || value.empty() || !value.front().is_object()) return text + compact(value);
  const char* between = "[\n    ";
  for (const auto& element : value) {
    text.append(between).append(compact(element));
    between = ",\n    ";
  }
  return text + "\n  ]";
}

}  // namespace

std::string document_text(const ordered_json& document) {
  std::string text = "{";
  const char* between = "\n  ";
  for (const auto& [key, value] : document.items()) {
    text.append(between).append(member(key, value));
    between = ",\n  ";
  }
  return text + "\n}\n";
}

std::string LongDocument::begin(const ordered_json& head, const std::string& list) {
  std::string text = "{\n  ";
  for (const auto& [key, value] : head.items()) text.append(member(key, value)).append(",\n  ");
  return text + compact(list) + ": [";
}

std::string LongDocument::element(const ordered_json& object) {
  auto text = (has_elements_ ? ",\n    " : "\n    ") + compact(object);
  has_elements_ = true;
  return text;
}

std::string LongDocument::end(const ordered_json& tail) const {
  std::string text = has_elements_ ? "\n  ]" : "]";
  for (const auto& [key, value] : tail.items()) text.append(",\n  ").append(member(key, value));
  return text + "\n}\n";
}

}  // namespace busline
