#include "studies/process_usage.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <memory>

using namespace busline;

TEST_CASE("the peak of anonymous memory is what was touched in between, not what is left") {
  constexpr std::size_t kTouched = 32U << 20U;
  reset_peak_resident();
  const auto before = anonymous_bytes();
  if (before == 0) return;  // no /proc
  AnonymousPeak peak;
  {
    const auto memory = std::make_unique<char[]>(kTouched);
    std::memset(memory.get(), 1, kTouched);
    CHECK(anonymous_bytes() >= before + kTouched / 2);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto most = peak.bytes();
  CHECK(most < before + 2 * kTouched);
  CHECK(anonymous_bytes() < before + kTouched);
}
