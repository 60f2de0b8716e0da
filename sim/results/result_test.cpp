#include "sim/results/result.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("the times of a rank's strands add up to the longest time at most") {
  RankTimes sum;
  sum.compute = Duration::picoseconds(9'007'375'348'402'135'000);
  sum.wait = Duration::picoseconds(3);
  sum += sum;
  CHECK(sum.compute == Duration::max());
  CHECK(sum.wait == Duration::picoseconds(6));
}
