// Short notation for durations, for tests and worked examples: us(10) is 10 microseconds.
#pragma once
#include <cstdint>

#include "sim/base/units.hpp"

namespace busline {

constexpr Duration ps(std::int64_t n) {
  return Duration::picoseconds(n);
}
constexpr Duration ns(std::int64_t n) {
  return ps(n * 1'000);
}
constexpr Duration us(std::int64_t n) {
  return ns(n * 1'000);
}
constexpr Duration ms(std::int64_t n) {
  return us(n * 1'000);
}

}  // namespace busline
