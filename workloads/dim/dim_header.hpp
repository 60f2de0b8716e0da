// The first line of a Dimemas trace:
//   #DIMEMAS:"name":<0|1>[,offset]:<tasks>(<threads>,...),<communicators>[,<accelerator
//   tasks>[(...)]][,<OpenMP tasks>[(...)]]
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::dim {

inline constexpr std::string_view kMagic = "#DIMEMAS";

struct Header {
  bool has_offset_table = false;       ///< lines "s:..." follow the records
  std::vector<std::uint32_t> threads;  ///< of each task; at least one task
  std::uint64_t communicators = 0;     ///< definitions to expect
  std::uint64_t openmp_tasks = 0;      ///< tasks whose threads meet in OpenMP regions
};

/// Reads the line, without its end. Accelerator tasks are rejected. `path` is for errors, which are at line
/// 1.
Expected<Header> read_header(std::string_view line, const std::string& path);

}  // namespace busline::dim
