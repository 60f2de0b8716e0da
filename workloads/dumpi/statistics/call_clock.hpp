// Times of one rank's calls, from the stamps of its records.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "workloads/dumpi/compile/clock.hpp"
#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/statistics/call_statistics.hpp"

namespace busline::dumpi {

/// Adds `what`, saturating at the largest number: damaged stamps can amount to centuries.
inline void add(std::uint64_t& to, std::uint64_t what) {
  if (__builtin_add_overflow(to, what, &to)) to = ~std::uint64_t{0};
}

class CallClock {
 public:
  using Functions = std::array<CallStatistics::Function, kFunctions>;

  CallClock(CallStatistics::Rank& rank, Functions& functions) : rank_(rank), functions_(functions) {}

  /// Call it with each record, in order.
  void follow(const Record& record);
  /// Call it after the last record. `wall_bias`: seconds that the file adds to its stamps.
  void finish(std::int32_t wall_bias);
  bool has_wall() const { return first_.has_value(); }
  bool has_cpu() const { return cpu_begin_.has_value(); }

 private:
  void follow_wall(const Record& r);
  void follow_cpu(const Record& r);
  void begin_run();

  CallStatistics::Rank& rank_;
  Functions& functions_;
  UnrolledClock wall_clock_, cpu_clock_;
  bool run_is_over_ = false;  // MPI_Finalize began
  std::optional<std::int64_t> first_, run_begin_, run_end_;
  std::int64_t last_ = 0;
  std::map<std::uint16_t, std::int64_t> last_exits_;  // of the run, by thread
  std::array<std::uint64_t, kFunctions> run_ns_{};
  std::optional<std::int64_t> cpu_begin_, cpu_end_;  // of the run
};

}  // namespace busline::dumpi
