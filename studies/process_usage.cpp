#include "studies/process_usage.hpp"

#include <malloc.h>
#include <sys/resource.h>

#include <fstream>
#include <string>
#include <string_view>

namespace busline {
namespace {

// proc(5): lines such as "VmHWM:     1234 kB".
std::uint64_t status_bytes(std::string_view field) {
  std::ifstream in("/proc/self/status");
  for (std::string name; in >> name;) {
    if (name == field) {
      std::uint64_t kib = 0;
      in >> kib;
      return kib * 1024;
    }
    std::getline(in, name);
  }
  return 0;
}

}  // namespace

double user_seconds() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

std::uint64_t resident_bytes() {
  return status_bytes("VmRSS:");
}

std::uint64_t peak_resident_bytes() {
  return status_bytes("VmHWM:");
}

void reset_peak_resident() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5\n";
}

std::uint64_t allocated_bytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace busline
