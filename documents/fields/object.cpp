#include "documents/fields/object.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "documents/fields/printable.hpp"

namespace busline::fields {

Expected<void> refuse_unknown(const Cursor& at, const Keys& keys) {
  for (const auto& member : at.value().items()) {
    const auto& key = member.key();
    if (std::find(keys.known.begin(), keys.known.end(), key) != keys.known.end()) continue;
    for (const auto& [name, why] : keys.not_available)
      if (key == name) return tl::unexpected(at.key_error(key, fmt::format("'{}' {}", name, why)));
    const auto nearest = nearest_name(keys.known, printable(key));
    return tl::unexpected(at.key_error(
        key, fmt::format("unknown key '{}'{}", printable(key),
                         nearest.empty() ? fmt::format(", expected one of {}", fmt::join(keys.known, ", "))
                                         : fmt::format("; did you mean '{}'?", nearest))));
  }
  return {};
}

Error missing(const Cursor& at, std::string_view key) {
  return at.error(fmt::format("'{}' is missing", key));
}

}  // namespace busline::fields
