// JSON objects from one description each. A struct is described once, by a function that names its members:
//
//   void describe(Fields& f, SizeClass& s) {
//     f.required("from", s.from);
//     f.optional("latency_factor", NotNegative{s.latency_factor});
//     f.refused("sigma", "is not available in this version");
//   }
//
// The reader, the list of known keys and the writer follow from it. A member's type determines how its value
// is read and written: overloads of read_value and write_value, declared where the type is. Conditions
// between members are checked by an overload of check(const Cursor&, const Struct&). Headers declare
// describe() with `class Fields;` alone; the .cpp file that defines it includes this one.
//
// A third argument of required() and optional() describes the member; with it the JSON Schema of a document
// is generated from its description.
#pragma once
#include <concepts>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/cursor.hpp"

namespace busline {

/// Most structs have no conditions between their members.
template <class T>
Expected<void> check(const Cursor&, const T&) {
  return {};
}

// Declared before they are used: lookup by argument finds them only for types of this namespace.
template <class T>
nlohmann::ordered_json write_value(const T& value);
template <class T>
nlohmann::ordered_json write_value(const std::optional<T>& value);
template <class T>
nlohmann::ordered_json write_value(const std::vector<T>& values);

/// The JSON Schema of a value.
nlohmann::ordered_json schema_of(const std::string& value);
template <std::same_as<bool> T>
nlohmann::ordered_json schema_of(T&) {
  return {{"type", "boolean"}};
}
template <class T>
nlohmann::ordered_json schema_of(T& value) requires requires(Fields& f) {
  describe(f, value);
};
template <class T>
nlohmann::ordered_json schema_of(std::optional<T>& value);
template <class T>
nlohmann::ordered_json schema_of(std::vector<T>& values);

namespace fields {

/// {} for a type that has none, which lets every value pass.
template <class T>
nlohmann::ordered_json schema_or_any(T& value) {
  if constexpr (requires { schema_of(value); })
    return schema_of(value);
  else
    return nlohmann::ordered_json::object();
}

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

}  // namespace fields

/// A describe() function passes a struct's members to this.
class Fields {
 public:
  template <class T>
  void required(std::string_view key, T&& value, std::string_view meaning = {}) {
    member(key, true, meaning, Value(value));
  }
  template <class T>
  void optional(std::string_view key, T&& value, std::string_view meaning = {}) {
    member(key, false, meaning, Value(value));
  }
  /// A key with a separate error.
  virtual void refused(std::string_view, std::string_view) {}
  /// What the object means.
  virtual void about(std::string_view) {}
  /// Where schemas define the object, such as "platform.schema.json#/$defs/node_group"; ahead of all members,
  /// else it is ignored: that of an object whose members are put into this one.
  virtual void defined_as(std::string_view) {}
  /// What a check() ensures between members, for schemas: a JSON object of keywords. Likewise ahead of them.
  virtual void condition(std::string_view) {}

 protected:
  ~Fields() = default;
  /// A member of any type.
  struct Value {
    template <class T>
    explicit Value(T& value)
        : of(&value),
          read([](const Cursor& at, void* v) { return read_value(at, *static_cast<T*>(v)); }),
          write([](const void* v) { return write_value(*static_cast<const T*>(v)); }),
          schema([](void* v) { return fields::schema_or_any(*static_cast<T*>(v)); }),
          may_lack(fields::kIsOptional<T>) {}
    void* of;
    Expected<void> (*read)(const Cursor& at, void* of);
    nlohmann::ordered_json (*write)(const void* of);
    nlohmann::ordered_json (*schema)(void* of);
    bool may_lack;  ///< left out, it counts as no value, not as a default one
  };
  virtual void member(std::string_view key, bool is_required, std::string_view meaning,
                      const Value& value) = 0;
};

namespace fields {

/// A described struct of any type; refers to it.
struct Object {
  template <class T>
  explicit Object(T& value)
      : of(&value), describe_it([](Fields& f, void* v) { describe(f, *static_cast<T*>(v)); }) {}
  void* of;
  void (*describe_it)(Fields& f, void* of);
};

/// The keys of a struct.
struct Keys {
  std::vector<std::string> known, needed;
  std::vector<std::pair<std::string, std::string>> not_available;
};
Keys keys_of(const Object& object);

/// An Error for the first member of the object at `at` whose key is not among `keys`.
Expected<void> refuse_unknown(const Cursor& at, const Keys& keys);

/// The error for an object without a required member.
Error missing(const Cursor& at, std::string_view key);

Expected<void> read(const Cursor& at, const Object& object);

/// Every member; null for what is missing.
nlohmann::ordered_json write(const Object& object);
/// Leaves out optional members equal to those in `defaults`, except `kept`.
nlohmann::ordered_json write(const Object& object, const nlohmann::ordered_json& defaults,
                             std::string_view kept);
/// Leaves out the optional ones that are null.
nlohmann::ordered_json write_present(const Object& object);

nlohmann::ordered_json schema(const Object& object);

/// A reference to a schema that is defined once, such as "platform.schema.json#/$defs/time".
nlohmann::ordered_json definition(std::string_view reference, nlohmann::ordered_json schema);

/// A whole document's, as schema/NAME.schema.json has it, with the definitions that belong into this file.
nlohmann::ordered_json schema_document(std::string_view file, std::string_view title,
                                       nlohmann::ordered_json schema);

}  // namespace fields

/// A described struct.
template <class T>
Expected<void> read_value(const Cursor& at, T& out) {
  if (auto read = fields::read(at, fields::Object(out)); !read) return read;
  return check(at, out);
}

template <class T>
Expected<void> read_value(const Cursor& at, std::optional<T>& out) {
  return read_value(at, out.emplace());
}

template <class T>
Expected<void> read_value(const Cursor& at, std::vector<T>& out) {
  if (!at.value().is_array()) return tl::unexpected(at.expected("a list"));
  out.clear();
  for (std::size_t i = 0; i < at.value().size(); ++i)
    if (auto read = read_value(at.element(i), out.emplace_back()); !read) return read;
  return {};
}

/// All members of a T{}. Made once: a study writes a platform for each of its points, and defaults contain
/// further defaults.
template <class T>
const nlohmann::ordered_json& default_members() {
  static const auto members = [] {
    T defaults{};
    return fields::write(fields::Object(defaults));
  }();
  return members;
}

/// Leaves out optional members with the same value as in a T{}, except `kept`.
template <class T>
nlohmann::ordered_json write_object(T value, std::string_view kept = {}) {
  return fields::write(fields::Object(value), default_members<T>(), kept);
}

/// A described struct.
template <class T>
nlohmann::ordered_json write_value(const T& value) {
  return write_object(value);
}

/// A missing member: null, which no T writes.
template <class T>
nlohmann::ordered_json write_value(const std::optional<T>& value) {
  if (!value) return nullptr;
  return write_value(*value);
}

template <class T>
nlohmann::ordered_json write_value(const std::vector<T>& values) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& v : values) list.push_back(write_value(v));
  return list;
}

template <class T>
nlohmann::ordered_json schema_of(T& value) requires requires(Fields& f) {
  describe(f, value);
}
{ return fields::schema(fields::Object(value)); }

template <class T>
nlohmann::ordered_json schema_of(std::optional<T>&) {
  T value{};
  return fields::schema_or_any(value);
}

template <class T>
nlohmann::ordered_json schema_of(std::vector<T>&) {
  T element{};
  return {{"type", "array"}, {"items", fields::schema_or_any(element)}};
}

}  // namespace busline
