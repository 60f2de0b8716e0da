#include "documents/fields/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "documents/fields/printable.hpp"

namespace busline {

using Json = nlohmann::ordered_json;

Expected<void> read_value(const Cursor& at, SchemaName& expected) {
  if (at.value() == expected.name) return {};
  return tl::unexpected(at.expected(fmt::format("\"{}\"", expected.name)));
}
Json write_value(const SchemaName& v) {
  return v.name;
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

Expected<void> read_value(const Cursor& at, NotNegative& out) {
  const auto v = read_number(at, "a number of 0 or more", [](double x) { return x >= 0; });
  if (!v) return tl::unexpected(v.error());
  out.value = *v;
  return {};
}
Json write_value(const NotNegative& v) {
  return v.value;
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
