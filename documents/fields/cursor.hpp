// A value inside a Document with its path, and readers of basic values. A reader either fills its target or
// returns an Error with the value's place and what was expected there.
#pragma once
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline {

class Fields;  // documents/fields/object.hpp

/// Longest time that a document may name: sums of a few times stay far from the clock's limit of 106 days.
inline constexpr Duration kLongestTime = Duration::picoseconds(864'000'000'000'000'000);

/// Refers to its parent and its document, which must outlive it.
class Cursor {
 public:
  using Json = nlohmann::ordered_json;

  explicit Cursor(const Document& document) : document_(&document), value_(&document.root()) {}
  const Json& value() const { return *value_; }

  /// Nothing if this is not an object with such a member. `key` must outlive the cursor.
  std::optional<Cursor> member(std::string_view key) const;
  /// This must be an array, and `index` less than its size.
  Cursor element(std::size_t index) const;

  std::string pointer() const;
  /// `offset` counts characters into a string.
  Error error(std::string message, std::size_t offset = 0) const;
  /// An error about a value inside this one, given by a JSON pointer from here.
  Error error_within(const std::string& pointer, std::string message) const;
  /// "expected WHAT, found 3".
  Error expected(std::string_view what) const;
  /// An error about the name of a member, not about its value.
  Error key_error(std::string_view key, std::string message) const;

 private:
  Cursor(const Cursor& parent, std::string_view key, std::size_t index, const Json& value)
      : document_(parent.document_), parent_(&parent), key_(key), index_(index), value_(&value) {}
  const Document* document_;
  const Cursor* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
  const Json* value_;
};

Expected<void> read_value(const Cursor& at, std::string& out);
Expected<void> read_value(const Cursor& at, bool& out);
Expected<void> read_value(const Cursor& at, Duration& out);
Expected<void> read_value(const Cursor& at, Bandwidth& out);
Expected<void> read_value(const Cursor& at, Bytes& out);
/// A whole number from `least` to `most`; 4.0 is valid. `also` names other permitted values.
Expected<std::int64_t> read_whole(const Cursor& at, std::int64_t least, std::int64_t most,
                                  std::string_view also = {});
/// A finite number; `what` describes the permitted ones in messages, `fits` checks them.
Expected<double> read_number(const Cursor& at, std::string_view what, bool (*fits)(double));

nlohmann::ordered_json write_value(const std::string& v);
nlohmann::ordered_json write_value(bool v);
nlohmann::ordered_json write_value(Duration v);
nlohmann::ordered_json write_value(Bandwidth v);
nlohmann::ordered_json write_value(Bytes v);

/// Quantities are defined in the schema of platforms.
nlohmann::ordered_json schema_of(const Duration&);
nlohmann::ordered_json schema_of(const Bandwidth&);
nlohmann::ordered_json schema_of(const Bytes&);

}  // namespace busline
