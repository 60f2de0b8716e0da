// The blocking forms of non-blocking and persistent collectives. The records of all forms have the same
// arguments in the same places; behind them the others have their request.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/dumpi/format/layout.hpp"

namespace busline::dumpi {

namespace detail {

// Whether `name` is MPI_Ibcast to MPI_Bcast.
constexpr bool is_immediate_form(std::string_view name, std::string_view blocking) {
  constexpr std::size_t kPlace = 5;  // of the b
  if (name.starts_with("MPI_Comm_idup")) return blocking == "MPI_Comm_dup";
  if (!name.starts_with("MPI_I") || name.size() != blocking.size() + 1 || name.size() == kPlace) return false;
  return blocking[kPlace - 1] == name[kPlace] - 'a' + 'A' &&
         name.substr(kPlace + 1) == blocking.substr(kPlace);
}
constexpr bool is_persistent_form(std::string_view name, std::string_view blocking) {
  constexpr std::string_view kSuffix = "_init";
  return name.ends_with(kSuffix) && name.substr(0, name.size() - kSuffix.size()) == blocking;
}
constexpr bool begins_with(const Layout& layout, const Layout& part) {
  if (layout.arguments != part.arguments + 1 || layout.all[part.arguments].type != "req") return false;
  for (std::size_t i = 0; i < part.arguments; ++i)
    if (layout.all[i].name != part.all[i].name || layout.all[i].shape != part.all[i].shape) return false;
  return true;
}

consteval std::array<std::uint16_t, kFunctions> make_blocking_forms() {
  std::array<std::uint16_t, kFunctions> all{};
  for (std::uint16_t f = 0; f < kFunctions; ++f) {
    all[f] = f;
    if (f < kFirstMpi3) continue;
    for (std::uint16_t b = 0; b < kFunctions; ++b)
      if ((is_immediate_form(kFunctionTable[f].name, kFunctionTable[b].name) ||
           is_persistent_form(kFunctionTable[f].name, kFunctionTable[b].name)) &&
          begins_with(kLayouts[f], kLayouts[b]))
        all[f] = b;
  }
  return all;
}
inline constexpr auto kBlockingForms = make_blocking_forms();

}  // namespace detail

/// MPI_Bcast for MPI_Ibcast and MPI_Bcast_init; the function itself if it has no such form.
constexpr std::uint16_t blocking_form(std::uint16_t function) {
  return detail::kBlockingForms[function];
}
constexpr bool is_persistent_collective(std::uint16_t function) {
  return blocking_form(function) != function && kFunctionTable[function].name.ends_with("_init");
}
/// The number of the argument `request` of a call that is not blocking_form(function).
constexpr std::size_t request_argument(std::uint16_t function) {
  return kLayouts[function].arguments - 1U;
}

}  // namespace busline::dumpi
