// The two clocks of a trace, and how to read them cheaply.
#pragma once
#include <cstdint>
#include <ctime>

#include "workloads/dumpi/format/record.hpp"

namespace busline::tracer {

/// A point in time of one clock.
struct Stamp {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  static Stamp of(clockid_t clock) {
    timespec t{};
    ::clock_gettime(clock, &t);
    return {t.tv_sec, t.tv_nsec};
  }
  std::int64_t total() const { return seconds * 1'000'000'000 + nanoseconds; }
};

inline dumpi::Stamps stamps(const Stamp& entry, const Stamp& exit, std::int32_t bias) {
  // Seconds are stored modulo 65536.
  const auto rest = [bias](std::int64_t seconds) { return static_cast<std::uint16_t>(seconds - bias); };
  return {rest(entry.seconds), rest(exit.seconds), static_cast<std::uint32_t>(entry.nanoseconds),
          static_cast<std::uint32_t>(exit.nanoseconds)};
}

/// The CPU time of the process. To read it is a system call, which takes 5 to 20 times as long as to read the
/// wall clock, more than many an MPI call. So it is read only if enough time has passed since it was last
/// read; in between the process is taken to run. Never goes back.
class CpuClock {
 public:
  CpuClock() {
    constexpr int kReadings = 4;
    const auto before = Stamp::of(CLOCK_MONOTONIC).total();
    for (int i = 0; i < kReadings; ++i) Stamp::of(CLOCK_PROCESS_CPUTIME_ID);
    const auto cost = (Stamp::of(CLOCK_MONOTONIC).total() - before) / kReadings;
    constexpr std::int64_t kCosts = 50;  // so that reading takes at most 2 % of the time
    interval_ = kCosts * cost;
    last_cpu_ = given_ = Stamp::of(CLOCK_PROCESS_CPUTIME_ID).total();
    last_wall_ = Stamp::of(CLOCK_MONOTONIC).total();
  }

  Stamp at(const Stamp& wall) {
    const auto now = wall.total();
    if (now - last_wall_ >= interval_) {
      last_cpu_ = Stamp::of(CLOCK_PROCESS_CPUTIME_ID).total();
      last_wall_ = now;
    }
    const auto cpu = last_cpu_ + (now - last_wall_);
    if (cpu > given_) given_ = cpu;
    return {given_ / 1'000'000'000, given_ % 1'000'000'000};
  }

 private:
  std::int64_t interval_ = 0;
  std::int64_t last_cpu_ = 0, last_wall_ = 0;  // of the last reading
  std::int64_t given_ = 0;
};

}  // namespace busline::tracer
