// For tests: a JSON Schema, which other programs read, against the describe() functions that this one reads
// by, and against documents that it writes.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/document/object.hpp"

namespace busline {

/// The schema of this name among those of a room, by its folder.
inline nlohmann::json read_schema(const std::string& room, const std::string& name) {
  std::ifstream file(room + "/schema/" + name + ".schema.json");
  return nlohmann::json::parse(file);
}

/// The members of a T are the properties of `object`, those that it needs are required, and others are
/// refused.
template <class T>
void check_object(const nlohmann::json& object) {
  const auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  T value{};
  fields::Keys keys;
  describe(keys, value);
  std::vector<std::string> properties;
  for (const auto& p : object.at("properties").items()) properties.push_back(p.key());
  CHECK(sorted(keys.known) == sorted(properties));
  CHECK(sorted(keys.needed) == sorted(object.value("required", std::vector<std::string>())));
  CHECK(object.at("additionalProperties") == false);
}

/// The names of a Choice are those that `place` allows, in the same order.
template <class Names>
void check_names(const Names& names, const nlohmann::json& place) {
  std::vector<std::string> here;
  here.reserve(names.size());
  for (const auto& n : names) here.emplace_back(n.first);
  CHECK(here == place.at("enum").get<std::vector<std::string>>());
}

/// What `document` has that is not as `schema` says, a line for each: members that are missing or that the
/// schema does not know, kinds, names, bounds. Knows what our schemas use of JSON Schema.
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
    if (schema.contains("$ref"))
      check(root_.at(Json::json_pointer(schema.at("$ref").get<std::string>().substr(1))), value, at);
    if (schema.contains("oneOf")) check_one_of(schema.at("oneOf"), value, at);
    if (schema.contains("type") && !is_of(schema.at("type"), value)) say(at, "is of another type");
    if (schema.contains("const") && schema.at("const") != value)
      say(at, "is not " + schema.at("const").dump());
    if (schema.contains("enum") && !contains(schema.at("enum"), value))
      say(at, value.dump() + " is not allowed");
    if (schema.contains("minimum") && value.is_number() && value < schema.at("minimum"))
      say(at, value.dump() + " is too small");
    if (schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        check(schema.at("items"), value.at(i), at + "/" + std::to_string(i));
    for (const auto& name : schema.value("required", std::vector<std::string>()))
      if (!value.contains(name)) say(at + "/" + name, "is missing");
    if (!schema.contains("properties")) return;
    for (const auto& [name, member] : value.items())
      if (schema.at("properties").contains(name))
        check(schema.at("properties").at(name), member, at + "/" + name);
      else if (schema.value("additionalProperties", Json()).is_object())
        check(schema.at("additionalProperties"), member, at + "/" + name);
      else
        say(at + "/" + name, "is not in the schema");
  }

  void check_one_of(const Json& schemas, const Json& value, const std::string& at) {
    std::size_t fitting = 0;
    for (const auto& schema : schemas) {
      SchemaCheck c(root_);
      c.check(schema, value, at);
      if (c.found_.empty()) ++fitting;
    }
    if (fitting != 1) say(at, "is not one of what it may be");
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

/// Properties that could be taken out of `schema` unnoticed, as pointers: none of `documents`, which fit, has
/// them.
inline std::vector<std::string> unnoticed_properties(const nlohmann::json& schema,
                                                     const std::vector<nlohmann::json>& documents) {
  std::vector<nlohmann::json::json_pointer> properties;
  add_properties(schema, nlohmann::json::json_pointer(), properties);
  std::vector<std::string> unnoticed;
  for (const auto& property : properties) {
    auto without = schema;
    without.at(property.parent_pointer()).erase(property.back());
    if (std::all_of(documents.begin(), documents.end(), [&](const nlohmann::json& document) {
          return SchemaCheck::differences(without, document).empty();
        }))
      unnoticed.push_back(property.to_string());
  }
  return unnoticed;
}

}  // namespace busline
