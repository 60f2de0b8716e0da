#include "studies/study/difference.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "workloads/files/test_folder.hpp"

using namespace busline;

TEST_CASE("the end of a single run is reported like that of a study's point") {
  const TestFolder folder;
  const std::map<std::string, Outcome::Status> expected{{"complete", Outcome::Status::done},
                                                        {"deadlock", Outcome::Status::deadlock},
                                                        {"clock-overflow", Outcome::Status::clock_overflow},
                                                        {"interrupted", Outcome::Status::failed}};
  for (const auto& [status, as] : expected) {
    folder.write("run.json", R"({"schema": "busline/result/1", "status": ")" + status +
                                 R"(", "run_time_ps": 5, "ranks": []})");
    const auto read = read_comparable_runs(folder.file("run.json"));
    REQUIRE(read);
    CHECK(read->runs.at(0).outcome.status == as);
    CHECK(read->runs.at(0).outcome.run_time_ps == 5);
  }
}

TEST_CASE("a status of a run that is not known is an error") {
  const TestFolder folder;
  folder.write("run.json", R"({"schema": "busline/result/1", "status": "asleep", "ranks": []})");
  const auto read = read_comparable_runs(folder.file("run.json"));
  REQUIRE_FALSE(read);
  CHECK(to_string(read.error()).find("/status: expected one of") != std::string::npos);
}
