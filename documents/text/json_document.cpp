#include "documents/text/json_document.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "documents/fields/names.hpp"
#include "documents/fields/object.hpp"
#include "documents/fields/values.hpp"

namespace busline {

using nlohmann::ordered_json;

inline constexpr Names<Diagnostic::Severity, 2> kSeverityNames{
    {{"warning", Diagnostic::Severity::warning}, {"note", Diagnostic::Severity::note}}};

ordered_json to_json(const Provenance& provenance) {
  return write_value(provenance);
}

ordered_json to_json(const Diagnostics& diagnostics) {
  return write_value(diagnostics);
}

void describe(Fields& f, Diagnostic& d) {
  f.required("severity", Choice<Diagnostic::Severity>{d.severity, kSeverityNames},
             "A warning needs attention; a note is for information.");
  f.required("code", d.code, "Stable, for programs.");
  f.required("message", d.message, "The message, for people.");
  f.optional("path", d.path, "The file concerned; left out if there is none.");
  f.optional("offset", Whole{d.offset, 0, INT64_MAX},
             "Byte of that file, from 0; left out if no place in it is meant.");
  f.optional("line", Whole{d.line, 1, INT64_MAX}, "Line of that file, from 1; left out likewise.");
  f.optional("rank", Whole{d.rank, 0, UINT32_MAX}, "The rank concerned; left out if there is none.");
}

namespace {

// Invalid UTF-8 is replaced, and non-ASCII characters are escaped: U+009B begins terminal commands.
std::string compact(const ordered_json& j) {
  constexpr bool kOnlyAscii = true;
  return j.dump(-1, ' ', kOnlyAscii, ordered_json::error_handler_t::replace);
}

std::string member_text(const std::string& key, const ordered_json& value) {
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
    text.append(between).append(member_text(key, value));
    between = ",\n  ";
  }
  return text + "\n}\n";
}

std::string LongDocument::begin(const ordered_json& head, const std::string& list) {
  std::string text = "{\n  ";
  for (const auto& [key, value] : head.items()) text.append(member_text(key, value)).append(",\n  ");
  return text + compact(list) + ": [";
}

std::string LongDocument::element(const ordered_json& object) {
  auto text = (has_elements_ ? ",\n    " : "\n    ") + compact(object);
  has_elements_ = true;
  return text;
}

std::string LongDocument::end(const ordered_json& tail) const {
  std::string text = has_elements_ ? "\n  ]" : "]";
  for (const auto& [key, value] : tail.items()) text.append(",\n  ").append(member_text(key, value));
  return text + "\n}\n";
}

}  // namespace busline
