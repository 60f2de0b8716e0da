#include "measuring/tracer/handle_map.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using busline::tracer::HandleMap;

TEST_CASE("handles are numbered as they are first seen, predefined ones as they were given") {
  HandleMap map(4);
  map.predefine(0x7f00, 2);
  CHECK(map.number(0x8000) == std::pair(4, true));
  CHECK(map.number(0x7f00) == std::pair(2, false));
  CHECK(map.number(0x8100) == std::pair(5, true));
  CHECK(map.number(0x8000) == std::pair(4, false));
}

TEST_CASE("a handle that was freed gets a new number when it is used again") {
  HandleMap map(28);
  CHECK(map.number(64).first == 28);
  map.forget(64);
  map.forget(64);
  map.forget(65);
  CHECK(map.number(64) == std::pair(29, true));
}

TEST_CASE("numbers of freed handles are given again only when the numbers run out") {
  HandleMap map(4);
  for (std::uint64_t h = 0; h < 40000; ++h) {
    map.number(h);
    map.forget(h);
  }
  // 4 .. 32767 were new; then came the freed ones in the order in which they were freed, of which the
  // 40000 - 32764 = 7236 first were used.
  CHECK(map.number(1).first == 4 + 7236);
}

TEST_CASE("without freed handles numbers wrap at 16 bits, as libdumpi's do") {
  HandleMap map(2);
  for (std::uint64_t h = 0; h < 32766; ++h) map.number(h);
  CHECK(map.number(32766).first == -32768);
  CHECK(map.number(0).first == 2);
}

TEST_CASE("the map of handles finds what was put in and not freed, whatever the order") {
  std::mt19937 random(7);
  HandleMap map(0);
  std::map<std::uint64_t, std::int32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t handle = random() % 300 * 64;
    if (random() % 2 == 0) {
      const auto [number, is_new] = map.number(handle);
      const auto at = expected.find(handle);
      REQUIRE(is_new == (at == expected.end()));
      if (is_new)
        expected[handle] = number;
      else
        REQUIRE(at->second == number);
    } else {
      map.forget(handle);
      expected.erase(handle);
    }
  }
}
