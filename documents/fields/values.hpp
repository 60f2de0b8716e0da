// Members that are neither plain quantities nor objects: whole numbers within bounds, names from a list. Each
// type is a view of the struct's member, for its describe() (documents/fields/object.hpp).
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/cursor.hpp"

namespace busline {

/// The document's kind, such as "busline/platform/1".
struct SchemaName {
  std::string_view name;
};
Expected<void> read_value(const Cursor& at, SchemaName& expected);
nlohmann::ordered_json write_value(const SchemaName& v);

struct Positive {
  double& value;
};
Expected<void> read_value(const Cursor& at, Positive& out);
nlohmann::ordered_json write_value(const Positive& v);

/// 0 or more.
struct NotNegative {
  double& value;
};
Expected<void> read_value(const Cursor& at, NotNegative& out);
nlohmann::ordered_json write_value(const NotNegative& v);

/// A whole number; the bounds must fit T. With a std::optional, it may be missing.
template <class T>
struct Whole {
  T& value;
  std::int64_t least, most;
};
template <class T>
Whole(T&, std::int64_t, std::int64_t) -> Whole<T>;

template <class T>
Expected<void> read_value(const Cursor& at, Whole<T>& out) {
  const auto v = read_whole(at, out.least, out.most);
  if (!v) return tl::unexpected(v.error());
  out.value = static_cast<T>(*v);
  return {};
}
template <class T>
nlohmann::ordered_json write_value(const Whole<T>& v) {
  return v.value;
}
template <class T>
nlohmann::ordered_json write_value(const Whole<std::optional<T>>& v) {
  if (!v.value) return nullptr;
  return *v.value;
}

/// A list of them.
template <class T>
struct Wholes {
  std::vector<T>& values;
  std::int64_t least, most;
};
template <class T>
Wholes(std::vector<T>&, std::int64_t, std::int64_t) -> Wholes<T>;

template <class T>
Expected<void> read_value(const Cursor& at, Wholes<T>& out) {
  if (!at.value().is_array()) return tl::unexpected(at.expected("a list"));
  out.values.clear();
  out.values.reserve(at.value().size());
  for (std::size_t i = 0; i < at.value().size(); ++i) {
    const auto v = read_whole(at.element(i), out.least, out.most);
    if (!v) return tl::unexpected(v.error());
    out.values.push_back(static_cast<T>(*v));
  }
  return {};
}
template <class T>
nlohmann::ordered_json write_value(const Wholes<T>& v) {
  return v.values;
}

/// One of a list of names. A value without a name (for a std::optional: nothing) is not written.
template <class E>
struct Choice {
  E& value;
  std::span<const std::pair<std::string_view, E>> names;
};

/// The error for a text that is not among `names`.
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
