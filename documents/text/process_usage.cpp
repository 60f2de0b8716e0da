#include "documents/text/process_usage.hpp"

#include <malloc.h>
#include <sys/resource.h>

#include <chrono>
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
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (getrusage(who, &usage) != 0) continue;
    seconds +=
        static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
  }
  return seconds;
}

std::uint64_t resident_bytes() {
  return status_bytes("VmRSS:");
}

std::uint64_t peak_resident_bytes() {
  return status_bytes("VmHWM:");
}

std::uint64_t peak_resident_bytes_of_children() {
  rusage usage{};
  if (getrusage(RUSAGE_CHILDREN, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void reset_peak_resident() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5\n";
}

std::uint64_t anonymous_bytes() {
  return status_bytes("RssAnon:");
}

std::uint64_t allocated_bytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

AnonymousPeak::AnonymousPeak() {
  look();
  watch_ = std::thread([this] {
    constexpr std::chrono::microseconds kBetween(500);
    while (!over_) {
      look();
      std::this_thread::sleep_for(kBetween);
    }
  });
}

AnonymousPeak::~AnonymousPeak() {
  bytes();
}

std::uint64_t AnonymousPeak::bytes() {
  look();
  over_ = true;
  if (watch_.joinable()) watch_.join();
  return most_;
}

// The thread samples, and so does its owner at both ends; the larger value counts.
void AnonymousPeak::look() {
  const auto now = anonymous_bytes();
  auto most = most_.load();
  while (now > most && !most_.compare_exchange_weak(most, now)) {
  }
}

}  // namespace busline
