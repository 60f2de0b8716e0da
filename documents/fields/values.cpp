#include "documents/fields/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>

#include "documents/fields/printable.hpp"

namespace busline {
namespace {
using Json = nlohmann::ordered_json;
}

Expected<void> read_value(const Cursor& at, SchemaName& expected) {
  if (at.value() == expected.name) return {};
  return tl::unexpected(at.expected(fmt::format("\"{}\"", expected.name)));
}
Json write_value(const SchemaName& v) {
  return v.name;
}
Json schema_of(const SchemaName& v) {
  return constant_schema(v.name);
}

Json whole_schema(std::int64_t least, std::int64_t most) {
  Json schema{{"type", "integer"}};
  if (least != INT64_MIN) schema["minimum"] = least;
  if (most != INT64_MAX) schema["maximum"] = most;
  return schema;
}

Json constant_schema(std::string_view text) {
  return {{"const", text}};
}

Json with_keywords(Json schema, std::string_view keywords) {
  schema.update(Json::parse(keywords));
  return schema;
}

Json one_schema_of(std::vector<Json> schemas) {
  return {{"oneOf", std::move(schemas)}};
}

Expected<void> read_value(const Cursor& at, Shaped& out) {
  return read_value(at, out.value);
}
Json write_value(const Shaped& v) {
  return v.value;
}
Json schema_of(const Shaped& v) {
  return {{"type", "string"}, {"pattern", v.pattern}};
}

Expected<void> read_value(const Cursor& at, Number& out) {
  const auto v = read_number(at, "a number", [](double) { return true; });
  if (!v) return tl::unexpected(v.error());
  out.value = *v;
  return {};
}
Json write_value(const Number& v) {
  return v.value;
}
Json schema_of(const Number&) {
  return {{"type", "number"}};
}

Expected<void> read_value(const Cursor& at, Positive& out) {
  const auto v = read_number(at, "a number greater than 0", [](double x) { return x > 0; });
  if (!v) return tl::unexpected(v.error());
  out.value = *v;
  return {};
}
Json write_value(const Positive& v) {
  return v.value;
}
Json schema_of(const Positive&) {
  return {{"type", "number"}, {"exclusiveMinimum", 0}};
}

Expected<void> read_value(const Cursor& at, NotNegative& out) {
  const auto v = read_number(at, "a number of 0 or more", [](double x) { return x >= 0; });
  if (!v) return tl::unexpected(v.error());
  out.value = *v;
  return {};
}
Json write_value(const NotNegative& v) {
  return v.value;
}
Json schema_of(const NotNegative& v) {
  Json schema{{"type", "number"}, {"minimum", 0}};
  if (std::isfinite(v.end)) schema["exclusiveMaximum"] = v.end;
  return schema;
}

Expected<void> read_value(const Cursor& at, Picoseconds& out) {
  const auto v = read_whole(at, 0, Duration::max().count());
  if (!v) return tl::unexpected(v.error());
  out.value = Duration::picoseconds(*v);
  return {};
}
Json write_value(const Picoseconds& v) {
  return v.value.count();
}
Json schema_of(const Picoseconds&) {
  return whole_schema(0, Duration::max().count());
}

Expected<void> read_value(const Cursor& at, OptionalPicoseconds& out) {
  Picoseconds value{out.value.emplace()};
  return read_value(at, value);
}
Json write_value(const OptionalPicoseconds& v) {
  if (!v.value) return nullptr;
  return v.value->count();
}
Json schema_of(const OptionalPicoseconds&) {
  return whole_schema(0, Duration::max().count());
}

Error not_a_choice(const Cursor& at, const std::vector<std::string>& names) {
  const auto& value = at.value();
  const auto nearest =
      value.is_string() ? nearest_name(names, printable(value.get_ref<const std::string&>())) : std::string();
  auto error = at.expected(names.size() == 1 ? fmt::format("\"{}\"", names[0])
                                             : fmt::format("one of \"{}\"", fmt::join(names, "\", \"")));
  if (!nearest.empty()) error.message += fmt::format("; did you mean \"{}\"?", nearest);
  return error;
}

}  // namespace busline
