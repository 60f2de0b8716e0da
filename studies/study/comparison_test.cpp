// Points are compared with points of their own workload, and with no others.
#include "studies/study/comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "studies/study/database.hpp"
#include "studies/study/find_value.hpp"
#include "studies/study/test_study.hpp"

using namespace busline;
using namespace busline::test;

namespace {

const std::string kTwo =
    R"(/workload={"generate": "halo", "ranks": 8, "iterations": 3},{"generate": "ring", "ranks": 2, "iterations": 2})";
const std::vector<std::string> kTwoAndBuses{kTwo, "/network/buses=1,2,4", "/network/latency=10us,1us"};

Comparison comparison_in(const Store& store, const CompareWith& with = {}) {
  const auto study = study_in(store);
  REQUIRE(study);
  auto made = Comparison::of(store, *study, with);
  REQUIRE_MESSAGE(made, to_string(made.error()));
  return *std::move(made);
}

std::string refused_comparison(const Store& store, const CompareWith& with) {
  const auto made = Comparison::of(store, *study_in(store), with);
  REQUIRE_FALSE(made);
  return to_string(made.error());
}

double time_of(const PointOutcome& p) {
  return static_cast<double>(*p.outcome.run_time_ps);
}

}  // namespace

TEST_CASE("each point is relative to the base point of its own workload") {
  const Folder folder;
  auto store = open(":memory:");
  run(cases_of(folder, kTwoAndBuses, kHalo), store);
  const auto points = points_in(store);
  REQUIRE(points.size() == 12);
  const auto c = comparison_in(store);
  REQUIRE(c.workloads().size() == 2);
  CHECK(c.workloads()[0].name == "halo");
  CHECK(c.workloads()[1].name == "ring");
  CHECK(c.base_text() == "network/buses = 1, network/latency = 10us");
  for (const auto& p : points) {
    const auto& base = points[p.point < 6 ? 0 : 6];
    CHECK(*c.to_base(p) == time_of(p) / time_of(base));
    CHECK(&c.workload_of(p) == &c.workloads()[p.point < 6 ? 0 : 1]);
  }
  // Buses 4, latency 10us: the third choice of buses, the first of latency.
  const auto marked = comparison_in(store, {{{"network/buses", "4"}}, {}});
  CHECK(*marked.to_base(points[0]) == time_of(points[0]) / time_of(points[4]));
  CHECK(*marked.to_base(points[6]) == time_of(points[6]) / time_of(points[10]));
  const auto other_unit = comparison_in(store, {{{"/network/latency", "\"1000ns\""}}, {}});
  CHECK(other_unit.workloads()[0].base->point == 1);
}

TEST_CASE("the best of the mix has the least weighted mean over the workloads") {
  const Folder folder;
  auto store = open(":memory:");
  run(cases_of(folder, kTwoAndBuses, kHalo), store);
  const auto points = points_in(store);
  for (const double weight : {0.0, 1.0, 3.0}) {
    const auto c = comparison_in(store, {{}, {{"ring", weight}}});
    REQUIRE(c.mixes().size() == 6);
    double least = 1e9;
    for (std::size_t i = 0; i < 6; ++i) {
      const auto mean =
          (time_of(points[i]) / time_of(points[0]) + weight * time_of(points[6 + i]) / time_of(points[6])) /
          (1 + weight);
      CHECK(c.mixes()[i].to_base == doctest::Approx(mean).epsilon(1e-12));
      least = std::min(least, mean);
    }
    CHECK(c.best_mix()->to_base == doctest::Approx(least).epsilon(1e-12));
  }
}

TEST_CASE("without a result at the base nothing else takes its place") {
  const Folder folder;
  auto store = open(":memory:");
  // Eight ranks do not fit on the first platform's nodes.
  run(cases_of(folder, {kTwo, "/nodes/0/count=2,8", "/mapping=per-node:1"}, kHalo), store);
  const auto points = points_in(store);
  REQUIRE_FALSE(points[0].outcome.is_done());
  const auto c = comparison_in(store);
  CHECK_FALSE(c.to_base(points[1]));
  CHECK(c.to_best(points[1]) == 1.0);
  CHECK(c.to_base(points[3]));
  CHECK(c.mixes().empty());
  CHECK(study_text(store, {})->find("halo: the base point 0 has no result; choose one with --base") !=
        std::string::npos);
}

TEST_CASE("parameters of generated workloads are other work, how a trace is read is not") {
  const auto axis = [](const char* pointer, const char* value) {
    return StoredAxis{pointer, "x", {{value, "v"}}};
  };
  CHECK(axis("/workload", "\"a\"").is_of_workloads());
  CHECK(axis("/workload/ranks", "8").is_of_workloads());
  CHECK_FALSE(axis("/workload/compute_scale", "2").is_of_workloads());
  CHECK_FALSE(axis("/platform/network/buses", "2").is_of_workloads());
  CHECK(axis("", R"({"workload": "a"})").is_of_workloads());
  CHECK_FALSE(axis("", R"({"workload": {"salvage": true}})").is_of_workloads());
  CHECK_FALSE(axis("", R"({"platform": {}})").is_of_workloads());
}

TEST_CASE("axes, values and workloads that do not exist are refused with those that do") {
  const Folder folder;
  auto store = open(":memory:");
  run(cases_of(folder, kTwoAndBuses, kHalo), store);
  CHECK(refused_comparison(store, {{{"network/busses", "1"}}, {}}) ==
        "--base: 'network/busses': the study has no axis of this name\n"
        "  its axes: workload, network/buses, network/latency");
  CHECK(refused_comparison(store, {{{"network/buses", "3"}}, {}}) ==
        "--base: network/buses = 3: the axis does not have this value\n  its values: 1, 2, 4");
  CHECK(refused_comparison(store, {{{"workload", "\"halo\""}}, {}}).find("each of which has a base") !=
        std::string::npos);
  CHECK(refused_comparison(store, {{}, {{"hpcg", 2}}}) ==
        "--weight: 'hpcg': the study has no workload of this name\n  its workloads: halo, ring");
}

TEST_CASE("a search takes the base case as its target, and no axis of workloads") {
  const Folder folder;
  const auto find = [&](const std::vector<std::string>& axes, FindOptions options) {
    auto store = open(":memory:");
    WorkloadPool workloads;
    return find_value(cases_of(folder, axes, kHalo), workloads, store, {.program = "test"}, options);
  };
  // The platform has two buses.
  const auto base = cases_of(folder, {}, kHalo);
  const auto found = find({"/network/buses=1,2,4"}, {.base = &base, .within = 0});
  REQUIRE(found);
  CHECK(found->target_is == FoundValue::Target::base);
  CHECK(found->target.count() == found->tried[1].outcome.run_time_ps);
  CHECK(found->found == std::size_t{1});
  const auto refused = find({kTwo}, {});
  REQUIRE_FALSE(refused);
  CHECK(to_string(refused.error()).find("run times of different work are not compared") != std::string::npos);
}

TEST_CASE("exports have SI numbers beside texts, and a workload's path and name") {
  const Folder folder;
  auto store = open(folder.at("r.sqlite"));
  run(cases_of(folder, {"/network/buses=1,unlimited", "/network/latency=10us,1us"}, kHalo), store);
  const auto csv = contents(store);
  CHECK(
      csv.starts_with("point,network/buses,network/buses_number,network/latency,network/latency_s,workload,"
                      "workload_path,status,reason,to_base,run_time_s,run_time_ps,"));
  CHECK(csv.find("\n3,unlimited,,1us,1e-06,halo,") != csv.npos);
  const auto database = Database::open(folder.at("r.sqlite"), 1);
  REQUIRE(database);
  auto row = database->prepare(
      "SELECT \"network/buses\", \"network/buses_number\", \"network/latency_s\", run_time_s * 1e12 - "
      "run_time_ps, workload"
      " FROM results WHERE point = 3");
  REQUIRE_MESSAGE(row, to_string(row.error()));
  REQUIRE(*row->step());
  CHECK(row->text(0) == "unlimited");
  CHECK(row->is_null(1));
  CHECK(row->real(2) == 1e-6);
  CHECK(row->real(3) == doctest::Approx(0).epsilon(0.01));
  CHECK(row->text(4) == "halo");
}
