// What this process has used so far, as Linux tells it.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace busline {

/// User CPU time in seconds, with that of child processes that have ended and been waited for; the system's
/// own share is left out.
double user_seconds();

/// Bytes that are in memory now, and the most since start or since the last reset. 0 where /proc does not
/// tell.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();
/// Gives free memory back to the system and lowers the peak to what is resident then. Does nothing where the
/// system does not allow it.
void reset_peak_resident();
/// The most that any child process had in memory that has ended and been waited for.
std::uint64_t peak_resident_bytes_of_children();
/// Bytes that are allocated and not freed.
std::uint64_t allocated_bytes();
/// Bytes in memory now that no file backs. 0 where /proc does not tell.
std::uint64_t anonymous_bytes();

/// The most anonymous memory while this lives, looked at every half millisecond by a thread of its own: its
/// CPU time counts as this process's.
class AnonymousPeak {
 public:
  AnonymousPeak();
  ~AnonymousPeak();
  AnonymousPeak(const AnonymousPeak&) = delete;
  AnonymousPeak& operator=(const AnonymousPeak&) = delete;

  /// Ends the watch.
  std::uint64_t bytes();

 private:
  void look();

  std::atomic<bool> over_ = false;
  std::atomic<std::uint64_t> most_ = 0;
  std::thread watch_;
};

}  // namespace busline
