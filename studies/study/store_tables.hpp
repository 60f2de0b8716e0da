// The tables of a results file (docs/how-to/studies.md), which versions of them there are, and how an older
// file is brought up to date.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"
#include "studies/study/database.hpp"
#include "studies/study/store.hpp"

namespace busline {

/// ", run_time_ps, bytes_per_s, ...": the names of kFigureColumns, each with `suffix` behind it.
std::string figure_columns(std::string_view suffix = {});

/// Makes the view `results` for the points of a study: beside the texts of an axis its numbers in SI units,
/// and the whole paths of workloads.
Expected<void> put_results_view(const Database& database, const StoredStudy& study);

/// Makes the tables of a file that is empty (create), or brings those of an earlier version up to date
/// (create, extend), or leaves them as they are (read). How many of kFigureColumns the file has then. Errors:
/// bad_input if it is something else, or of a later version; what SQLite said.
Expected<std::size_t> open_store_tables(const Database& database, Store::Mode mode);

}  // namespace busline
