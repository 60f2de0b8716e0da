#include "workloads/linktest/rank_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace busline::linktest;

TEST_CASE("the mixed order is that of the files of LinkTest 1.2") {
  // From runs of LinkTest 1.2p1 with -M 1 on Linux.
  CHECK(linktest12_mixed_order(4) == RankOrder{3, 1, 0, 2});
  CHECK(linktest12_mixed_order(6) == RankOrder{5, 3, 4, 1, 0, 2});
  CHECK(linktest12_mixed_order(8) == RankOrder{6, 5, 1, 2, 7, 3, 4, 0});
}

TEST_CASE("every order holds each rank once") {
  for (std::uint32_t ranks = 0; ranks <= 100; ++ranks) {
    CAPTURE(ranks);
    for (auto order : {identity_order(ranks), shuffled_order(ranks, 3), linktest12_mixed_order(ranks)}) {
      std::sort(order.begin(), order.end());
      CHECK(order == identity_order(ranks));
    }
  }
}

TEST_CASE("a shuffled order depends on its seed and on nothing else") {
  CHECK(shuffled_order(64, 1) == shuffled_order(64, 1));
  CHECK(shuffled_order(64, 1) != shuffled_order(64, 2));
  // From a separate implementation of SplitMix64 and of the shuffle.
  CHECK(shuffled_order(6, 1) == RankOrder{1, 0, 3, 5, 2, 4});
}
