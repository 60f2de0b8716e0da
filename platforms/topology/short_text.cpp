#include "platforms/topology/short_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/printable.hpp"
#include "platforms/topology/topology_fields.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

const FamilyName* family_of(std::string_view kind) {
  const auto* found = std::find_if(kFamilyNames.begin(), kFamilyNames.end(),
                                   [&](const FamilyName& f) { return f.kind == kind; });
  return found == kFamilyNames.end() ? nullptr : found;
}

// Parameters that are lists even with one number.
bool is_list(std::string_view kind, std::string_view key) {
  return key == "down" || key == "up" || key == "parallel" || (key == "dimensions" && kind != "hypercube");
}

Json value_of(std::string_view kind, std::string_view key, std::string_view text) {
  auto list = Json::array();
  for (const auto part : split(text, 'x')) {
    const auto n = whole_number<std::uint64_t>(part);
    if (!n) return text;
    list.push_back(*n);
  }
  return list.size() == 1 && !is_list(kind, key) ? list[0] : list;
}

}  // namespace

bool is_short_topology(std::string_view text) {
  return text.find(':') != std::string_view::npos && family_of(text.substr(0, text.find(':'))) != nullptr;
}

Expected<Json> parse_short_topology(std::string_view text) {
  const auto refuse = [&](std::string message) {
    return refuse_option(printable(text), std::move(message),
                         "such as torus:8x8x16 or fat-tree:k=16,taper=2 (docs/reference/topology.md)");
  };
  const auto kind = text.substr(0, text.find(':'));
  const auto* family = family_of(kind);
  if (family == nullptr || kind.size() == text.size())
    return refuse("expected a family of networks, ':' and its parameters");
  Json description{{"kind", kind}};
  bool first = true;
  for (const auto parameter : split(text.substr(kind.size() + 1), ',')) {
    const auto equals = parameter.find('=');
    const bool named = equals != std::string_view::npos;
    if (parameter.empty() || (!named && (!first || family->first_parameter.empty())))
      return refuse(fmt::format("'{}': expected PARAMETER=VALUE", printable(parameter)));
    first = false;
    const auto key = named ? parameter.substr(0, equals) : family->first_parameter;
    const auto value = named ? parameter.substr(equals + 1) : parameter;
    auto* at = &description;
    const auto path = split(key, '.');
    for (const auto part : path) {
      if (at->is_null()) *at = Json::object();
      if (!at->is_object() || (part == path.back() && at->contains(part)))
        return refuse(fmt::format("'{}' is given twice", printable(key)));
      at = &(*at)[std::string(part)];
    }
    *at = value_of(kind, key, value);
  }
  return description;
}

}  // namespace busline
