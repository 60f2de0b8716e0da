#include "sim/base/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace busline;

TEST_CASE("random numbers are those of SplitMix64 on every machine") {
  // The first numbers from the seed 1234567, as other implementations publish them.
  Random random(1234567);
  for (const auto expected : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                              4593380528125082431ULL, 16408922859458223821ULL})
    CHECK(random.next() == expected);
}

TEST_CASE("a shuffle keeps every value and differs by seed only") {
  std::vector<int> sorted(100), a, b, c;
  std::iota(sorted.begin(), sorted.end(), 0);
  a = b = c = sorted;
  Random one(1), same(1), other(2);
  shuffle(a, one);
  shuffle(b, same);
  shuffle(c, other);
  CHECK(a == b);
  CHECK(a != c);
  CHECK(a != sorted);
  std::sort(a.begin(), a.end());
  CHECK(a == sorted);
}

TEST_CASE("a shuffle puts each value everywhere equally often") {
  // 3 values, 6000 shuffles: each place is taken 2000 times, with a standard deviation of 37.
  int places[3][3] = {};
  Random random(7);
  for (int n = 0; n < 6000; ++n) {
    std::vector<std::size_t> v{0, 1, 2};
    shuffle(v, random);
    for (std::size_t i = 0; i < 3; ++i) ++places[v[i]][i];
  }
  for (const auto& row : places)
    for (const auto count : row) CHECK(count == doctest::Approx(2000).epsilon(0.1));
}
