// Rows of the CSV files of SimGrid's platform calibration: those of its calibration program, which two
// processes run, and those of its saturation programs. docs/reference/measuring.md, "SimGrid's platform
// calibration".
#pragma once
#include <cstdint>
#include <string_view>

#include "measuring/import/text_lines.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::measure {

/// A call that was timed.
struct SmpiRow {
  std::string_view operation;  ///< "MPI_Send"
  std::uint32_t rank = 0;      ///< 0 in files without ranks
  std::uint64_t bytes = 0;     ///< for MPI_Wtime: calls that were timed together
  Duration time;
};

/// Columns of the first line that has any: 4 (operation, bytes, start and duration in seconds), 5 (the rank
/// before them, times in milliseconds), or 0 for any other text.
std::size_t smpi_columns(std::string_view text);

/// The line as a row of so many columns. Errors name the line: another number of columns, a field that is not
/// what its column holds, a duration that is not above 0.
Expected<SmpiRow> smpi_row(const TextLines& line, std::size_t columns);

}  // namespace busline::measure
