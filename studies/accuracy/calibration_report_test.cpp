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
  record.suites = {{"pingpong-inter", 12, 0.004, 0.021, 4096, false},
                   {"pingpong-inter", 3, 0.005, 0.02, 64, true}};
  CHECK(to_text(record) ==
        "calibrated from measurements of cluster (mpi)\n"
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
