// What a page says about a study.
#include "studies/report/study_section.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "studies/report/study_axes.hpp"
#include "studies/report/study_figures.hpp"

using namespace busline;
using namespace busline::report;

namespace {

PointOutcome point(std::uint64_t number, std::vector<AxisValue> values, std::int64_t run_time_ms) {
  PointOutcome p{number, std::move(values), std::to_string(number), {}};
  p.outcome.run_time_ps = run_time_ms * 1'000'000'000;
  p.outcome.compute_ps = 50'000'000'000;
  p.outcome.largest_compute_ps = 100'000'000'000;
  p.outcome.wait_ps = *p.outcome.run_time_ps / 2;
  return p;
}

StoredStudy study_of(std::vector<std::string> labels, std::uint64_t points) {
  StoredStudy s{"buses", "{}", "", R"({"axes":[],"combine":0})", labels, labels, points};
  return s;
}

Store store_of(const StoredStudy& study, const std::vector<PointOutcome>& points) {
  auto store = Store::open(":memory:", Store::Mode::create);
  REQUIRE(store);
  REQUIRE(store->begin(study));
  REQUIRE(store->put(points));
  return *std::move(store);
}

const Points& points_of(const Section& section) {
  return std::get<Points>(section.figures.at(0).content);
}

}  // namespace

TEST_CASE("the best point, the slowest, and the first that is good enough are named") {
  const auto store =
      store_of(study_of({"network/buses"}, 4), {point(0, {{"\"unlimited\"", "unlimited"}}, 100),
                                                point(1, {{"8", "8"}}, 104), point(2, {{"1", "1"}}, 400)});
  const auto section = study_section(store);
  REQUIRE(section);
  CHECK(section->summary ==
        std::vector<std::string>{"The best point is network/buses = unlimited: 100 ms.",
                                 "The slowest, network/buses = 1, takes 4.00 times as long: 400 ms.",
                                 "network/buses = 8 is the first value within 5 % of the best.",
                                 "Even there, 50.0 % of the time is lost to messages.",
                                 "3 of 4 points are simulated so far."});
  // Numbers come first, in their order.
  const auto& axis = points_of(*section).axes.at(0);
  REQUIRE(axis.values.size() == 3);
  CHECK(axis.values[0].name == "1");
  CHECK(axis.values[1].name == "8");
  CHECK_FALSE(axis.values[2].number);
  CHECK_FALSE(axis.scale.logarithmic);
}

TEST_CASE("the axis that changes the time most is named, whatever the others are") {
  // a: 1 -> 2 doubles the time; b: x -> y makes it 1.5 times as long.
  const auto store =
      store_of(study_of({"a", "b"}, 4),
               {point(0, {{"1", "1"}, {"\"x\"", "x"}}, 100), point(1, {{"1", "1"}, {"\"y\"", "y"}}, 150),
                point(2, {{"2", "2"}, {"\"x\"", "x"}}, 200), point(3, {{"2", "2"}, {"\"y\"", "y"}}, 300)});
  const auto section = study_section(store);
  REQUIRE(section);
  CHECK(section->summary.at(2) == "1 of 4 points are within 5 % of the best.");
  CHECK(section->summary.at(3) ==
        "The most important axis is a: from 1 to 2 the time changes 2.00-fold on average; b 1.50-fold.");
  const auto& all = points_of(*section);
  REQUIRE(all.columns.size() == 5);
  CHECK(all.columns[1].scale.label == "time / base");
  CHECK(all.points[3].figures[1] == 3.0);
  CHECK(all.columns[2].scale.label == "efficiency");
  CHECK(all.points[0].figures[2] == 0.5);
  CHECK(all.columns[3].scale.label == "load balance");
  CHECK(all.points[0].figures[3] == 0.5);
}

TEST_CASE("an axis over more than a factor of 20 begins logarithmic, and what matters most is drawn over") {
  // a doubles the time, b changes it 30-fold.
  const auto store =
      store_of(study_of({"a", "b"}, 4),
               {point(0, {{"1", "1"}, {"10", "10"}}, 100), point(1, {{"1", "1"}, {"201", "201"}}, 3000),
                point(2, {{"2", "2"}, {"10", "10"}}, 200), point(3, {{"2", "2"}, {"201", "201"}}, 6000)});
  const auto section = study_section(store);
  REQUIRE(section);
  const auto& all = points_of(*section);
  CHECK(all.over == std::size_t{1});
  CHECK(all.by == std::size_t{0});
  CHECK_FALSE(all.axes[0].scale.logarithmic);
  CHECK(all.axes[1].scale.logarithmic);
  CHECK(all.columns.at(0).scale.label == "run time");
  CHECK(all.columns.at(0).scale.logarithmic);
}

TEST_CASE("of several workloads, times are of their own bases, and no sentence compares two of them") {
  auto study = study_of({"workload", "network"}, 4);
  study.pointers = {"/workload", "/platform/network"};
  study.axes =
      R"({"axes":[{"values":[["\"x\"","x"],["\"y\"","y"]]},{"values":[["\"a\"","a"],["\"b\"","b"]]}],"combine":0})";
  const auto store = store_of(
      study,
      {point(0, {{"\"x\"", "x"}, {"\"a\"", "a"}}, 100), point(1, {{"\"x\"", "x"}, {"\"b\"", "b"}}, 50),
       point(2, {{"\"y\"", "y"}, {"\"a\"", "a"}}, 1000), point(3, {{"\"y\"", "y"}, {"\"b\"", "b"}}, 900)});
  const auto section = study_section(store, 0.1);
  REQUIRE(section);
  CHECK(section->title == "buses: Effect of network on 2 workloads");
  // (0.5 + 0.9) / 2
  CHECK(section->summary ==
        std::vector<std::string>{
            "For all workloads together, network = b is best: 0.700 of the time at the base.",
            "x is fastest with network = b: 0.500 of its time at the base.",
            "y is fastest with network = b: 0.900 of its time at the base."});
  CHECK(section->figures.at(0).title == "Run time within 10 % of the best of each workload: which network?");
  const auto& all = points_of(*section);
  CHECK(all.axes[0].of_workloads);
  CHECK(all.over == std::size_t{1});
  CHECK_FALSE(all.by);
  CHECK(all.columns.at(0).scale.label == "time / base");
  CHECK(all.points[3].figures[0] == 0.9);
  REQUIRE(all.mix.size() == 2);
  CHECK(all.mix[1].figures[0] == doctest::Approx(0.7));
}

TEST_CASE("points without a result are counted and their reasons listed") {
  auto failed = point(1, {{"2", "2"}}, 0);
  failed.outcome = {};
  failed.outcome.status = Outcome::Status::timed_out;
  failed.outcome.reason = "took longer than 1 s";
  const auto store = store_of(study_of({"a"}, 2), {point(0, {{"1", "1"}}, 100), failed});
  const auto section = study_section(store);
  REQUIRE(section);
  CHECK(section->summary.back() == "1 of 2 points have no result; the reasons are below.");
  const auto& table = std::get<Table>(section->figures.at(1).content);
  REQUIRE(table.rows.size() == 1);
  CHECK(std::get<std::string>(table.rows[0][1]) == "a = 2");
  CHECK(std::get<std::string>(table.rows[0][3]) == "took longer than 1 s");
}

TEST_CASE("a study in which nothing is done has a section without a figure of points") {
  const auto none = store_of(study_of({"a"}, 2), {});
  const auto section = study_section(none);
  REQUIRE(section);
  CHECK(section->figures.empty());
  CHECK(section->summary == std::vector<std::string>{"0 of 2 points are simulated so far."});
}

TEST_CASE("a file without a study, and points of another number of axes, are refused") {
  const auto empty = Store::open(":memory:", Store::Mode::create);
  REQUIRE(empty);
  CHECK(to_string(study_section(*empty).error()) ==
        ":memory:: it contains no study\n  store one with 'busline study run'");
  const auto other = store_of(study_of({"a", "b"}, 2), {point(0, {{"1", "1"}}, 100)});
  CHECK(to_string(study_section(other).error()) ==
        ":memory:: point 0 has 1 value, expected one for each of the 2 axes");
}

TEST_CASE("only the first points are shown if a page cannot hold all") {
  std::vector<PointOutcome> points;
  for (std::uint64_t i = 0; i <= kMostPagePoints; ++i)
    points.push_back(point(i, {{std::to_string(i), std::to_string(i)}}, 100));
  const auto section = study_section(store_of(study_of({"a"}, points.size()), points));
  REQUIRE(section);
  CHECK(section->figures.at(0).caption ==
        "Times of ranks are means over the ranks; shares are of the run time. The first 20,000 of 20,001 "
        "points are shown.");
}

TEST_CASE("for benchmarks that report a bandwidth, more is better") {
  auto slow = point(0, {{"1", "1"}}, 0), fast = point(1, {{"2", "2"}}, 0);
  slow.outcome = {};
  slow.outcome.bytes_per_s = 1'000'000'000;
  fast.outcome = slow.outcome;
  fast.outcome.bytes_per_s = 4'000'000'000;
  const auto section = study_section(store_of(study_of({"a"}, 2), {slow, fast}));
  REQUIRE(section);
  CHECK(section->summary.at(0) == "The best point is a = 2: 4 GB/s.");
  CHECK(points_of(*section).columns.at(0).scale.label == "bandwidth");
  CHECK(points_of(*section).columns.at(0).more_is_better);
}
