// How fast parts of a replay and what is around it are: the events' queue, a hot spot, the readers of traces,
// studies.
// 'busline bench --what'.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace busline {

struct PartBenchmarkOptions {
  std::vector<std::string> parts;        ///< of part_names(); empty: all
  std::uint64_t operations = 1'000'000;  ///< of the Program whose traces are read, about; see part_names()
  std::uint32_t points = 1000;           ///< of the study; at least 1
  unsigned threads = 1;                  ///< the study runs on one, and on this number if that is another
  std::uint32_t repetitions = 3;         ///< of 0.1 s or more each, by turns; the fastest counts
};

struct PartBenchmarkRow {
  std::string part;  ///< of part_names()
  std::string what;  ///< "1,000 events pending"
  std::string unit;  ///< what is counted: "events", "messages", "operations", "points"
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< of the files that are read; 0 if none are
  double user_seconds = 0;  ///< of all of them once
  double wall_seconds = 0;
  bool shared = false;  ///< threads share the work: per_second() is of the wall time
  double per_second() const;
};

/// "queue": takes the earliest of a thousand and of 100 000 pending events out and puts a later one in, again
/// and again, `operations` times. "incast": a tenth as many messages from 64 ranks to one under fair sharing.
/// "dim", "dumpi": a Program from a Dimemas and from a DUMPI trace. "study": all of a study of
/// small points, from its document to its file.
std::vector<std::string_view> part_names();

/// Measures these. Traces and the study's file are written to a temporary folder before, and removed.
/// `progress` is called with the share that is done; false ends the benchmark with nothing. Errors:
/// bad_option for an unknown part, unreadable if the folder or a file of it cannot be made.
Expected<std::vector<PartBenchmarkRow>> run_part_benchmark(const PartBenchmarkOptions& options,
                                                           const std::function<bool(double)>& progress);

/// A list, as in the document of the whole benchmark.
nlohmann::ordered_json to_json(const std::vector<PartBenchmarkRow>& rows);
std::string to_text(const std::vector<PartBenchmarkRow>& rows);

}  // namespace busline
