// How fast the models replay, and one checksum over what they predict: 'busline bench'.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace busline {

struct BenchmarkOptions {
  std::vector<std::uint32_t> ranks{16, 64, 256, 1024, 4096};
  std::uint64_t operations = 1'000'000;  ///< of a Program, about
  std::vector<std::string> models;       ///< empty: all that do not run apart
  std::uint32_t repetitions = 3;         ///< of 0.1 s or more each; the fastest counts
  /// Polled from time to time; false ends the benchmark, which has the rows until then. Empty: never.
  std::function<bool()> go_on;
};

struct BenchmarkRow {
  std::string model;
  std::uint32_t ranks = 0;
  std::uint64_t operations = 0;
  double user_seconds = 0;          ///< of one replay
  std::uint64_t program_bytes = 0;  ///< of memory, as far as it grew while the Program was made
  std::uint64_t replay_bytes = 0;   ///< on top of that, at the peak of the replay
  double operations_per_second() const;
};

/// Replays a 3-D halo exchange with Allreduce on benchmark_machine(). `row_done` is called with each row as
/// it is measured; false ends the benchmark. An Error for an unknown model or no ranks.
Expected<std::vector<BenchmarkRow>> run_benchmark(const BenchmarkOptions& options,
                                                  const std::function<bool(const BenchmarkRow&)>& row_done);

/// A list, as in the document of the whole benchmark.
nlohmann::ordered_json to_json(const std::vector<BenchmarkRow>& rows);
/// Heading and one line of a table, for printing row by row.
std::string benchmark_heading();
std::string to_text(const BenchmarkRow& row);

/// One checksum over the predicted times of fixed Programs on fixed platforms under all models: 16
/// hexadecimal digits. The same on every machine and build; changes when a prediction does.
Expected<std::string> prediction_signature();

}  // namespace busline
