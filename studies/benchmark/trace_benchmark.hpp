// How fast a DUMPI trace is read, compiled and predicted, and how much memory that takes: 'busline bench
// --trace'.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace busline {

struct TraceBenchmarkOptions {
  std::string trace;                ///< a .meta file, or a folder with one
  std::vector<std::string> models;  ///< to predict with; empty: all
  std::uint32_t repetitions = 5;    ///< of 0.1 s or more each, by turns; the fastest counts
};

/// What is done with the trace, from its files to an end.
struct TraceBenchmarkRow {
  std::string what;
  double user_seconds = 0;  ///< of doing it once
  std::uint64_t anonymous_bytes =
      0;  ///< of the whole process at the peak; mapped pages of files do not count
};

struct TraceBenchmark {
  std::string trace;
  std::uint32_t ranks = 0;
  std::uint64_t calls = 0, bytes = 0;  ///< records and sizes of the ranks' files
  std::uint64_t operations = 0;        ///< of the Program
  std::vector<TraceBenchmarkRow> rows;
};

/// Measures finding all records and arguments; reading every value of them; compiling the trace to a Program;
/// and predicting it with each model, on the machine that the other benchmarks use. `progress` is called with
/// the share that is done; false ends the benchmark with what was measured. Errors are those of reading and
/// simulating the trace.
Expected<TraceBenchmark> run_trace_benchmark(const TraceBenchmarkOptions& options,
                                             const std::function<bool(double)>& progress);

nlohmann::ordered_json to_json(const TraceBenchmark& benchmark);
std::string to_text(const TraceBenchmark& benchmark);

}  // namespace busline
