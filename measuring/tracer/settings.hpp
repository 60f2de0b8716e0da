// What the tracer records: the keys of libdumpi's dumpi.conf (docs/how-to/tracer.md).
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/dumpi/format/function_table.hpp"

namespace busline::tracer {

/// With `success` a call is recorded if it achieved something: a test whose flag is set, a call that returned
/// MPI_SUCCESS. For statuses, those that the program asked for are recorded.
enum class Level { disable, success, enable };

struct Settings {
  std::string file_root = "dumpi";  ///< of the files' names; may have a folder
  bool wall_time = true, cpu_time = true;
  Level statuses = Level::enable;
  std::array<Level, dumpi::kFunctions> functions{};
  bool enter = true, leave = true;      ///< which records of an annotation are written
  std::size_t buffer_bytes = 1U << 20;  ///< are collected before they are written

  Settings() { functions.fill(Level::enable); }
  /// Gives what is wrong with the key or the value; then nothing is changed.
  std::optional<std::string> set(std::string_view key, std::string_view value);
  /// The lines of a file: "key value" or "key=value"; what follows # is a comment. Gives what is wrong in
  /// them.
  std::vector<std::string> set_lines(std::string_view text);
  /// A variable of the environment, "DUMPI_KEY=value", with the key in capitals (but DUMPI_MPI_Send): the
  /// same. Others are passed over.
  std::optional<std::string> set_variable(std::string_view variable);
};

/// As the file dumpi.conf in the working folder, or the one that DUMPI_CONF names, and then the environment
/// say.
Settings read_settings(std::vector<std::string>& complaints);

}  // namespace busline::tracer
