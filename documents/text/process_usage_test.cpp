#include "documents/text/process_usage.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <chrono>
#include <cstring>
#include <thread>

using namespace busline;

TEST_CASE("the peak of anonymous memory is what was touched in between, not what is left") {
  constexpr std::size_t kTouched = 32U << 20U;
  reset_peak_resident();
  const auto before = anonymous_bytes();
  if (before == 0) return;  // no /proc
  AnonymousPeak peak;
  // Not from the heap, which may keep freed memory, as the address sanitizer's does.
  void* const memory = ::mmap(nullptr, kTouched, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  std::memset(memory, 1, kTouched);
  CHECK(anonymous_bytes() >= before + kTouched / 2);
  ::munmap(memory, kTouched);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  [[maybe_unused]] const auto most = peak.bytes();
#ifndef __SANITIZE_THREAD__  // it keeps some bytes for each touched byte
  CHECK(most < before + 2 * kTouched);
#endif
  CHECK(anonymous_bytes() < before + kTouched);
}
