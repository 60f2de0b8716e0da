#include "measuring/tables/launch_table.hpp"

#include <doctest/doctest.h>

#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::measure;

namespace {}  // namespace

TEST_CASE("a launch's line shows its phases, or that they are not known") {
  using ziatest::Phase;
  Suite suite;
  suite.launch = LaunchSubject{ziatest::Variant::seed, 4, 104'857'600};
  for (const std::uint64_t nodes : {2U, 1000U}) {
    auto& p = suite.points.emplace_back();
    p.argument = nodes;
    p.result_ps.value = static_cast<double>(nodes) * 1e9;
  }
  suite.points[1].launch = LaunchDetails{3999,
                                         {{Phase::start, ms(500), {}},
                                          {Phase::image, ms(300), {}},
                                          {Phase::daemon, ms(0), {}},
                                          {Phase::spawn, ms(50), {}},
                                          {Phase::init, ms(149), {}},
                                          {Phase::pair, ms(1), {}}}};
  CHECK(to_text(*suite.launch) == "variant seed, 4 ranks per node, an executable of 104.9 MB");
  CHECK(launch_table(suite) ==
        "  nodes  ranks  time [s]  start  image  daemon  spawn   init   pair  slowest rank\n"
        "  2          8     0.002      -      -       -      -      -      -             -\n"
        "  1,000  4,000     1.000  0.500  0.300   0.000  0.050  0.149  0.001         3,999\n");
}
