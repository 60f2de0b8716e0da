#include "measuring/runs/run_set_json.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "sim/base/test_text.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

constexpr std::string_view kText = R"({
  "schema": "busline/run-set/1",
  "name": "jacobi2d",
  "command": ["mpirun", "-n", "2", "{}", "./jacobi2d"],
  "ranks": 2,
  "machine": {"name": "cluster"},
  "placement": [{"host": "h0", "node": 0, "core": 1}, {"host": "h1", "node": 1}],
  "region": {"from": "MPI_Barrier:1", "to": "MPI_Reduce:-3"},
  "runs": [{"time_ps": 2000, "rank_times_ps": [1000, 2000], "wall_ps": 9000}, {"exit_code": 1}],
  "traced": {"trace": "trace/jacobi2d.meta", "time_ps": 2100},
  "environment": {"OMP_NUM_THREADS": "1"},
  "provenance": {"tool": "busline", "version": "0", "command": [], "wall_s": 0, "user_s": 0}
})";

// kText with the first `from` replaced.
std::string run_set_with(std::string_view from, std::string_view to) {
  return replaced(std::string(kText), from, to);
}

std::string run_set_refusal(std::string_view from, std::string_view to) {
  const auto set = parse_run_set(run_set_with(from, to), "runs/run-set.json");
  return set ? "" : to_string(set.error());
}

}  // namespace

TEST_CASE("a run set records what was run where, and how long it took") {
  const auto set = parse_run_set(std::string(kText), "runs/run-set.json");
  REQUIRE(set);
  CHECK(set->ranks == 2);
  CHECK(set->placement[0].core == 1);
  CHECK(set->placement[1].core == -1);
  CHECK(set->region == Borders{CallRef{"MPI_Barrier", 1}, CallRef{"MPI_Reduce", -3}});
  CHECK(times_of(*set) == std::vector{Duration::picoseconds(2000)});
  CHECK(set->runs[0].wall == Duration::picoseconds(9000));
  CHECK(set->runs[1].exit_code == 1);
  CHECK(trace_path(*set) == "runs/trace/jacobi2d.meta");
  CHECK(set->environment == std::vector<Variable>{{"OMP_NUM_THREADS", "1"}});
}

TEST_CASE("what is written can be read again") {
  const auto set = parse_run_set(std::string(kText), "runs/run-set.json");
  REQUIRE(set);
  const auto again = parse_run_set(to_json(*set).dump(), "runs/run-set.json");
  REQUIRE(again);
  CHECK(*again == *set);
  const auto smallest = RunSet{.name = "a", .ranks = 1};
  CHECK(to_json(smallest).size() == 7);  // schema, name, command, ranks, machine, runs, provenance
}

TEST_CASE("a trace lies in its document's folder unless its path is absolute") {
  const auto trace = [](std::string_view path) {
    const auto set = parse_run_set(run_set_with("trace/jacobi2d.meta", path), "runs/run-set.json");
    return set ? trace_path(*set) : to_string(set.error());
  };
  CHECK(trace("/data/a.meta") == "/data/a.meta");
  CHECK(trace("trace/../a.meta") == "runs/trace/../a.meta");
  CHECK(trace("../a.meta") ==
        "runs/run-set.json:10:23: /traced/trace: ../a.meta leads out of the document's folder, expected a "
        "path inside it or an absolute path");
  CHECK(trace("trace/../../a.meta").find("leads out") != std::string::npos);
  CHECK(trace("").find("expected a path") != std::string::npos);
}

TEST_CASE("errors in a run set name their place") {
  CHECK(run_set_refusal("busline/run-set/1", "busline/run-set/2") ==
        "runs/run-set.json:2:13: /schema: expected \"busline/run-set/1\", found \"busline/run-set/2\"");
  CHECK(run_set_refusal("\"wall_ps\"", "\"wal_ps\"").find("runs/run-set.json:9:") == 0);
  CHECK(run_set_refusal("[1000, 2000]", "[2000]") ==
        "runs/run-set.json:9:47: /runs/0/rank_times_ps: found 1 entries for 2 ranks");
  CHECK(run_set_refusal("[1000, 2000]", "[1000, 2001]") ==
        "runs/run-set.json:9:24: /runs/0/time_ps: is 2000, but the longest of rank_times_ps is 2001");
  CHECK(run_set_refusal(", {\"host\": \"h1\", \"node\": 1}", "")
            .find("/placement: found 1 entries for 2 ranks") != std::string::npos);
  CHECK(run_set_refusal("\"ranks\": 2", "\"ranks\": 0").find("/ranks: expected a whole number from 1") !=
        std::string::npos);
  CHECK(run_set_refusal("\"time_ps\": 2000", "\"time_ps\": -1").find("/runs/0/time_ps: expected") !=
        std::string::npos);
  CHECK(run_set_refusal("\"time_ps\": 2000", "\"time_ps\": NaN").find("runs/run-set.json:9:") == 0);
  CHECK(run_set_refusal("\"exit_code\": 1", "\"exit_code\": 0")
            .find("/runs/1: time_ps is missing, but exit_code does not report a failed run") !=
        std::string::npos);
  CHECK(
      run_set_refusal("2100", "2100, \"exit_code\": 9").find("a run with exit code 9 cannot have time_ps") !=
      std::string::npos);
  CHECK(run_set_refusal("MPI_Barrier:1", "MPI_Barrier:0")
            .find("/region/from: expected a call and its number, such as \"MPI_Barrier:1\" or "
                  "\"MPI_Reduce:-3\"") != std::string::npos);
  CHECK(run_set_refusal("\"1\"", "1").find("/environment/OMP_NUM_THREADS: expected") != std::string::npos);
}

TEST_CASE("the spread is the difference between the longest and shortest times, relative to the median") {
  const auto ps = [](std::int64_t n) { return Duration::picoseconds(n); };
  CHECK_FALSE(spread_of({}));
  const auto odd = spread_of({ps(100), ps(90), ps(120)});
  CHECK(odd == runs::Spread{ps(90), ps(100), ps(120)});
  CHECK(odd->relative() == doctest::Approx(0.3));
  CHECK(spread_of({ps(4), ps(1), ps(2), ps(8)})->median == ps(3));
  CHECK(spread_of({ps(0)})->relative() == 0);
}
