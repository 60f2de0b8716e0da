#include "measuring/method/merge.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "measuring/method/test_vectors.hpp"

using namespace busline::measure;

namespace {

using PointsOfRun = std::vector<RunPoint>;

std::vector<PointsOfRun> runs_of(const nlohmann::json& files) {
  std::vector<PointsOfRun> runs;
  for (const auto& file : files) {
    auto& run = runs.emplace_back();
    for (const auto& p : file) run.push_back({p[0], {p[1], p[2]}, p[3]});
  }
  return runs;
}

std::vector<PointsOfRun> random_runs(Scatter& scatter) {
  std::vector<PointsOfRun> runs(1 + scatter.below(6));
  for (auto& run : runs) {
    std::uint64_t argument = scatter.below(20);
    for (auto n = scatter.below(30); n > 0; --n, argument += 1 + scatter.below(10))
      run.push_back({argument, {static_cast<double>(scatter.below(50)), scatter.share()}, scatter.below(20)});
  }
  return runs;
}

}  // namespace

TEST_CASE("the weighted median is that of the vectors") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "weighted_median")) {
    CAPTURE(v.dump());
    std::vector<Weighted> values;
    for (const auto& item : v.at("items")) values.push_back({item[0], item[1]});
    CHECK(values[lower_weighted_median(values)].value ==
          v.at("recommended_lower_weighted_median").get<double>());
  }
}

TEST_CASE("weights that are all 0 count as equal") {
  CHECK(lower_weighted_median(std::vector<Weighted>{{5, 0}, {3, 0}, {4, 0}}) == 2);
}

TEST_CASE("a missing argument is interpolated between its neighbours") {
  for (const auto& v : mechanism_vectors(BUSLINE_SOURCE_DIR, "interpolate")) {
    const PointsOfRun run{{v.at("left")[0], {v.at("left")[1], 3}, 7},
                          {v.at("right")[0], {v.at("right")[1], 2}, 9}};
    const auto found = find_point(run, v.at("at"));
    REQUIRE(found);
    CHECK(found->interpolated);
    CHECK(found->point == RunPoint{v.at("at"), {v.at("value"), 2}, 7});
    CHECK(find_point(run, run[0].argument) == FoundPoint{run[0], false});
    CHECK(find_point(run, run[1].argument) == FoundPoint{run[1], false});
    CHECK_FALSE(find_point(run, run[0].argument - 1));
    CHECK_FALSE(find_point(run, run[1].argument + 1));
  }
  CHECK_FALSE(find_point(PointsOfRun{}, 5));
}

TEST_CASE("three runs are merged as the vectors say") {
  const auto v = mechanism_vectors(BUSLINE_SOURCE_DIR, "amr_merge");
  const auto merged = merge_runs(runs_of(v.at("files")), MergeRule::count);
  REQUIRE(merged.size() == v.at("merged").size());
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const auto& expected = v.at("merged")[i];
    CAPTURE(expected.dump());
    const auto& m = merged[i];
    CHECK(m.point.argument == expected.at("arg").get<std::uint64_t>());
    CHECK(m.point.result.value == doctest::Approx(expected.at("result").get<double>()).epsilon(1e-14));
    CHECK(m.point.result.standard_error == expected.at("se").get<double>());
    CHECK(m.point.count == expected.at("count").get<std::uint64_t>());
    CHECK(m.runs == expected.at("contributions").size());
    std::size_t interpolated = 0;
    for (const auto& c : expected.at("contributions"))
      interpolated += c.at("how") == "interpolated" ? 1U : 0U;
    CHECK(m.interpolated_runs == interpolated);
  }
  // At 1008 the second run, which did not measure there, is the median; the spread is over all three.
  CHECK(merged[2].interpolated);
  CHECK(merged[2].run == 1);
  CHECK(merged[2].spread == Interval{140, 148.46875});
}

TEST_CASE("a disturbed run that repeated more wins by count, not where each run weighs the same") {
  const std::vector<PointsOfRun> runs{{{1, {100, 1}, 10}}, {{1, {180, 9}, 20}}, {{1, {101, 1}, 6}}};
  CHECK(merge_runs(runs, MergeRule::count)[0].point.result.value == 180);
  CHECK(merge_runs(runs, MergeRule::robust)[0].point.result.value == 101);
  CHECK(merge_runs(runs, MergeRule::robust)[0].spread == Interval{100, 180});
}

TEST_CASE("the measured one of equal results is taken") {
  const std::vector<PointsOfRun> runs{{{1, {5, 1}, 8}, {3, {5, 1}, 8}}, {{2, {5, 3}, 2}}};
  const auto merged = merge_runs(runs, MergeRule::robust);
  REQUIRE(merged.size() == 3);
  CHECK(merged[1].run == 1);
  CHECK_FALSE(merged[1].interpolated);
}

TEST_CASE("the order of the runs does not change the merged result") {
  Scatter scatter(23);
  for (int trial = 0; trial < 300; ++trial) {
    auto runs = random_runs(scatter);
    for (const auto rule : {MergeRule::count, MergeRule::robust}) {
      auto before = merge_runs(runs, rule);
      auto shuffled = runs;
      shuffle(shuffled, scatter);
      auto after = merge_runs(shuffled, rule);
      for (auto& m : before) m.run = 0;
      for (auto& m : after) m.run = 0;
      CHECK(before == after);
    }
  }
}

TEST_CASE("a merged result lies within its spread, at arguments that were measured") {
  Scatter scatter(29);
  for (int trial = 0; trial < 300; ++trial) {
    const auto runs = random_runs(scatter);
    for (const auto& m : merge_runs(runs, MergeRule::robust)) {
      CHECK(m.spread.low <= m.point.result.value);
      CHECK(m.point.result.value <= m.spread.high);
      CHECK(m.runs > m.interpolated_runs);
      CHECK(find_point(runs[m.run], m.point.argument)->point == m.point);
    }
  }
}

TEST_CASE("one run merged with itself is itself") {
  Scatter scatter(31);
  const auto run = random_runs(scatter)[0];
  const auto merged = merge_runs(std::vector{run, run, run}, MergeRule::count);
  REQUIRE(merged.size() == run.size());
  for (std::size_t i = 0; i < run.size(); ++i) CHECK(merged[i].point == run[i]);
}
