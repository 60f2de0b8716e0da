// For tests: a JSON Schema, which other programs read, against the describe() functions that this one reads
// by.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/document/object.hpp"

namespace busline {

inline nlohmann::json read_schema(const std::string& path) {
  std::ifstream file(path);
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

}  // namespace busline
