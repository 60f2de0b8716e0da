// Times one run of an MPI program between two of its calls, and writes one file for all ranks when the
// program ends. Loaded with LD_PRELOAD (docs/how-to/record.md); without BUSLINE_TIMES_FILE in the environment
// it does nothing.
#pragma once
#include <cstdint>
#include <mutex>

#include "measuring/run_times/border.hpp"
#include "measuring/run_times/kernel_counts.hpp"

namespace busline::record {

/// CLOCK_MONOTONIC, in nanoseconds.
std::int64_t now();

class RunTimes {
 public:
  /// The one of this process.
  static RunTimes& of_process();

  /// MPI runs: reads the environment, and waits for all ranks, so that the run begins at an instant that they
  /// share, as it does in a trace and in a replay.
  void start();
  /// MPI_Finalize was entered at `moment`: rank 0 writes the file.
  void finish(std::int64_t moment);

  bool begins_at(CallIndex call) const { return from_.is(call); }
  bool ends_at(CallIndex call) const { return to_.is(call); }
  void left_from(std::int64_t moment) { see(from_, moment); }
  void entered_to(std::int64_t moment) { see(to_, moment); }

 private:
  constexpr RunTimes() = default;
  void see(Border& border, std::int64_t moment) {
    const std::lock_guard lock(mutex_);  // threads may make the call at once
    border.see(moment);
  }

  std::mutex mutex_;
  Border from_, to_;
  const char* file_ = nullptr;  // of the environment
  bool named_from_ = false, named_to_ = false;
  std::int64_t began_ = 0;
  KernelCounts counts_;  // when it began
};

}  // namespace busline::record
