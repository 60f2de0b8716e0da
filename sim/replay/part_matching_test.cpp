#include "sim/replay/part_matching.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>

#include "sim/base/random.hpp"

using namespace busline;

TEST_CASE("a channel keeps its queue while other channels come and go") {
  PartMatching matching;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> expected;
  Random random(1);
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    const PartChannel key{random.below(3), random.below(40), random.below(40)};
    const std::array place{key.collective, key.source, key.destination};
    const auto known = expected.find(place);
    REQUIRE(matching.at(key).head == (known == expected.end() ? kNone : known->second));
    if (random.one_in(2)) {
      matching.at(key).head = i;
      expected[place] = i;
    } else {
      matching.drop(key);
      expected.erase(place);
    }
    REQUIRE(matching.in_use() == expected.size());
  }
  for (const auto& [place, head] : expected)
    REQUIRE(matching.at({place[0], place[1], place[2]}).head == head);
}

TEST_CASE("channels in which nothing waits take no memory") {
  PartMatching matching;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    matching.at({0, i, i + 1});
    matching.drop({0, i, i + 1});
  }
  CHECK(matching.bytes() < 4096);
  matching.drop({7, 7, 7});
  CHECK(matching.in_use() == 0);
}
