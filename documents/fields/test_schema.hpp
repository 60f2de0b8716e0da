// For tests: compares a JSON Schema, which other programs use, with the describe() functions that this
// program reads by, and with documents that it writes.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "documents/fields/compact_text.hpp"
#include "documents/fields/object.hpp"

namespace busline {

/// The schema of this name in a room's folder.
inline nlohmann::json read_schema(const std::string& room, const std::string& name) {
  std::ifstream file(room + "/schema/" + name + ".schema.json");
  return nlohmann::json::parse(file);
}

/// Checks that the schema of this name is what the description of a T generates. With
/// BUSLINE_UPDATE_SCHEMAS=1 in the environment it is rewritten first.
template <class T>
void check_generated(const std::string& room, const std::string& name, const std::string& title) {
  const auto path = room + "/schema/" + name + ".schema.json";
  T value{};
  const auto text = compact_text(fields::schema_document(name + ".schema.json", title, schema_of(value)));
  if (std::getenv("BUSLINE_UPDATE_SCHEMAS") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  const std::string there{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(there == text, path << ": run this test with BUSLINE_UPDATE_SCHEMAS=1 to write it anew");
}

/// Checks that the members of a T are the properties of `object`, with the same required ones, and that
/// others are rejected.
template <class T>
void check_object(const nlohmann::json& object, T value = {}) {
  const auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto keys = fields::keys_of(fields::Object(value));
  std::vector<std::string> properties;
  for (const auto& p : object.at("properties").items()) properties.push_back(p.key());
  CHECK(sorted(keys.known) == sorted(properties));
  CHECK(sorted(keys.needed) == sorted(object.value("required", std::vector<std::string>())));
  CHECK(object.at("additionalProperties") == false);
}

/// Checks that the names of a Choice are those that `place` allows, in the same order.
template <class Names>
void check_names(const Names& names, const nlohmann::json& place) {
  std::vector<std::string> here;
  here.reserve(names.size());
  for (const auto& n : names) here.emplace_back(n.first);
  CHECK(here == place.at("enum").get<std::vector<std::string>>());
}

/// Targets of references from other schemas: quantities, networks and whole platforms are described once.
inline const nlohmann::json& platform_schema() {
  static const auto schema = read_schema(BUSLINE_SOURCE_DIR "/platforms", "platform");
  return schema;
}

/// The violations of `schema` in `document`, one line each: missing or unknown members, kinds, names, bounds,
/// patterns of texts. Supports the parts of JSON Schema that our schemas use, except conditions (if, not).
class SchemaCheck {
 public:
  using Json = nlohmann::json;

  static std::vector<std::string> differences(const Json& schema, const Json& document) {
    SchemaCheck c(schema);
    c.check(schema, document, "");
    return c.found_;
  }

 private:
  explicit SchemaCheck(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("$ref")) follow(schema.at("$ref").get<std::string>(), value, at);
    if (schema.contains("oneOf")) check_one_of(schema.at("oneOf"), value, at);
    if (schema.contains("type") && !is_of(schema.at("type"), value)) say(at, "is of another type");
    if (schema.contains("const") && schema.at("const") != value)
      say(at, "is not " + schema.at("const").dump());
    if (schema.contains("enum") && !contains(schema.at("enum"), value))
      say(at, value.dump() + " is not allowed");
    if (value.is_number()) check_bounds(schema, value, at);
    if (schema.contains("pattern") && value.is_string() && !has_shape(value, schema.at("pattern")))
      say(at, value.dump() + " is not of this shape");
    if (value.is_array()) check_elements(schema, value, at);
    if (value.is_object()) check_members(schema, value, at);
  }

  // "#/$defs/fan" of this schema, "platform.schema.json" or "platform.schema.json#/$defs/time".
  void follow(const std::string& ref, const Json& value, const std::string& at) {
    const auto hash = std::min(ref.find('#'), ref.size());
    const Json::json_pointer place(ref.substr(std::min(hash + 1, ref.size())));
    if (hash == 0) {
      check(root_.at(place), value, at);
      return;
    }
    if (ref.substr(0, hash) != "platform.schema.json")
      say(at, "is of " + ref + ", which this checker does not know");
    SchemaCheck c(platform_schema());
    c.check(platform_schema().at(place), value, at);
    found_.insert(found_.end(), c.found_.begin(), c.found_.end());
  }

  void check_bounds(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("minimum") && value < schema.at("minimum")) say(at, value.dump() + " is too small");
    if (schema.contains("exclusiveMinimum") && value <= schema.at("exclusiveMinimum"))
      say(at, value.dump() + " is too small");
    if (schema.contains("maximum") && value > schema.at("maximum")) say(at, value.dump() + " is too large");
  }

  void check_elements(const Json& schema, const Json& value, const std::string& at) {
    if (value.size() < schema.value("minItems", std::size_t{0})) say(at, "has too few elements");
    if (!schema.contains("items")) return;
    for (std::size_t i = 0; i < value.size(); ++i)
      check(schema.at("items"), value.at(i), at + "/" + std::to_string(i));
  }

  void check_members(const Json& schema, const Json& value, const std::string& at) {
    for (const auto& name : schema.value("required", std::vector<std::string>()))
      if (!value.contains(name)) say(at + "/" + name, "is missing");
    static const Json no_members = Json::object(), anything = true;
    const auto& known = schema.contains("properties") ? schema.at("properties") : no_members;
    const auto& others =
        schema.contains("additionalProperties") ? schema.at("additionalProperties") : anything;
    for (const auto& [name, member] : value.items())
      if (known.contains(name))
        check(known.at(name), member, at + "/" + name);
      else if (others.is_object())
        check(others, member, at + "/" + name);
      else if (others == false)
        say(at + "/" + name, "is not in the schema");
  }

  void check_one_of(const Json& schemas, const Json& value, const std::string& at) {
    std::size_t fitting = 0;
    for (const auto& schema : schemas) {
      SchemaCheck c(root_);
      c.check(schema, value, at);
      if (c.found_.empty()) ++fitting;
    }
    if (fitting != 1) say(at, "is not one of the allowed values");
  }

  static bool has_shape(const std::string& text, const std::string& pattern) {
    static std::map<std::string, std::regex> shapes;
    return std::regex_search(text, shapes.try_emplace(pattern, pattern).first->second);
  }
  static bool is_of(const Json& types, const Json& value) {
    if (types.is_array())
      return std::any_of(types.begin(), types.end(), [&](const Json& type) { return is_of(type, value); });
    return types == "integer" ? value.is_number_integer() : types == value.type_name();
  }
  static bool contains(const Json& list, const Json& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  }
  void say(const std::string& at, const std::string& what) { found_.push_back(at + " " + what); }

  const Json& root_;
  std::vector<std::string> found_;
};

inline void add_properties(const nlohmann::json& schema, const nlohmann::json::json_pointer& at,
                           std::vector<nlohmann::json::json_pointer>& found) {
  if (!schema.is_structured()) return;
  for (const auto& [key, child] : schema.items()) {
    if (key == "properties")
      for (const auto& property : child.items()) found.push_back(at / key / property.key());
    add_properties(child, at / key, found);
  }
}

inline bool all_fit(const nlohmann::json& schema, const std::vector<nlohmann::json>& documents) {
  return std::all_of(documents.begin(), documents.end(), [&](const nlohmann::json& document) {
    return SchemaCheck::differences(schema, document).empty();
  });
}

/// Properties that could be removed from `schema` unnoticed, as pointers: none of the valid `documents` has
/// them, or unknown ones are not rejected there.
inline std::vector<std::string> unnoticed_properties(const nlohmann::json& schema,
                                                     const std::vector<nlohmann::json>& documents) {
  std::vector<nlohmann::json::json_pointer> properties;
  add_properties(schema, nlohmann::json::json_pointer(), properties);
  std::vector<std::string> unnoticed;
  for (const auto& property : properties) {
    auto without = schema;
    without.at(property.parent_pointer()).erase(property.back());
    if (all_fit(without, documents)) unnoticed.push_back(property.to_string());
  }
  return unnoticed;
}

/// Properties that `schema` does not require although none of the valid `documents` lacks them.
inline std::vector<std::string> never_missing_properties(const nlohmann::json& schema,
                                                         const std::vector<nlohmann::json>& documents) {
  std::vector<nlohmann::json::json_pointer> properties;
  add_properties(schema, nlohmann::json::json_pointer(), properties);
  std::vector<std::string> never_missing;
  for (const auto& property : properties) {
    auto stricter = schema;
    auto& required = stricter.at(property.parent_pointer().parent_pointer())["required"];
    if (std::find(required.begin(), required.end(), property.back()) != required.end()) continue;
    required.push_back(property.back());
    if (all_fit(stricter, documents)) never_missing.push_back(property.to_string());
  }
  return never_missing;
}

inline void add_changes(const nlohmann::json& whole, const nlohmann::json::json_pointer& at,
                        std::vector<nlohmann::json>& changed) {
  using Json = nlohmann::json;
  constexpr std::int64_t kMuch = 1'000'000'000'000'000'000;
  const auto add = [&](const auto& change) { change(changed.emplace_back(whole).at(at)); };
  if (!at.empty())
    for (const Json& other : std::vector<Json>{0, -1, kMuch, true, Json::object()})
      add([&](Json& here) { here = other; });
  const auto& here = whole.at(at);
  if (here.is_object()) add([](Json& object) { object["unknown"] = 0; });
  if (!here.is_structured()) return;
  for (const auto& [key, child] : here.items()) {
    if (here.is_object()) add([name = key](Json& object) { object.erase(name); });
    add_changes(whole, at / key, changed);
  }
}

/// Documents on which a schema and a reader disagree, among `document`, which both must accept, and its
/// variants with one difference: a missing or unknown member, or a value of another kind, 0, below 0 or very
/// large. `is_read` gets the text of each.
template <class Read>
std::vector<std::string> disagreements(const nlohmann::json& schema, const nlohmann::json& document,
                                       const Read& is_read) {
  std::vector<std::string> found = SchemaCheck::differences(schema, document);
  if (!is_read(document.dump())) found.push_back("not read: " + document.dump());
  std::vector<nlohmann::json> changed;
  add_changes(document, nlohmann::json::json_pointer(), changed);
  for (const auto& c : changed) {
    const bool fits = SchemaCheck::differences(schema, c).empty();
    if (fits != is_read(c.dump())) found.push_back((fits ? "not read: " : "read: ") + c.dump());
  }
  return found;
}

}  // namespace busline
