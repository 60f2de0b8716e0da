// Points and their outcomes as rows of a results file (store_tables.hpp).
#pragma once
#include <cstddef>
#include <string>

#include "sim/base/error.hpp"
#include "studies/study/database.hpp"
#include "studies/study/outcome.hpp"

namespace busline {

/// The columns to select for outcome_in(), from a file that has the first `figures` of kFigureColumns.
std::string outcome_columns(std::size_t figures);
/// Reads from column `first` of the row.
Outcome outcome_in(const Statement& row, int first);

/// A statement whose rows are for point_in(), by number.
std::string select_points(std::size_t figures);
PointOutcome point_in(const Statement& row);

/// Puts points into a file that has all columns. The database outlives it.
class PointWriter {
 public:
  PointWriter() = default;  ///< for a file that is only read
  static Expected<PointWriter> prepare(const Database& database);

  /// Replaces an existing one.
  Expected<void> put(const PointOutcome& point);

 private:
  Statement put_outcome_, put_point_;
};

}  // namespace busline
