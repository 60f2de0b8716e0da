// How the values of a platform document are read and written that are not plain quantities: counts that may
// be "unlimited", names of choices, links, collective tables, mappings.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platforms/document/cursor.hpp"
#include "platforms/platform.hpp"

namespace busline {

// ---- views of a member that say how it is written in the document

struct Whole {
  std::uint32_t& value;
  std::uint32_t least, most;
};
/// 1 to kMaxServers, or "unlimited".
struct OrUnlimited {
  Count& value;
};
struct Positive {
  double& value;
};
/// 0 or more.
struct NotNegative {
  double& value;
};
/// > 0, or "infinite".
struct Speed {
  double& value;
};
/// A size, or "never".
struct OrNever {
  std::optional<Bytes>& value;
};
/// Letters, digits, '.', '_' and '-', at most 128 of them.
struct Name {
  std::string& value;
};
struct EventValue {
  std::int64_t& value;
};
struct Tags {
  std::vector<std::int32_t>& value;
};
/// A connection's conditions on the message's size: none, one or two.
struct Conditions {
  DedicatedConnection& of;
};
/// The document's own kind: "busline/platform/1".
struct SchemaName {};
/// "exclusive"; the other way to share links is not there yet.
struct Sharing {};

template <class E>
struct Choice {
  E& value;
  std::span<const std::pair<std::string_view, E>> names;
};

Expected<void> read_value(const Cursor& at, Whole& out);
Expected<void> read_value(const Cursor& at, OrUnlimited& out);
Expected<void> read_value(const Cursor& at, Positive& out);
Expected<void> read_value(const Cursor& at, NotNegative& out);
Expected<void> read_value(const Cursor& at, Speed& out);
Expected<void> read_value(const Cursor& at, OrNever& out);
Expected<void> read_value(const Cursor& at, Name& out);
Expected<void> read_value(const Cursor& at, EventValue& out);
Expected<void> read_value(const Cursor& at, Tags& out);
Expected<void> read_value(const Cursor& at, Conditions& out);
Expected<void> read_value(const Cursor& at, SchemaName& out);
Expected<void> read_value(const Cursor& at, Sharing& out);
Expected<void> read_value(const Cursor& at, Links& out);
Expected<void> read_value(const Cursor& at, Mapping& out);
Expected<void> read_value(const Cursor& at, CollectiveTable& out);

nlohmann::ordered_json write_value(const Whole& v);
nlohmann::ordered_json write_value(const OrUnlimited& v);
nlohmann::ordered_json write_value(const Positive& v);
nlohmann::ordered_json write_value(const NotNegative& v);
nlohmann::ordered_json write_value(const Speed& v);
nlohmann::ordered_json write_value(const OrNever& v);
nlohmann::ordered_json write_value(const Name& v);
nlohmann::ordered_json write_value(const EventValue& v);
nlohmann::ordered_json write_value(const Tags& v);
nlohmann::ordered_json write_value(const Conditions& v);
nlohmann::ordered_json write_value(const SchemaName& v);
nlohmann::ordered_json write_value(const Sharing& v);
nlohmann::ordered_json write_value(const Links& v);
nlohmann::ordered_json write_value(const Mapping& v);
nlohmann::ordered_json write_value(const CollectiveTable& v);

/// The error for a text that is none of `names`.
Error not_a_choice(const Cursor& at, const std::vector<std::string>& names);

template <class E>
Expected<void> read_value(const Cursor& at, Choice<E>& out) {
  std::vector<std::string> names;
  for (const auto& [name, value] : out.names) {
    if (at.value() == name) {
      out.value = value;
      return {};
    }
    names.emplace_back(name);
  }
  return tl::unexpected(not_a_choice(at, names));
}

template <class E>
nlohmann::ordered_json write_value(const Choice<E>& v) {
  for (const auto& [name, value] : v.names)
    if (value == v.value) return name;
  return nullptr;
}

}  // namespace busline
