#include "studies/runs/interval_report.hpp"

#include <doctest/doctest.h>

#include "sim/base/durations.hpp"

using namespace busline;

TEST_CASE("an interval is shown with what makes it wide") {
  PredictionInterval i;
  i.share = 0.9;
  i.predicted = ms(100);
  i.shortest = ms(95);
  i.longest = ms(110);
  i.runs = 60;
  i.figures = {"/network/latency", "/network/bandwidth"};
  i.causes = {{"MPI_Alltoall", 0.3, 0.1, ms(3)}, {kFigures, 1, 0.02, ms(2)}, {kNoise, 0.5, 0.01, us(500)}};
  CHECK(to_text(i) ==
        "90 % interval        95 ms to 110 ms  (-5.0 % to +10.0 %)\n"
        "                     60 runs with other figures\n"
        "\n"
        "  what makes it wide         share of path  uncertain by  moves the time by\n"
        "  MPI_Alltoall                      30.0 %        10.0 %               3 ms\n"
        "  2 figures of the platform                        2.0 %               2 ms\n"
        "  noise of single messages          50.0 %         1.0 %             500 us\n");
}

TEST_CASE("an interval without uncertain figures says so, and one that lost runs") {
  PredictionInterval i;
  i.share = 0.9;
  i.predicted = i.shortest = i.longest = ms(100);
  CHECK(to_text(i).find("no figure of the platform has an interval") != std::string::npos);
  i.runs = 60;
  i.incomplete = 2;
  CHECK(to_text(i).find("60 runs with other figures; 2 did not complete") != std::string::npos);
}
