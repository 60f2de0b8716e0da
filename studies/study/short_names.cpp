#include "studies/study/short_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "documents/fields/printable.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

constexpr std::size_t kLongestShortName = 300;

// A value taken apart: what it is called, from its end on, and what else tells it from others.
struct NamedValue {
  Strings parts;  // of a path, the last one first
  Strings options;
};

std::string without_type(std::string name) {
  for (const std::string_view type : {".xz", ".gz", ".meta", ".dim", ".program", ".json", ".cfg"})
    if (name.size() > type.size() && name.ends_with(type)) name.erase(name.size() - type.size());
  return name;
}

Strings parts_of(const std::string& path) {
  Strings parts;
  for (const auto part : split(path, '/'))
    if (!part.empty() && part != ".") parts.emplace(parts.begin(), part);
  if (parts.empty()) return {path};
  if (path.starts_with('/')) parts.back().insert(0, 1, '/');
  return parts;
}

NamedValue taken_apart(const std::string& text) {
  const auto json = Json::parse(text, nullptr, false);
  if (json.is_string()) return {parts_of(json.get<std::string>()), {}};
  NamedValue v;
  if (!json.is_object()) return {{text}, {}};
  for (const auto& member : json.items()) {
    const auto& value = member.value();
    const bool names = member.key() == "path" || member.key() == "generate" || member.key() == "measure";
    if (names && value.is_string() && v.parts.empty())
      v.parts =
          member.key() == "path" ? parts_of(value.get<std::string>()) : Strings{value.get<std::string>()};
    else
      v.options.push_back(
          fmt::format("{}={}", member.key(), value.is_string() ? value.get<std::string>() : value.dump()));
  }
  if (v.parts.empty()) return {{text}, {}};
  return v;
}

// The last `count` parts of a path.
std::string end_of(const Strings& parts, std::size_t count) {
  std::string name;
  for (auto i = std::min(count, parts.size()); i-- > 0;)
    name.append(name.empty() ? "" : "/").append(parts[i]);
  return name;
}

bool all_differ(const Strings& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

// One part that differs everywhere, the last such one; else as many parts from the end as it takes.
Strings names_of_paths(const std::vector<Strings>& paths) {
  std::size_t deepest = 0;
  for (const auto& parts : paths) deepest = std::max(deepest, parts.size());
  const auto made = [&](auto name) {
    Strings names;
    for (const auto& parts : paths) names.push_back(name(parts));
    return names;
  };
  for (std::size_t i = 0; i < deepest; ++i) {
    const auto part = [i](const Strings& parts) { return i < parts.size() ? parts[i] : std::string(); };
    for (auto& names : {made([&](auto& p) { return without_type(part(p)); }), made(part)})
      if (all_differ(names) && std::find(names.begin(), names.end(), "") == names.end()) return names;
  }
  for (std::size_t count = 2; count < deepest; ++count)
    if (auto names = made([&](auto& p) { return end_of(p, count); }); all_differ(names)) return names;
  return made([&](auto& p) { return end_of(p, deepest); });
}

}  // namespace

Strings short_names(const Strings& values) {
  std::vector<NamedValue> apart;
  std::map<Strings, std::size_t> paths;  // to their places in `distinct`
  std::vector<Strings> distinct;
  for (const auto& value : values) {
    apart.push_back(taken_apart(value));
    if (paths.emplace(apart.back().parts, distinct.size()).second) distinct.push_back(apart.back().parts);
  }
  const auto of_paths = names_of_paths(distinct);
  Strings names;
  for (const auto& v : apart) names.push_back(of_paths[paths.at(v.parts)]);
  // Those with the same path say what else differs: options that not all of them have.
  for (std::size_t p = 0; p < distinct.size(); ++p) {
    std::map<std::string, std::size_t> seen;
    std::set<std::string> texts;
    std::size_t same = 0;
    for (std::size_t i = 0; i < apart.size(); ++i) {
      if (paths.at(apart[i].parts) != p || !texts.insert(values[i]).second) continue;
      ++same;
      for (const auto& option : apart[i].options) ++seen[option];
    }
    for (std::size_t i = 0; i < apart.size(); ++i)
      if (paths.at(apart[i].parts) == p)
        for (const auto& option : apart[i].options)
          if (seen.at(option) < same) names[i].append(" ").append(option);
  }
  for (auto& name : names) name = printable(name, kLongestShortName);
  return names;
}

}  // namespace busline
