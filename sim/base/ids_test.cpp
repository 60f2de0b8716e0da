#include "sim/base/ids.hpp"

#include <doctest/doctest.h>

#include <type_traits>

using namespace busline;

// No id converts to another one or to a bare number.
static_assert(!std::is_convertible_v<RankId, StrandId>);
static_assert(!std::is_assignable_v<NodeId&, RankId>);
static_assert(!std::is_convertible_v<std::uint32_t, RankId>);
static_assert(!std::is_convertible_v<RankId, std::uint32_t>);

static_assert(sizeof(RankId) == sizeof(std::uint32_t));
static_assert(sizeof(IdVector<RankId, int>) == sizeof(std::vector<int>));

TEST_CASE("an id vector is indexed by ids and grows to hold a given one") {
  IdVector<RankId, int> v(2);
  v[RankId{1}] = 7;
  CHECK(v.next() == RankId{2});
  CHECK_FALSE(v.has(v.next()));
  v.reach(RankId{4});
  v.reach(RankId{0});
  CHECK(v.size() == 5);
  int sum = 0;
  std::uint32_t expected = 0;
  for (const auto r : v.ids()) {
    CHECK(raw(r) == expected++);
    sum += v[r];
  }
  CHECK(expected == 5);
  CHECK(sum == 7);
}

TEST_CASE("kNone equals the id of every type that names nothing") {
  const MessageId none = kNone;
  CHECK(none == kNone);
  CHECK(kNone != MessageId{0});
  CHECK(raw(none) == std::uint32_t{kNone});
}
