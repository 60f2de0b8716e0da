// JSON objects from one description each. A struct is described once, by a function that names its members:
//
//   template <class Fields>
//   void describe(Fields& f, SizeClass& s) {
//     f.required("from", s.from);
//     f.optional("latency_factor", positive(s.latency_factor));
//     f.refused("sigma", "is not available in this version");
//   }
//
// From it follow the reader, the list of known keys and the writer. A member's type says how its value is
// read and written: an overload of read_value and write_value, found where the type lives. What holds between
// members is said by an overload of check(const Cursor&, const Struct&).
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/cursor.hpp"

namespace busline {

/// Nothing between the members of most structs.
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

namespace fields {

/// The keys of a struct.
class Keys {
 public:
  template <class T>
  void required(std::string_view key, T&&) {
    known.emplace_back(key);
    needed.emplace_back(key);
  }
  template <class T>
  void optional(std::string_view key, T&&) {
    known.emplace_back(key);
  }
  void refused(std::string_view key, std::string_view why) { not_available.emplace_back(key, why); }

  std::vector<std::string> known, needed;
  std::vector<std::pair<std::string, std::string>> not_available;
};

/// An Error for the first member of the object at `at` whose key is not among `keys`.
Expected<void> refuse_unknown(const Cursor& at, const Keys& keys);

/// The error for an object without a member that it needs.
Error missing(const Cursor& at, std::string_view key);

class Reader {
 public:
  explicit Reader(const Cursor& at) : at_(at) {}
  template <class T>
  void required(std::string_view key, T&& target) {
    read(key, target, true);
  }
  template <class T>
  void optional(std::string_view key, T&& target) {
    read(key, target, false);
  }
  void refused(std::string_view, std::string_view) {}
  Expected<void> result;

 private:
  template <class T>
  void read(std::string_view key, T& target, bool is_required) {
    if (!result) return;
    if (const auto member = at_.member(key))
      result = read_value(*member, target);
    else if (is_required)
      result = tl::unexpected(missing(at_, key));
  }
  const Cursor& at_;
};

class Writer {
 public:
  /// Writes every member.
  Writer() = default;
  /// Leaves out the optional ones that are as in `defaults`, which must outlive this, except for `kept`.
  Writer(const nlohmann::ordered_json& defaults, std::string_view kept) : defaults_(&defaults), kept_(kept) {}
  template <class T>
  void required(std::string_view key, T&& value) {
    members[std::string(key)] = write_value(value);
  }
  template <class T>
  void optional(std::string_view key, T&& value) {
    auto written = write_value(value);
    if (defaults_ != nullptr && key != kept_ && written == *defaults_->find(key)) return;
    members[std::string(key)] = std::move(written);
  }
  void refused(std::string_view, std::string_view) {}

  nlohmann::ordered_json members = nlohmann::ordered_json::object();

 private:
  const nlohmann::ordered_json* defaults_ = nullptr;
  std::string_view kept_;
};

}  // namespace fields

/// A described struct.
template <class T>
Expected<void> read_value(const Cursor& at, T& out) {
  if (!at.value().is_object()) return tl::unexpected(at.expected("an object"));
  fields::Keys keys;
  describe(keys, out);
  if (auto known = fields::refuse_unknown(at, keys); !known) return known;
  fields::Reader reader(at);
  describe(reader, out);
  if (!reader.result) return reader.result;
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

/// All members of a T{}. Made once: a study writes a platform for each of its points, and a default has
/// defaults of its own inside.
template <class T>
const nlohmann::ordered_json& default_members() {
  static const auto members = [] {
    fields::Writer w;
    T defaults{};
    describe(w, defaults);
    return std::move(w.members);
  }();
  return members;
}

/// Members that are optional and have the value that they have in a T{} are left out, except for `kept`.
template <class T>
nlohmann::ordered_json write_object(T value, std::string_view kept = {}) {
  fields::Writer w(default_members<T>(), kept);
  describe(w, value);
  return std::move(w.members);
}

/// A described struct.
template <class T>
nlohmann::ordered_json write_value(const T& value) {
  return write_object(value);
}

/// A member that is not there: null, which no T writes.
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

}  // namespace busline
