// The formats of timelines. Each is a row of the registry and a file with its function.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/timeline/record_sorter.hpp"
#include "studies/timeline/timeline.hpp"
#include "workloads/files/text_lines.hpp"

namespace busline::timeline {

/// The input of a format and the output path. Times are in units of Format::unit.
struct Writing {
  const Timeline& timeline;
  RecordSorter& records;
  std::int64_t begin = 0, end = 0;
  std::string path;
  /// Called now and then with the share that is done, 0 to 1; false stops. May be empty.
  std::function<bool(double)> progress;
};

struct Format {
  std::string_view suffix;       ///< ".prv"
  std::string_view description;  ///< "Paraver, with .pcf and .row"
  unsigned wanted = 0;           ///< set of Kind
  std::int64_t unit = 1;         ///< of its times, in ps
  Key key = nullptr;             ///< the order of records in which it is written
  /// The file takes its place when it is complete; false: it was stopped, and is not there. Errors are of
  /// kind unreadable. Null if this program was built without the library it needs.
  Expected<bool> (*write)(const Writing&) = nullptr;
};

/// Those that this program has.
const std::vector<Format>& formats();
/// By the end of the file's name. An Error of kind bad_option lists the formats, or says that the program was
/// built without this one.
Expected<const Format*> format_of(const std::string& path);

/// Gives the records to `take` until that says false, with a word to Writing::progress every now and then;
/// false if that stopped it.
Expected<bool> for_each(const Writing& writing, const std::function<bool(const Record&)>& take);
/// The same for lines of text: until `out` has an Error, which commit() gives.
Expected<bool> write_records(const Writing& writing, TextLines& out,
                             const std::function<void(const Record&)>& line);
/// All lines are in `out`, whose file takes its place if `complete` is true; else that is given back.
Expected<bool> commit(OutputFile& file, TextLines& out, Expected<bool> complete);

Expected<bool> write_paraver(const Writing& writing);
Expected<bool> write_perfetto(const Writing& writing);
Expected<bool> write_paje(const Writing& writing);
Expected<bool> write_otf2(const Writing& writing);

}  // namespace busline::timeline
