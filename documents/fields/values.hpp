// Members that are neither plain quantities nor objects: whole numbers within bounds, names from a list. Each
// type is a view of the struct's member, for its describe() (documents/fields/object.hpp).
#pragma once
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"

namespace busline {

/// The document's kind, such as "busline/platform/1".
struct SchemaName {
  std::string_view name;
};
Expected<void> read_value(const Cursor& at, SchemaName& expected);
nlohmann::ordered_json write_value(const SchemaName& v);
nlohmann::ordered_json schema_of(const SchemaName& v);

/// A whole number in these bounds; those of std::int64_t are none.
nlohmann::ordered_json whole_schema(std::int64_t least, std::int64_t most);

/// Only this text.
nlohmann::ordered_json constant_schema(std::string_view text);
/// One of several schemas.
nlohmann::ordered_json one_schema_of(std::vector<nlohmann::ordered_json> schemas);
/// `schema` with the keywords of a JSON object.
nlohmann::ordered_json with_keywords(nlohmann::ordered_json schema, std::string_view keywords);

/// A text that a regular expression describes to other programs; this one takes any.
struct Shaped {
  std::string& value;
  std::string_view pattern;
};
Expected<void> read_value(const Cursor& at, Shaped& out);
nlohmann::ordered_json write_value(const Shaped& v);
nlohmann::ordered_json schema_of(const Shaped& v);

/// Any finite number.
struct Number {
  double& value;
};
Expected<void> read_value(const Cursor& at, Number& out);
nlohmann::ordered_json write_value(const Number& v);
nlohmann::ordered_json schema_of(const Number&);

struct Positive {
  double& value;
};
Expected<void> read_value(const Cursor& at, Positive& out);
nlohmann::ordered_json write_value(const Positive& v);
nlohmann::ordered_json schema_of(const Positive&);

/// 0 or more. The schema says that it is less than `end`; here a check() ensures it.
struct NotNegative {
  double& value;
  double end = std::numeric_limits<double>::infinity();
};
Expected<void> read_value(const Cursor& at, NotNegative& out);
nlohmann::ordered_json write_value(const NotNegative& v);
nlohmann::ordered_json schema_of(const NotNegative& v);

/// A whole number of picoseconds, 0 or more.
struct Picoseconds {
  Duration& value;
};
Expected<void> read_value(const Cursor& at, Picoseconds& out);
nlohmann::ordered_json write_value(const Picoseconds& v);
nlohmann::ordered_json schema_of(const Picoseconds&);

struct OptionalPicoseconds {
  std::optional<Duration>& value;
};
Expected<void> read_value(const Cursor& at, OptionalPicoseconds& out);
nlohmann::ordered_json write_value(const OptionalPicoseconds& v);
nlohmann::ordered_json schema_of(const OptionalPicoseconds&);

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

template <class T>
nlohmann::ordered_json schema_of(const Whole<T>& v) {
  return whole_schema(v.least, v.most);
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

template <class T>
nlohmann::ordered_json schema_of(const Wholes<T>& v) {
  return {{"type", "array"}, {"items", whole_schema(v.least, v.most)}};
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

template <class E>
nlohmann::ordered_json schema_of(const Choice<E>& v) {
  auto names = nlohmann::ordered_json::array();
  for (const auto& [name, value] : v.names) names.push_back(name);
  return {{"enum", std::move(names)}};
}

// ---- views of what is not a struct's plain member

/// A value of which schemas say more, as a JSON object of keywords; here a check() ensures it.
template <class T>
struct Also {
  T value;
  std::string_view keywords;
};
template <class T>
Also(T&&, std::string_view) -> Also<T>;
template <class T>
Expected<void> read_value(const Cursor& at, Also<T>& out) {
  return read_value(at, out.value);
}
template <class T>
nlohmann::ordered_json write_value(const Also<T>& v) {
  return write_value(v.value);
}
template <class T>
nlohmann::ordered_json schema_of(Also<T>& v) {
  return with_keywords(fields::schema_or_any(v.value), v.keywords);
}

/// A list, or an optional one, that has an element: a check() ensures it.
template <class T>
struct NotEmpty {
  T& list;
};
template <class T>
NotEmpty(T&) -> NotEmpty<T>;
template <class T>
Expected<void> read_value(const Cursor& at, NotEmpty<T>& out) {
  return read_value(at, out.list);
}
template <class T>
nlohmann::ordered_json write_value(const NotEmpty<T>& v) {
  return write_value(v.list);
}
template <class T>
nlohmann::ordered_json schema_of(NotEmpty<T>& v) {
  return with_keywords(schema_of(v.list), R"({"minItems": 1})");
}

/// An object that `describe_it` describes on the spot.
template <class Describe>
struct Inside {
  Describe describe_it;
};
template <class Describe>
Inside(Describe) -> Inside<Describe>;
template <class Describe>
void describe(Fields& f, Inside<Describe>& v) {
  v.describe_it(f);
}
template <class Describe>
nlohmann::ordered_json write_value(const Inside<Describe>& v) {
  auto object = v;
  return fields::write_present(fields::Object(object));
}

/// A list of objects that `describe_it(f, index, value)` describes.
template <class T, class Describe>
struct DescribedList {
  std::vector<T>& values;
  Describe describe_it;

  auto element(std::size_t i, T& value) const {
    return Inside{[this, i, &value](Fields& f) { describe_it(f, i, value); }};
  }
};
template <class T, class Describe>
DescribedList(std::vector<T>&, Describe) -> DescribedList<T, Describe>;

template <class T, class Describe>
Expected<void> read_value(const Cursor& at, DescribedList<T, Describe>& out) {
  if (!at.value().is_array()) return tl::unexpected(at.expected("a list"));
  out.values.clear();
  for (std::size_t i = 0; i < at.value().size(); ++i) {
    auto element = out.element(i, out.values.emplace_back());
    if (auto read = read_value(at.element(i), element); !read) return read;
  }
  return {};
}
template <class T, class Describe>
nlohmann::ordered_json write_value(const DescribedList<T, Describe>& v) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < v.values.size(); ++i) list.push_back(write_value(v.element(i, v.values[i])));
  return list;
}
template <class T, class Describe>
nlohmann::ordered_json schema_of(const DescribedList<T, Describe>& v) {
  T value{};
  auto element = v.element(0, value);
  return {{"type", "array"}, {"items", schema_of(element)}};
}

/// Members about other members or for other programs, which this reader ignores.
template <class T>
struct WriteOnly {
  T value;
};
template <class T>
WriteOnly(T&&) -> WriteOnly<T>;
template <class T>
Expected<void> read_value(const Cursor&, WriteOnly<T>&) {
  return {};
}
template <class T>
nlohmann::ordered_json write_value(const WriteOnly<T>& v) {
  return write_value(v.value);
}
template <class T>
nlohmann::ordered_json schema_of(WriteOnly<T>& v) {
  return fields::schema_or_any(v.value);
}

}  // namespace busline
