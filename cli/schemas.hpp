// The JSON Schemas of Busline's documents, from the source tree; cmake/write_schemas.cmake generates the
// source file.
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
