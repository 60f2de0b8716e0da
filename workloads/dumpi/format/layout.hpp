// The layout of each call's arguments in a record: the function table, prepared at compile time for reading
// and writing. All code that walks through a record's arguments uses it.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "workloads/dumpi/format/function_table.hpp"
#include "workloads/dumpi/format/version.hpp"

namespace busline::dumpi {

/// The bytes of an argument. Texts and lists have a 4-byte number of elements before them.
enum class Shape : std::uint8_t {
  byte,
  int16,
  int32,
  int64,
  text,
  bytes,
  int16s,
  int32s,
  int32_lists,
  texts,
  text_lists,
  statuses,
};

inline constexpr std::size_t kMostArguments = 12;

struct ArgumentLayout {
  std::string_view name;
  std::string_view type;  ///< as in the table: "dtype", "req[]"; without the mark of root-only ones
  Shape shape = Shape::int32;
  bool root_only = false;  ///< present only if arguments Layout::rank and Layout::root are equal
};

struct Layout {
  bool recorded = false;       ///< records of this function exist
  std::uint8_t arguments = 0;  ///< how many
  std::uint8_t rank = 0, root = 0;
  std::array<ArgumentLayout, kMostArguments> all{};
};

namespace detail {

constexpr Shape shape_of(std::string_view type) {
  struct Kind {
    std::string_view type;
    Shape shape;
  };
  constexpr Kind kKinds[] = {
      {"i32", Shape::int32},       {"tag", Shape::int32},          {"source", Shape::int32},
      {"dest", Shape::int32},      {"req", Shape::int32},          {"ioreq", Shape::int32},
      {"comm", Shape::int16},      {"dtype", Shape::int16},        {"group", Shape::int16},
      {"errh", Shape::int16},      {"file", Shape::int16},         {"info", Shape::int16},
      {"win", Shape::int16},       {"keyval", Shape::int16},       {"op", Shape::byte},
      {"combiner", Shape::byte},   {"cmp", Shape::byte},           {"filemode", Shape::byte},
      {"locktype", Shape::byte},   {"order", Shape::byte},         {"thrlevel", Shape::byte},
      {"topo", Shape::byte},       {"typeclass", Shape::byte},     {"whence", Shape::byte},
      {"winassert", Shape::byte},  {"i64", Shape::int64},          {"str", Shape::text},
      {"str[]", Shape::texts},     {"str[][]", Shape::text_lists}, {"i32[]", Shape::int32s},
      {"req[]", Shape::int32s},    {"ioreq[]", Shape::int32s},     {"dtype[]", Shape::int16s},
      {"info[]", Shape::int16s},   {"distrib[]", Shape::bytes},    {"i32[][]", Shape::int32_lists},
      {"status", Shape::statuses}, {"status[]", Shape::statuses},
  };
  for (const auto& k : kKinds)
    if (k.type == type) return k.shape;
  throw "no such type";
}

constexpr Layout layout_from(const FunctionRow& row) {
  Layout layout;
  if (row.arguments == kNeverRecorded) return layout;
  layout.recorded = true;
  std::string_view rest = row.arguments;
  while (!rest.empty()) {
    const auto word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size() == rest.size() ? word.size() : word.size() + 1);
    const auto colon = word.find(':');
    auto& a = layout.all[layout.arguments];
    a.name = word.substr(0, colon);
    a.type = word.substr(colon + 1);
    a.root_only = a.type.back() == '?';
    if (a.root_only) a.type.remove_suffix(1);
    a.shape = shape_of(a.type);
    if (a.name == "commrank" || a.name == "oldcommrank") layout.rank = layout.arguments;
    if (a.name == "root") layout.root = layout.arguments;
    ++layout.arguments;
  }
  return layout;
}

constexpr std::array<Layout, kFunctions> make_layouts() {
  std::array<Layout, kFunctions> all{};
  for (std::size_t i = 0; i < kFunctions; ++i) all[i] = layout_from(kFunctionTable[i]);
  return all;
}

}  // namespace detail

/// By function id.
inline constexpr std::array<Layout, kFunctions> kLayouts = detail::make_layouts();

/// For each function, the index of the argument of this name in its records; kMostArguments if it has none.
consteval std::array<std::size_t, kFunctions> places_of(std::string_view name) {
  std::array<std::size_t, kFunctions> places{};
  for (std::size_t f = 0; f < kFunctions; ++f) {
    places[f] = kMostArguments;
    for (std::size_t i = 0; i < kLayouts[f].arguments; ++i)
      if (kLayouts[f].all[i].name == name) places[f] = i;
  }
  return places;
}

/// The shape that argument `i` has in files of a version: old versions differ in single arguments
/// (docs/reference/dumpi.md, "Versions").
constexpr Shape shape_in(Version version, std::uint16_t function, std::size_t i) {
  const auto shape = kLayouts[function].all[i].shape;
  if (version < kStructHasLists && function == function_id("MPI_Type_struct") &&
      i == argument("MPI_Type_struct", "indices"))
    return Shape::int32;
  if (version < kCartHasCoordinates && function == function_id("MPI_Cart_get") &&
      i == argument("MPI_Cart_get", "coords"))
    return Shape::int32;
  return shape;
}

}  // namespace busline::dumpi
