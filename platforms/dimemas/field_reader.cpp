#include "platforms/dimemas/field_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "documents/fields/cursor.hpp"
#include "documents/fields/printable.hpp"
#include "sim/base/assert.hpp"

namespace busline::dimemas {
namespace {

constexpr double kMega = 1048576;  // Dimemas, communic.c: 1 MB is 2^20 bytes

template <class T>
std::optional<T> parse(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

const Field& FieldReader::next(std::string_view what) {
  what_ = what;
  SIM_ASSERT(taken_ < record_.fields.size());
  return record_.fields[taken_++];
}

void FieldReader::refuse(const std::string& message, Error::Kind kind) {
  if (error_) return;
  error_ = error_in_line(path_, record_.line, printable(record_.name), what_ + ": " + message);
  error_->kind = kind;
  if (taken_ > 0) error_->column = record_.fields[taken_ - 1].column;
}

void FieldReader::refuse_record(std::string message) {
  if (!error_) error_ = error_in_line(path_, record_.line, printable(record_.name), std::move(message));
}

void FieldReader::expected(std::string_view what) {
  const auto& f = record_.fields[taken_ - 1];
  refuse(fmt::format("expected {}, found {}", what,
                     f.kind == Field::Kind::list ? "a list" : fmt::format("'{}'", printable(f.text))));
}

std::string FieldReader::text(std::string_view what) {
  const auto& f = next(what);
  if (!error_ && f.kind == Field::Kind::list) expected("a text");
  return error_ ? std::string() : f.text;
}

std::int64_t FieldReader::whole(std::string_view what, std::int64_t least, std::int64_t most) {
  const auto& f = next(what);
  if (error_) return least;
  const auto v = f.kind == Field::Kind::word ? parse<std::int64_t>(f.text) : std::nullopt;
  if (v && *v >= least && *v <= most) return *v;
  expected(fmt::format("a whole number from {} to {}", least, most));
  return least;
}

double FieldReader::number(std::string_view what, double least) {
  const auto& f = next(what);
  if (error_) return 0;
  const auto v = f.kind == Field::Kind::word ? parse<double>(f.text) : std::nullopt;
  if (v && std::isfinite(*v) && *v >= least) return *v;
  expected(least == 0 ? "a number of 0 or more" : "a number");
  return 0;
}

Duration FieldReader::seconds(std::string_view what) {
  const auto time = Duration::seconds(number(what, 0));
  if (time > kLongestTime) expected("a time of 10 days at most");
  return error_ ? Duration{} : time;
}

Bandwidth FieldReader::megabytes(std::string_view what) {
  const auto v = number(what, 0) * kMega;
  if (!error_ && !std::isfinite(v)) refuse("is too large");
  return error_ || v == 0 ? Bandwidth::unlimited() : Bandwidth::bytes_per_second(v);
}

Count FieldReader::servers(std::string_view what) {
  const auto& f = next(what);
  if (error_) return kUnlimited;
  const auto v = f.kind == Field::Kind::word ? parse<std::int64_t>(f.text) : std::nullopt;
  if (v && *v >= 0 && *v <= kMaxServers) return static_cast<Count>(*v);
  expected(fmt::format("a whole number from 1 to {}, or 0 for no limit", kMaxServers));
  return kUnlimited;
}

Links FieldReader::links(std::string_view in_name, std::string_view out_name) {
  const auto in = servers(in_name);
  const auto out = servers(out_name);
  if (in == 0 && out == 0) return {};
  if (in == 0 || out == 0) return {Links::Kind::half_duplex, std::max(in, out), std::max(in, out)};
  return {Links::Kind::full_duplex, in, out};
}

std::vector<std::int64_t> FieldReader::list(std::string_view what, std::int64_t least, std::int64_t most) {
  const auto& f = next(what);
  std::vector<std::int64_t> values;
  if (error_) return values;
  if (f.kind != Field::Kind::list) {
    expected("a list, as in [2] {0, 1}");
    return values;
  }
  if (parse<std::uint64_t>(f.text) != f.items.size())
    refuse(fmt::format("expected [{}] before a list of {}, found [{}]", f.items.size(), f.items.size(),
                       printable(f.text)));
  values.reserve(f.items.size());
  for (std::size_t i = 0; i < f.items.size() && !error_; ++i) {
    const auto v = parse<std::int64_t>(f.items[i]);
    if (!v || *v < least || *v > most)
      refuse(fmt::format("expected whole numbers from {} to {}, found '{}' as number {}", least, most,
                         printable(f.items[i]), i + 1));
    else
      values.push_back(*v);
  }
  return values;
}

std::size_t FieldReader::choice(std::string_view what, const std::vector<std::string>& names) {
  const auto& f = next(what);
  if (error_) return 0;
  const auto found = std::find(names.begin(), names.end(), f.text);
  if (found == names.end() || f.kind == Field::Kind::list) {
    expected(fmt::format("one of {}", fmt::join(names, ", ")));
    return 0;
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace busline::dimemas
