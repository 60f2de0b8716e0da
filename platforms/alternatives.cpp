#include "platforms/alternatives.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "platforms/description/platform_json.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

// A member that may be left out, and the value that says the same; empty: none does.
struct Member {
  std::string_view pointer, if_missing;
};
constexpr std::array kMembers{Member{"/nodes/0/links", "\"unlimited\""},
                              Member{"/nodes/0/intra_node/links", "\"unlimited\""},
                              Member{"/nodes/0/intra_node/buses", "\"unlimited\""},
                              Member{"/network/latency", ""},
                              Member{"/network/bandwidth", ""},
                              Member{"/network/buses", "\"unlimited\""},
                              Member{"/network/sharing", "\"exclusive\""},
                              Member{"/network/size_classes", "[]"},
                              Member{"/mpi/rendezvous_from", ""},
                              Member{"/mpi/handshake", "\"0us\""},
                              Member{"/mpi/ssend_handshake", ""},
                              Member{"/mpi/send_completes", "\"launch\""}};
constexpr std::string_view kCollectives = "/mpi/collectives";

// Texts without quotation marks where they need none (Document::set).
std::string value_text(const ordered_json& value) {
  if (!value.is_string()) return value.dump();
  const auto& text = value.get_ref<const std::string&>();
  return ordered_json::accept(text) ? value.dump() : text;
}

std::optional<ordered_json> value_at(const ordered_json& document, const Member& m) {
  const ordered_json::json_pointer pointer{std::string(m.pointer)};
  if (document.contains(pointer)) return document[pointer];
  if (m.if_missing.empty()) return std::nullopt;
  return ordered_json::parse(m.if_missing);
}

void compare_member(const Member& m, const ordered_json& chosen, const ordered_json& other,
                    CalibratedAlternative& found) {
  const auto before = value_at(chosen, m), after = value_at(other, m);
  if (!after || before == after) return;
  if (before) found.chosen.push_back(fmt::format("{}={}", m.pointer, value_text(*before)));
  found.other.push_back(fmt::format("{}={}", m.pointer, value_text(*after)));
}

bool has_assignments(const Platform& platform, const std::vector<std::string>& assignments) {
  auto document = document_of(platform, platform.name);
  for (const auto& a : assignments)
    if (!apply_set(document, a)) return false;
  const auto same = parse_platform(document);
  return same && *same == platform;
}

}  // namespace

CalibratedAlternative alternative(std::string of, const Platform& chosen, const Platform& other) {
  CalibratedAlternative found;
  found.of = std::move(of);
  const auto before = to_json(chosen), after = to_json(other);
  for (const auto& m : kMembers) compare_member(m, before, after, found);
  const ordered_json::json_pointer collectives{std::string(kCollectives)};
  if (!after.contains(collectives)) return found;
  for (const auto& [name, value] : after[collectives].items()) {
    const auto pointer = fmt::format("{}/{}", kCollectives, name);
    compare_member({pointer, ""}, before, after, found);
  }
  return found;
}

std::vector<AlternativePlatform> alternatives_of(const Platform& platform) {
  std::vector<AlternativePlatform> all;
  if (!platform.calibration) return all;
  for (const auto& a : platform.calibration->alternatives) {
    if (!has_assignments(platform, a.chosen) || has_assignments(platform, a.other)) continue;
    auto document = document_of(platform, platform.name);
    if (std::any_of(a.other.begin(), a.other.end(),
                    [&](const std::string& assignment) { return !apply_set(document, assignment); }))
      continue;
    if (auto changed = parse_platform(document)) all.push_back({a.of, a.other, *std::move(changed)});
  }
  return all;
}

std::string to_text(const AlternativePlatform& alternative) {
  constexpr std::size_t kMostLength = 48;  // lists of size classes and algorithms are in the platform
  auto assignments = alternative.assignments;
  for (auto& a : assignments)
    if (a.size() > kMostLength) a = a.substr(0, a.find('=') + 1) + "...";
  return fmt::format("{} as {}", alternative.of, fmt::join(assignments, ", "));
}

}  // namespace busline
