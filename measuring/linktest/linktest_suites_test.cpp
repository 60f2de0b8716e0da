#include "measuring/linktest/linktest_suites.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "measuring/linktest/test_result.hpp"
#include "measuring/measurement/measurement_json.hpp"

using namespace busline;
using namespace busline::linktest;

TEST_CASE("a run has a suite for each class, with a point for each direction of a pair") {
  auto result = test_result(4);
  auto& i = result.iterations[0];
  i.seconds(1, 3) = 2.5e-6;
  i.seconds(3, 1) = std::nan("");
  i.retests = {{3, 0, 3e-6, 2.9e-6}, {3, 0, 3e-6, 2.8e-6}, {0, 1, 2e-6, 0}};
  const auto suites = suites_of(result);
  REQUIRE(suites.size() == 3);
  CHECK(suites[0].name == "linktest, intra-node");
  CHECK(suites[0].operation == "semidirectional");
  CHECK(suites[0].time == measure::TimeOf::half_round_trip);
  CHECK(suites[0].bytes == 65536);
  CHECK(suites[0].nodes == std::vector<std::uint32_t>{0, 0, 1, 1});
  CHECK(suites[0].concurrent == 2);
  CHECK(suites[0].messages == 10);
  CHECK(suites[0].warmup == 2);
  REQUIRE(suites[0].points.size() == 4);
  CHECK(suites[0].points[0].ranks == std::vector<std::uint32_t>{0, 1});
  CHECK(suites[0].points[0].argument == 3);  // ranks 0 and 1 meet in the last step
  CHECK(suites[1].name == "linktest, inter-node");
  REQUIRE(suites[1].points.size() == 7);  // one of eight is no time
  CHECK(suites[1].points[3].ranks == std::vector<std::uint32_t>{1, 3});
  CHECK(suites[1].points[3].result_ps.value == doctest::Approx(2'500'000));
  CHECK(suites[2].name == "linktest, inter-node, alone");
  CHECK(suites[2].concurrent == 1);
  REQUIRE(suites[2].points.size() == 1);
  CHECK(suites[2].points[0].result_ps.value == doctest::Approx(2'900'000));
}

TEST_CASE("the suites of several iterations make a document that can be read") {
  auto result = test_result(6);
  result.settings.kernel = KernelKind::bidirectional;
  result.settings.flags[kSerial] = 1;
  result.iterations.push_back(test_iteration(linktest::Schedule(shuffled_order(6, 1)), 1));
  result.iterations.push_back({});
  result.iterations.back().access = AccessPattern::unmapped;
  measure::Measurement measurement;
  measurement.suites = suites_of(result);
  REQUIRE(measurement.suites.size() == 6);
  CHECK(measurement.suites[0].name == "linktest 1, intra-node");
  CHECK(measurement.suites[0].time == measure::TimeOf::one_way);
  CHECK(measurement.suites[0].concurrent == 1);
  CHECK(measurement.suites[5].name == "linktest 2, inter-node, alone");
  const auto read = measure::parse_measurement(to_json_text(measurement), "linktest.json");
  REQUIRE(read);
  CHECK(read->suites.size() == 6);
}
