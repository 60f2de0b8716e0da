#include "studies/report/members.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "documents/fields/object.hpp"

namespace busline::report {

Members::Members(const Cursor& at) : at_(at) {
  if (!at.value().is_object()) error_ = at.expected("an object");
}

std::optional<Cursor> Members::needed(std::string_view key) {
  if (error_) return std::nullopt;
  auto at = at_.member(key);
  if (!at) error_ = fields::missing(at_, key);
  return at;
}

std::optional<Cursor> Members::present(std::string_view key) {
  if (error_) return std::nullopt;
  auto at = at_.member(key);
  if (at && at->value().is_null()) return std::nullopt;
  return at;
}

std::size_t Members::list_size(const Cursor& at) {
  if (at.value().is_array()) return at.value().size();
  error_ = at.expected("a list");
  return 0;
}

bool Members::is_null(std::string_view key) const {
  const auto at = at_.member(key);
  return at && at->value().is_null();
}

bool Members::is_text(std::string_view key, std::string_view text) const {
  const auto at = at_.member(key);
  return at && at->value() == text;
}

void Members::text(std::string_view key, std::string& out) {
  const auto at = needed(key);
  if (!at) return;
  if (auto read = read_value(*at, out); !read) error_ = std::move(read.error());
}

void Members::text(std::string_view key, std::optional<std::string>& out) {
  const auto at = present(key);
  if (!at) return;
  if (auto read = read_value(*at, out.emplace()); !read) error_ = std::move(read.error());
}

std::optional<std::int64_t> Members::whole_at(const std::optional<Cursor>& at, std::int64_t most) {
  if (!at) return std::nullopt;
  auto read = read_whole(*at, 0, most);
  if (read) return *read;
  error_ = std::move(read.error());
  return std::nullopt;
}

void Members::whole(std::string_view key, std::uint64_t& out) {
  if (const auto v = whole_at(needed(key), std::numeric_limits<std::int64_t>::max()))
    out = static_cast<std::uint64_t>(*v);
}

void Members::whole(std::string_view key, std::uint32_t& out) {
  if (const auto v = whole_at(needed(key), std::numeric_limits<std::uint32_t>::max()))
    out = static_cast<std::uint32_t>(*v);
}

void Members::time(std::string_view key, Duration& out) {
  if (const auto v = whole_at(needed(key), std::numeric_limits<std::int64_t>::max()))
    out = Duration::picoseconds(*v);
}

void Members::time(std::string_view key, std::optional<Duration>& out) {
  if (const auto v = whole_at(present(key), std::numeric_limits<std::int64_t>::max()))
    out = Duration::picoseconds(*v);
}

void Members::number(std::string_view key, double& out) {
  const auto at = needed(key);
  if (!at) return;
  if (auto read = read_number(*at, "a number", [](double v) { return std::isfinite(v); }))
    out = *read;
  else
    error_ = std::move(read.error());
}

void Members::number(std::string_view key, std::optional<double>& out) {
  const auto at = present(key);
  if (!at) return;
  if (auto read = read_number(*at, "a number", [](double v) { return std::isfinite(v); }))
    out = *read;
  else
    error_ = std::move(read.error());
}

void Members::flag(std::string_view key, bool& out) {
  const auto at = needed(key);
  if (!at) return;
  if (auto read = read_value(*at, out); !read) error_ = std::move(read.error());
}

}  // namespace busline::report
