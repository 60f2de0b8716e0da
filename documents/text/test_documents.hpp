// For tests: documents as commands print them, held against their schemas.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "documents/fields/test_schema.hpp"
#include "documents/text/json_document.hpp"

namespace busline {

/// With everything that may be known of a warning, and with nothing but what it says.
inline Diagnostic full_warning() {
  return {.code = "cut", .message = "ends early", .path = "trace.bin", .offset = 8, .line = 2, .rank = 1};
}
inline Diagnostic bare_warning() {
  return {.code = "cut", .message = "ends early"};
}

/// `document` as it is printed: with where it came from, all that may be known of that.
inline nlohmann::json printed(nlohmann::json document) {
  document["provenance"] = to_json(Provenance{.version = "0",
                                              .commit = "1",
                                              .command = {"busline"},
                                              .inputs = {{"trace.bin", std::string(64, 'a')}}});
  return document;
}
/// The same of a program without a commit and a command without files.
inline nlohmann::json barely_printed(nlohmann::json document) {
  Provenance provenance;
  provenance.version = "0";
  provenance.command = {"busline"};
  document["provenance"] = to_json(provenance);
  return document;
}

/// The documents are what the schema of this name says, among those of a room by its folder; together they
/// have every member that it knows and lack every one that it does not require; and of none a member that it
/// requires can be left out.
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
