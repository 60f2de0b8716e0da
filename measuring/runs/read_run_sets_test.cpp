#include "measuring/runs/read_run_sets.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "measuring/runs/run_set_json.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

RunSet named(const char* name) {
  RunSet set{.name = name, .ranks = 1};
  set.machine.name = "m";
  return set;
}

std::string names_in(const std::string& path) {
  const auto sets = read_run_sets(path);
  if (!sets) return to_string(sets.error());
  std::string names;
  for (const auto& set : *sets) names.append(names.empty() ? "" : " ").append(set.name);
  return names;
}

}  // namespace

TEST_CASE("run sets are found as a file, in a folder, and in folders of folders") {
  const TestFolder folder;
  folder.write("b/x/nothing", "");
  folder.write("a/nothing", "");
  REQUIRE(write_run_set(named("second"), folder.file("b/x/run-set.json")));
  REQUIRE(write_run_set(named("first"), folder.file("a/run-set.json")));
  CHECK(names_in(folder.file("a/run-set.json")) == "first");
  CHECK(names_in(folder.file("b/x")) == "second");
  CHECK(names_in(folder.path()) == "first second");
  CHECK(read_run_sets(folder.file("b"))->front().folder == folder.file("b/x"));
}

TEST_CASE("a folder of golden real runs holds a set for each program of each setting") {
  const auto names = names_in(BUSLINE_SOURCE_DIR "/validation/golden/real_runs");
  // Those of times.jsonl come in its order, run sets by name. The two settings with the default protocol have
  // no ring, which hangs there.
  const std::string listed = "jacobi2d ring fftlike cglike farm bucketsort";
  const std::string sorted = "bucketsort cglike farm fftlike jacobi2d ring";
  CHECK(names ==
        fmt::format("{0} {0} {0} jacobi2d fftlike cglike farm bucketsort {1} {1} {1} bucketsort cglike "
                    "farm fftlike jacobi2d {0}",
                    listed, sorted));
}

TEST_CASE("a folder without run sets, and a path that is not there, are errors") {
  const TestFolder folder;
  CHECK(folder.shortened(names_in(folder.path())) ==
        "F: contains no run set: no run-set.json in it or its folders\n"
        "  'busline-measure record' makes one");
  CHECK(folder.shortened(names_in(folder.file("none"))).find("F/none: ") == 0);
  folder.write("a/run-set.json", "{}");
  CHECK(folder.shortened(names_in(folder.path())).find("F/a/run-set.json:1:1") == 0);
}

TEST_CASE("what holds run sets is told from traces and other documents") {
  const TestFolder folder;
  folder.write("set/x/y", "");
  REQUIRE(write_run_set(named("one"), folder.file("set/x/other-name.json")));
  CHECK(holds_run_sets(folder.file("set/x/other-name.json")));
  CHECK_FALSE(holds_run_sets(folder.file("set")));  // folders hold documents of the usual name
  folder.write("set/x/run-set.json", "damaged");
  CHECK(holds_run_sets(folder.file("set")));
  CHECK(holds_run_sets(folder.file("set/x/run-set.json")));
  folder.write("platform.json", R"({"schema": "busline/platform/1"})");
  CHECK_FALSE(holds_run_sets(folder.file("platform.json")));
  CHECK_FALSE(holds_run_sets(folder.file("no-such-file")));
  const std::string golden = BUSLINE_SOURCE_DIR "/validation/golden/real_runs/A_r100_l500_8x1_eager";
  CHECK(holds_run_sets(golden));
  CHECK_FALSE(holds_run_sets(golden + "/dumpi_ring"));
}
