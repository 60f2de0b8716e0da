#include "studies/runs/why_report.hpp"

#include <doctest/doctest.h>

#include "sim/base/durations.hpp"

using namespace busline;

TEST_CASE("the interval of a prediction names the figures that it is of") {
  Why why;
  why.path.total = ms(10);
  why.interval =
      PredictionInterval{Time::at(ms(9)), Time::at(ms(12)), {"/network/latency", "/network/bandwidth"}};
  CHECK(
      to_text(why).ends_with("\nprediction interval: 9 ms to 12 ms, from the calibration's intervals of "
                             "/network/latency and /network/bandwidth\n"));
}
