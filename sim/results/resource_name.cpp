#include "sim/results/resource_name.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace busline {
namespace {

constexpr std::string_view kBusesOfOne = "network/buses";

struct Naming {
  std::string_view owner, what;
};

// By ResourceKind; `other` has none.
constexpr std::array<Naming, static_cast<std::size_t>(ResourceKind::other)> kNamings{{
    {"node", "links out"},
    {"node", "links in"},
    {"machine", "buses"},
    {"rank", "memory/links out"},
    {"rank", "memory/links in"},
    {"node", "memory buses"},
    {"machine", "wan/links out"},
    {"machine", "wan/links in"},
    {"dedicated connection", "out"},
    {"dedicated connection", "in"},
    {"node", "turns"},
    {"node", "links"},
    {"rank", "memory/links"},
    {"machine", "wan/links"},
    {"dedicated connection", ""},
    {"node", "host link out"},
    {"node", "host link in"},
    {"link", "switch links"},
}};

const Naming& naming_of(ResourceKind kind) {
  return kNamings[static_cast<std::size_t>(kind)];
}

std::string what_of(const ResourceId& id) {
  if (id.port == ResourceId::kOnly) return std::string(naming_of(id.kind).what);
  return fmt::format("host link {} {}", id.port, id.kind == ResourceKind::host_link_out ? "out" : "in");
}

/// Removes the text from the front.
bool take(std::string_view& from, std::string_view text) {
  if (!from.starts_with(text)) return false;
  from.remove_prefix(text.size());
  return true;
}

bool take_number(std::string_view& from, std::uint32_t& number) {
  const auto [end, failure] = std::from_chars(from.data(), from.data() + from.size(), number);
  if (failure != std::errc()) return false;
  from.remove_prefix(static_cast<std::size_t>(end - from.data()));
  return true;
}

/// Whether this can be the name of such a resource; if so, sets its id and label.
bool read_as(ResourceKind kind, std::string_view name, ResourceResult& r) {
  const auto& naming = naming_of(kind);
  r.id = {.kind = kind};
  r.label.clear();
  if (!take(name, naming.owner) || !take(name, " ") || !take_number(name, r.id.owner)) return false;
  if (kind == ResourceKind::switch_link) {
    take(name, " ");
    r.label = name.substr(0, name.find('/'));
  } else if (take(name, "/host link ")) {
    take_number(name, r.id.port);
  }
  return true;
}

}  // namespace

bool is_one_of_many(ResourceKind kind) {
  if (kind == ResourceKind::other) return false;
  const auto owner = naming_of(kind).owner;
  return owner == "node" || owner == "link";
}

std::string name_of(const ResourceResult& r) {
  if (r.id.kind == ResourceKind::other) return r.label;
  if (r.id.kind == ResourceKind::bus && r.id.owner == ResourceId::kOnly) return std::string(kBusesOfOne);
  auto name = fmt::format("{} {}", naming_of(r.id.kind).owner, r.id.owner);
  if (!r.label.empty()) name += " " + r.label;
  if (const auto what = what_of(r.id); !what.empty()) name += "/" + what;
  return name;
}

void set_name(ResourceResult& r, std::string_view name) {
  r.label.clear();
  r.id = {ResourceKind::bus, ResourceId::kOnly};
  if (name == kBusesOfOne) return;
  for (std::size_t k = 0; k < kNamings.size(); ++k)
    if (read_as(static_cast<ResourceKind>(k), name, r) && name_of(r) == name) return;
  r.id = {ResourceKind::other};
  r.label = name;
}

std::string class_name_of(const ResourceResult& r) {
  return is_one_of_many(r.id.kind) ? what_of(r.id) : name_of(r);
}

}  // namespace busline
