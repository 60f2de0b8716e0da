// For tests of damaged files: how much memory was needed.
#pragma once
#include <sys/resource.h>

namespace busline {

/// The most that this process ever had, in kilobytes.
inline long resident_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace busline
