// The names of an enum's values in documents: one table for writers, readers and schemas.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace busline {

template <class E, std::size_t N>
using Names = std::array<std::pair<std::string_view, E>, N>;

/// Empty for a value that has none.
template <class E, std::size_t N>
constexpr std::string_view name_in(const Names<E, N>& names, E value) {
  for (const auto& [name, v] : names)
    if (v == value) return name;
  return {};
}

}  // namespace busline
