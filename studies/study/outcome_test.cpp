#include "studies/study/outcome.hpp"

#include <doctest/doctest.h>

using namespace busline;

TEST_CASE("a point's cost is its time or the time per byte; without either it is not compared") {
  Outcome slow, fast, wide, nothing, refused;
  slow.run_time_ps = 2'000;
  fast.run_time_ps = 1'000;
  wide.bytes_per_s = 1'000'000'000;
  nothing.run_time_ps = 0;  // a program without operations: no share of it means anything
  refused.status = Outcome::Status::refused;
  refused.run_time_ps = 1'000;
  CHECK(*cost_of(slow) == 2 * *cost_of(fast));
  CHECK(*cost_of(wide) == 1e-9);
  CHECK(!cost_of(nothing));
  CHECK(!cost_of(refused));
  CHECK(!cost_of(Outcome()));
  CHECK(result_text(fast) == "1 ns");
  CHECK(result_text(wide) == "1 GB/s");
  CHECK(result_text(Outcome()) == "-");
}
