// Reads members of objects in documents that any version of Busline may have written: what is not asked for
// is passed over, what is asked for is checked.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "documents/fields/cursor.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::report {

/// The first thing that is wrong becomes the Error; what is read afterwards stays as it was. Members that are
/// read into a std::optional may be missing or null, others may not.
class Members {
 public:
  /// The document must outlive this.
  explicit Members(const Cursor& at);

  void text(std::string_view key, std::string& out);
  void text(std::string_view key, std::optional<std::string>& out);
  /// Whole and not negative.
  void whole(std::string_view key, std::uint64_t& out);
  /// The same, below 2^32.
  void whole(std::string_view key, std::uint32_t& out);
  /// Whole picoseconds, not negative.
  void time(std::string_view key, Duration& out);
  void time(std::string_view key, std::optional<Duration>& out);
  /// Finite.
  void number(std::string_view key, double& out);
  void number(std::string_view key, std::optional<double>& out);
  void flag(std::string_view key, bool& out);

  /// Calls `read` with the Members of each element of a list of objects.
  template <class Read>
  void list(std::string_view key, const Read& read) {
    if (const auto at = needed(key)) each(*at, read);
  }
  /// The same, of a list that may be missing.
  template <class Read>
  void list_if_there(std::string_view key, const Read& read) {
    if (error_) return;
    if (const auto at = at_.member(key)) each(*at, read);
  }
  /// Whether there is such a member, and it is null.
  bool is_null(std::string_view key) const;
  /// Whether there is such a member, and it is this text.
  bool is_text(std::string_view key, std::string_view text) const;
  /// Calls `read` with the Members of an object.
  template <class Read>
  void object(std::string_view key, const Read& read) {
    if (needed(key)) object_if_there(key, read);
  }
  /// Calls `read` with the Members of an object that may be missing.
  template <class Read>
  void object_if_there(std::string_view key, const Read& read) {
    if (error_) return;
    if (const auto at = at_.member(key)) {
      Members inside(*at);
      if (!inside.error_) read(inside);
      error_ = inside.error_;
    }
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Cursor> needed(std::string_view key);
  std::optional<Cursor> present(std::string_view key);
  std::size_t list_size(const Cursor& at);
  template <class Read>
  void each(const Cursor& at, const Read& read) {
    const auto size = list_size(at);
    for (std::size_t i = 0; i < size && !error_; ++i) {
      const auto element = at.element(i);
      Members inside(element);
      if (!inside.error_) read(inside);
      error_ = inside.error_;
    }
  }
  std::optional<std::int64_t> whole_at(const std::optional<Cursor>& at, std::int64_t most);

  const Cursor& at_;
  std::optional<Error> error_;
};

}  // namespace busline::report
