#include "documents/fields/cursor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "documents/fields/object.hpp"
#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

std::string found(const nlohmann::ordered_json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  if (value.is_string()) return fmt::format("\"{}\"", printable(value.get_ref<const std::string&>()));
  return value.dump();
}

constexpr std::size_t kLongestQuantity = 64;

// Quantities: a text that `parse` understands, such as `example`.
template <class T>
Expected<void> read_quantity(const Cursor& at, T& out, Parsed<T> (*parse)(std::string_view),
                             std::string_view what) {
  const auto& value = at.value();
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kLongestQuantity)
    return tl::unexpected(at.expected(what));
  const auto parsed = parse(value.get_ref<const std::string&>());
  if (!parsed)
    return tl::unexpected(at.error(printable(parsed.error().reason, 200), parsed.error().column - 1));
  out = *parsed;
  return {};
}

nlohmann::ordered_json quantity_schema(std::string_view units) {
  return {{"type", "string"},
          {"maxLength", kLongestQuantity},
          {"pattern", fmt::format("^([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)? *({})$", units)}};
}

}  // namespace

std::optional<Cursor> Cursor::member(std::string_view key) const {
  if (!value_->is_object()) return std::nullopt;
  const auto found_at = value_->find(key);
  if (found_at == value_->end()) return std::nullopt;
  return Cursor(*this, key, 0, *found_at);
}

Cursor Cursor::element(std::size_t index) const {
  return {*this, {}, index, (*value_)[index]};
}

std::string Cursor::pointer() const {
  std::vector<const Cursor*> way;
  for (const auto* c = this; c->parent_ != nullptr; c = c->parent_) way.push_back(c);
  std::string pointer;
  for (auto c = way.rbegin(); c != way.rend(); ++c)
    append_token(pointer,
                 (*c)->parent_->value_->is_array() ? std::to_string((*c)->index_) : std::string((*c)->key_));
  return pointer;
}

Error Cursor::error(std::string message, std::size_t offset) const {
  return document_->error_at(pointer(), std::move(message), offset);
}

Error Cursor::error_within(const std::string& within, std::string message) const {
  return document_->error_at(pointer() + within, std::move(message));
}

Error Cursor::expected(std::string_view what) const {
  return error(fmt::format("expected {}, found {}", what, found(*value_)));
}

Error Cursor::key_error(std::string_view key, std::string message) const {
  auto p = pointer();
  append_token(p, key);
  return document_->error_at_key(p, std::move(message));
}

Expected<void> read_value(const Cursor& at, std::string& out) {
  if (!at.value().is_string()) return tl::unexpected(at.expected("a text"));
  out = at.value().get_ref<const std::string&>();
  return {};
}

Expected<void> read_value(const Cursor& at, bool& out) {
  if (!at.value().is_boolean()) return tl::unexpected(at.expected("true or false"));
  out = at.value().get<bool>();
  return {};
}

Expected<void> read_value(const Cursor& at, Duration& out) {
  if (auto read = read_quantity(at, out, parse_duration, "a time with its unit, as in \"1.5us\""); !read)
    return read;
  if (out > kLongestTime) return tl::unexpected(at.expected("a time of 10 days at most"));
  return {};
}

Expected<void> read_value(const Cursor& at, Bandwidth& out) {
  return read_quantity(at, out, parse_bandwidth,
                       "a bandwidth with its unit, as in \"10 Gbps\" or \"12.5 GB/s\", or \"unlimited\"");
}

Expected<void> read_value(const Cursor& at, Bytes& out) {
  return read_quantity(at, out, parse_bytes, "a size with its unit, as in \"64KiB\"");
}

Expected<std::int64_t> read_whole(const Cursor& at, std::int64_t least, std::int64_t most,
                                  std::string_view also) {
  const auto& value = at.value();
  const auto refuse = [&] {
    return tl::unexpected(at.expected(
        fmt::format("a whole number from {} to {}{}{}", least, most, also.empty() ? "" : " or ", also)));
  };
  if (!value.is_number()) return refuse();
  // Beyond 2^53 a double may differ from the number in the text.
  const auto number = value.get<double>();
  if (value.is_number_float() && (number != std::floor(number) || std::abs(number) > 9007199254740992.0))
    return refuse();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return refuse();
  const auto whole = value.get<std::int64_t>();
  if (whole < least || whole > most) return refuse();
  return whole;
}

Expected<double> read_number(const Cursor& at, std::string_view what, bool (*fits)(double)) {
  if (!at.value().is_number()) return tl::unexpected(at.expected(what));
  const auto number = at.value().get<double>();
  if (!std::isfinite(number) || !fits(number)) return tl::unexpected(at.expected(what));
  return number;
}

nlohmann::ordered_json write_value(const std::string& v) {
  return v;
}

nlohmann::ordered_json write_value(bool v) {
  return v;
}

nlohmann::ordered_json write_value(Duration v) {
  return to_text(v);
}

// Dimemas counts in 2^20 bytes/s: 100 of them are clearer as "100 MiB/s" than as "104.8576 MB/s".
nlohmann::ordered_json write_value(Bandwidth v) {
  auto text = to_text(v);
  if (v.is_unlimited()) return text;
  constexpr double kMebi = 1048576;
  auto binary = fmt::format("{} MiB/s", v.in_bytes_per_second() / kMebi);
  if (const auto back = parse_bandwidth(binary); binary.size() < text.size() && back && *back == v)
    return binary;
  return text;
}

nlohmann::ordered_json write_value(Bytes v) {
  return to_text(v);
}

nlohmann::ordered_json schema_of(const Duration&) {
  auto time = quantity_schema("s|ms|us|µs|ns|ps|min");
  time["description"] = "A span of time with its unit: \"1.5us\". Held as whole picoseconds.";
  return fields::definition("platform.schema.json#/$defs/time", std::move(time));
}

nlohmann::ordered_json schema_of(const Bandwidth&) {
  return fields::definition(
      "platform.schema.json#/$defs/bandwidth",
      {{"description",
        "\"10 Gbps\" counts bits, \"1.25 GB/s\" bytes; k, M, G, T are powers of 1000, Ki, Mi, Gi, Ti of "
        "1024."},
       {"oneOf",
        {{{"const", "unlimited"}}, quantity_schema("[kMGT]?B/s|[KMGT]iB/s|[kMGT]?bps|[kMGT]?bit/s")}}});
}

nlohmann::ordered_json schema_of(const Bytes&) {
  auto size = quantity_schema("[kMGT]?B|[KMGT]iB");
  size["description"] = "A whole number of bytes: \"64KiB\", \"1500 B\".";
  return fields::definition("platform.schema.json#/$defs/size", std::move(size));
}

}  // namespace busline
