// The JSON Schemas of Busline's documents, as they are in the tree: cmake/write_schemas.cmake makes the
// source of this.
#pragma once
#include <span>
#include <string_view>

namespace busline::cli {

struct Schema {
  std::string_view name;  ///< of the file, without .schema.json
  std::string_view text;
};

/// All of them, by name.
std::span<const Schema> schemas();

}  // namespace busline::cli
