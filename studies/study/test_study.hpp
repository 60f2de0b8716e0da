// For tests: studies of a small platform in a folder of their own, and what their stores hold.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "studies/study/run_study.hpp"
#include "studies/study/study_report.hpp"
#include "workloads/files/test_folder.hpp"

namespace busline::test {

inline constexpr const char* kPlatform = R"({
  "schema": "busline/platform/1", "name": "p",
  "nodes": [{"count": 8, "cpus": 1, "links": 1, "intra_node": {"latency": "1us", "bandwidth": "8 GB/s"}}],
  "network": {"latency": "10us", "bandwidth": "1 Gbps", "buses": 2}})";

// A folder of its own with a platform, gone at the end.
class Folder {
 public:
  Folder() { folder_.write("p.json", kPlatform); }
  std::string at(const std::string& name) const { return folder_.file(name); }

 private:
  TestFolder folder_;
};

inline Cases cases_of(const Folder& folder, std::vector<std::string> axes, const std::string& workload,
                      std::vector<std::string> sets = {}, const std::string& timeout = "") {
  StudyOptions options;
  options.platform = folder.at("p.json");
  options.workload = workload;
  options.axes = std::move(axes);
  options.sets = std::move(sets);
  options.timeout = timeout;
  auto study = make_study(options);
  REQUIRE_MESSAGE(study, to_string(study.error()));
  Diagnostics diagnostics;
  auto cases = Cases::of(*std::move(study), diagnostics);
  REQUIRE_MESSAGE(cases, to_string(cases.error()));
  return *std::move(cases);
}

inline const std::string kHalo = R"({"generate": "halo", "ranks": 8, "iterations": 3})";

inline Store open(const std::string& path, Store::Mode mode = Store::Mode::create) {
  auto store = Store::open(path, mode);
  REQUIRE_MESSAGE(store, to_string(store.error()));
  return *std::move(store);
}

inline StudyProgress run(const Cases& cases, Store& store, RunStudyOptions how = {}) {
  REQUIRE(store.begin(stored(cases.study(), cases.points().count())));
  WorkloadPool workloads;
  how.program = "test";
  const auto done = run_study(cases, workloads, store, how);
  REQUIRE_MESSAGE(done, to_string(done.error()));
  return *done;
}

// All that is compared: without the time that it took.
inline std::string contents(const Store& store) {
  std::string text;
  const auto done = export_study(store, ExportFormat::csv, [&](std::string_view part) -> Expected<void> {
    text += part;
    return {};
  });
  REQUIRE(done);
  return text;
}

inline std::vector<PointOutcome> points_in(const Store& store) {
  std::vector<PointOutcome> all;
  REQUIRE(store.each([&](const PointOutcome& p) -> Expected<void> {
    all.push_back(p);
    return {};
  }));
  return all;
}

}  // namespace busline::test
