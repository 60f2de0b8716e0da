// The resources that this process has used so far, as reported by Linux.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace busline {

/// User CPU time in seconds, including ended child processes that have been waited for, without system time.
double user_seconds();

/// Bytes in memory now, and their peak since the start or the last reset. 0 if /proc does not report them.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();
/// Returns free memory to the system and resets the peak to the resident size. Does nothing if the system
/// does not allow it.
void reset_peak_resident();
/// The peak memory of any ended child process that has been waited for.
std::uint64_t peak_resident_bytes_of_children();
/// Bytes allocated and not freed.
std::uint64_t allocated_bytes();
/// Bytes in memory now that are not backed by a file. 0 if /proc does not report them.
std::uint64_t anonymous_bytes();

/// The peak of anonymous memory during its lifetime, sampled every half millisecond by a thread, whose CPU
/// time counts as this process's.
class AnonymousPeak {
 public:
  AnonymousPeak();
  ~AnonymousPeak();
  AnonymousPeak(const AnonymousPeak&) = delete;
  AnonymousPeak& operator=(const AnonymousPeak&) = delete;

  /// Stops sampling.
  std::uint64_t bytes();

 private:
  void look();

  std::atomic<bool> over_ = false;
  std::atomic<std::uint64_t> most_ = 0;
  std::thread watch_;
};

}  // namespace busline
