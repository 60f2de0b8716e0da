#include "sim/replay/part_matching.hpp"

#include <doctest/doctest.h>

#include <map>
#include <tuple>

#include "sim/base/random.hpp"

using namespace busline;

TEST_CASE("a channel keeps its queue while other channels come and go") {
  PartMatching matching;
  std::map<std::tuple<std::uint32_t, RankId, RankId>, std::uint32_t> expected;
  Random random(1);
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    const PartChannel key{random.below(3), RankId{random.below(40)}, RankId{random.below(40)}};
    const std::tuple place{key.collective, key.source, key.destination};
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
  for (const auto& [place, head] : expected) {
    const auto& [collective, source, destination] = place;
    REQUIRE(matching.at({collective, source, destination}).head == head);
  }
}

TEST_CASE("channels in which nothing waits take no memory") {
  PartMatching matching;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    const PartChannel key{0, RankId{i}, RankId{i + 1}};
    matching.at(key);
    matching.drop(key);
  }
  CHECK(matching.bytes() < 4096);
  matching.drop({7, RankId{7}, RankId{7}});
  CHECK(matching.in_use() == 0);
}
