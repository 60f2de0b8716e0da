// For tests: documents as commands print them, checked against their schemas.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "documents/fields/test_schema.hpp"
#include "documents/text/json_document.hpp"

namespace busline {

/// A warning with all optional fields, and one with only its message.
inline Diagnostic full_warning() {
  return {.code = "cut", .message = "ends early", .path = "trace.bin", .offset = 8, .line = 2, .rank = 1};
}
inline Diagnostic bare_warning() {
  return {.code = "cut", .message = "ends early"};
}

/// `document` as it is printed, with a complete provenance.
inline nlohmann::json printed(nlohmann::json document) {
  document["provenance"] = to_json(Provenance{.version = "0",
                                              .commit = "1",
                                              .command = {"busline"},
                                              .inputs = {{"trace.bin", std::string(64, 'a')}}});
  return document;
}
/// The same for a program without a commit and a command without files.
inline nlohmann::json barely_printed(nlohmann::json document) {
  Provenance provenance;
  provenance.version = "0";
  provenance.command = {"busline"};
  document["provenance"] = to_json(provenance);
  return document;
}

/// Checks that the documents match the schema of this name in the room's folder; that together they have
/// every member that it knows and lack every optional one; and that none stays valid without a required
/// member.
inline void check_documents(const std::string& room, const std::string& name,
                            const std::vector<nlohmann::json>& documents) {
  CAPTURE(name);
  using Strings = std::vector<std::string>;
  const auto schema = read_schema(room, name);
  for (const auto& document : documents) CHECK(SchemaCheck::differences(schema, document) == Strings());
  CHECK(unnoticed_properties(schema, documents) == Strings());
  CHECK(never_missing_properties(schema, documents) == Strings());
  for (const auto& document : documents)
    for (const auto& member : schema.at("required").get<Strings>()) {
      auto without = document;
      without.erase(member);
      CHECK(SchemaCheck::differences(schema, without) == Strings{"/" + member + " is missing"});
    }
}

}  // namespace busline
