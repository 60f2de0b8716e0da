// The layout of the JSON documents that commands print, and their provenance.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "documents/fields/provenance.hpp"
#include "sim/base/error.hpp"

namespace busline {

nlohmann::ordered_json to_json(const Provenance& provenance);
nlohmann::ordered_json to_json(const Diagnostics& diagnostics);
void describe(Fields& f, Diagnostic& diagnostic);

/// `document` (an object) as text for people and programs: one member per line, and in lists of objects one
/// element per line. Names come from traces: invalid UTF-8 is replaced, and non-ASCII characters are escaped.
/// Ends with a newline.
std::string document_text(const nlohmann::ordered_json& document);

/// The text of a document with a list of objects that is too long for memory, piece by piece: `begin`, one
/// `element` after the other, `end`. Laid out like document_text.
class LongDocument {
 public:
  /// The members before the list, at least one, and the list's name.
  std::string begin(const nlohmann::ordered_json& head, const std::string& list);
  std::string element(const nlohmann::ordered_json& object);
  /// The members after the list.
  std::string end(const nlohmann::ordered_json& tail) const;

 private:
  bool has_elements_ = false;
};

}  // namespace busline
