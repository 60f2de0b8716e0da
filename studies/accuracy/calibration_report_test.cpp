#include "studies/accuracy/calibration_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace busline;

TEST_CASE("a calibration's page has its figures, why they are so, and how far predictions are off") {
  CalibrationRecord record;
  record.machine = "cluster";
  record.testbed = "mpi";
  record.figures = {{"/network/latency", "1.5 us", "1.4 us", "1.6 us", {"pingpong-inter"}, ""},
                    {"/network/buses", "unlimited", "8", "", {"pairs-of-nodes"}, "at least 8"},
                    {"/network/sharing", "fair", "", "", {}, ""}};
  record.suites = {{"pingpong-inter", kMessages, 12, 0.004, 0.021, 4096, false},
                   {"pingpong-inter", kMessages, 3, 0.005, 0.02, 64, true}};
  CHECK(to_text(record) ==
        "calibrated from measurements of cluster (mpi), good: all suites are reproduced (2)\n"
        "  figure                value     95 % interval\n"
        "  /network/latency     1.5 us  1.4 us to 1.6 us\n"
        "  /network/buses    unlimited            8 to ?\n"
        "  /network/sharing       fair                 -\n"
        "  /network/latency: pingpong-inter\n"
        "  /network/buses: at least 8\n"
        "\n"
        "measured against modelled\n"
        "  suite                      points  median error  worst error     at\n"
        "  pingpong-inter                 12         0.4 %        2.1 %  4,096\n"
        "  pingpong-inter (held out)       3         0.5 %        2.0 %     64\n");
}

TEST_CASE("a calibration's first line says which measurements it does not reproduce, the worst first") {
  CalibrationRecord record;
  record.machine = "cluster";
  record.testbed = "mpi";
  record.suites = {{.name = "pingpong-inter", .points = 12, .median_error = 0.004, .worst_error = 0.021},
                   {.name = "pairs-of-nodes",
                    .points = 4,
                    .median_error = 0.2,
                    .worst_error = 0.4,
                    .worst_at = 4,
                    .spread = 0.01,
                    .off = true},
                   {.name = "flows-of-a-rank",
                    .points = 7,
                    .median_error = 0.5,
                    .worst_error = 0.51,
                    .worst_at = 3,
                    .spread = 0.004,
                    .off = true}};
  CHECK(to_text(record).starts_with(
      "calibrated from measurements of cluster (mpi), NOT GOOD: suites off by more than they spread: 2 of 3\n"
      "  flows-of-a-rank: off by 50.0 % in the median, 51.0 % at 3; samples spread by 0.4 %\n"
      "  pairs-of-nodes: off by 20.0 % in the median, 40.0 % at 4; samples spread by 1.0 %\n"));
}

TEST_CASE("a calibration's document has the platform and each point, measured and modelled") {
  calibrate::Calibrated c;
  c.platform.name = "cluster";
  MachineGroup machine;
  machine.nodes.emplace_back();
  c.platform.machines.push_back(machine);
  c.residuals = {{"pingpong-inter", 64, 2e6, 2.1e6, false}, {"pingpong-inter", 128, 2e6, 2e6, true}};
  const auto document = to_json(c);
  CHECK(document["schema"] == "busline/calibration/1");
  CHECK(document["platform"]["name"] == "cluster");
  REQUIRE(document["residuals"].size() == 2);
  CHECK(document["residuals"][0]["error"].get<double>() == doctest::Approx(0.05));
  CHECK_FALSE(document["residuals"][0].contains("held_out"));
  CHECK(document["residuals"][1]["held_out"] == true);
}
