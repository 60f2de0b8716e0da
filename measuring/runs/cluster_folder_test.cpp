#include "measuring/runs/cluster_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string_view>

#include "measuring/runs/trace_times.hpp"
#include "sim/base/test_text.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::runs;
namespace fs = std::filesystem;

namespace {

const std::string kRealRuns = BUSLINE_SOURCE_DIR "/validation/golden/real_runs";
constexpr std::string_view kCluster = "N=2 rate=100 lat=500\nnp=2 ppn=1 mpi=openmpi-4.1.4 --mca a 1\n";
constexpr std::string_view kLine =
    R"({"app":"ring","ranks":2,"iters":3,"size":8,"comp_us":1.0,"mode":"sleep","time_s":0.25})";

// What is wrong with a folder of these files; it is called F.
std::string folder_refusal(std::string_view cluster, std::string_view times, std::string_view traced = {}) {
  const TestFolder folder;
  folder.write("cluster.txt", cluster);
  folder.write("times.jsonl", times);
  if (!traced.empty()) folder.write("times_traced.jsonl", traced);
  const auto sets = read_cluster_folder(folder.path());
  return sets ? "" : folder.shortened(to_string(sets.error()));
}

// kLine with the first `from` replaced.
std::string line_with(std::string_view from, std::string_view to) {
  return replaced(std::string(kLine), from, to);
}

}  // namespace

TEST_CASE("the golden real runs are read as run sets, whose traced times are those of their traces") {
  const auto sets = read_cluster_folder(kRealRuns + "/P_r50_l500_8x1_forced");
  REQUIRE(sets);
  REQUIRE(sets->size() == 6);
  const auto& first = sets->front();
  CHECK(first.name == "jacobi2d");
  CHECK(first.command.front() == "jacobi2d");
  CHECK(first.machine.name == "P_r50_l500_8x1_forced");
  CHECK(first.machine.mpi == "openmpi-4.1.4");
  CHECK(first.placement.size() == 8);
  CHECK(first.placement[7].node == 7);
  for (const auto& set : *sets) {
    CHECK(times_of(set).size() == 3);
    REQUIRE(set.traced);
    const auto times = trace_times(trace_path(set), set.region);
    REQUIRE(times);
    // The programs read MPI_Wtime a little apart from the calls.
    const auto longest = std::max_element(times->begin(), times->end())->in_seconds();
    CHECK(set.traced->run.time->in_seconds() == doctest::Approx(longest).epsilon(1e-3));
  }
}

TEST_CASE("errors in a folder of real runs name file and line") {
  const std::string line(kLine);
  CHECK(folder_refusal(kCluster, line) == "");
  CHECK(folder_refusal(kCluster, line + "\n" + line_with("0.25", "-1")).find("F/times.jsonl:2:") == 0);
  CHECK(folder_refusal(kCluster, line_with("0.25", "NaN")).find("F/times.jsonl:1:") == 0);
  CHECK(folder_refusal(kCluster, line_with("0.25", "1e9")).find("is longer than a run can be") !=
        std::string::npos);
  CHECK(folder_refusal(kCluster, line_with("time_s", "times")).find("F/times.jsonl:1:") == 0);
  CHECK(folder_refusal(kCluster, line_with("\"ranks\":2", "\"ranks\":4")) ==
        "F/times.jsonl:1: ring ran on 4 ranks, but cluster.txt says 2");
  CHECK(folder_refusal(kCluster, line + "\n" + line_with("\"iters\":3", "\"iters\":4")) ==
        "F/times.jsonl:2: ring ran with different parameters than before");
  CHECK(folder_refusal(kCluster, line_with("ring", "../ring")).find("/app: expected the name of a program") !=
        std::string::npos);
  CHECK(folder_refusal("np=2\n", line) ==
        "F/cluster.txt: np= and ppn= are missing: the numbers of ranks, and of ranks per host");
  CHECK(folder_refusal("np=-2 ppn=1\n", line) == "F/cluster.txt: np=-2: expected a number from 1 to 9999");
  CHECK(folder_refusal(kCluster, line, line_with("ring", "farm")) ==
        "F/times_traced.jsonl:1: farm has no run in times.jsonl");
}
