// For tests: documents that differ in one place.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace busline {

/// `text` with `to` in place of the first `from`; fails the test if `from` is missing.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace busline
