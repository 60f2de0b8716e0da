#include "measuring/runs/recording.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "measuring/runs/run_set_json.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

// What libbusline-times would write of a program on one rank that does not make the call --from.
constexpr const char* kProgram =
    R"(echo '{"schema": "busline/run-times/1", "mpi": "none", "cpu_model": "c", "cpus": 2, "ranks": [{"host": "h",
       "core": 0, "cores": 1, "time_ps": 5000, "made_from": false, "made_to": true}]}' >"$BUSLINE_TIMES_FILE")";

RecordingOptions options_for(const TestFolder& folder, std::string script) {
  return {.command = {"sh", "-c", std::move(script)},
          .folder = folder.file("set"),
          .runs = 2,
          .trace = false,
          .times_library = "",  // the shell does the library's work
          .tracer = ""};
}

std::string recording_refusal(const TestFolder& folder, const RecordingOptions& options) {
  const auto set = record_runs(options);
  return set ? "" : folder.shortened(to_string(set.error()));
}

RunSet document(const TestFolder& folder) {
  const auto set = read_run_set(folder.file("set/run-set.json"));
  REQUIRE(set);
  return *set;
}

}  // namespace

TEST_CASE("runs are recorded, more are added, and a folder that is not empty is left alone") {
  const TestFolder folder;
  auto options = options_for(folder, kProgram);
  REQUIRE(record_runs(options));
  CHECK(document(folder).runs.size() == 2);
  CHECK(document(folder).machine.pinning == "one core for each rank");
  CHECK(document(folder).name == "set");
  CHECK(recording_refusal(folder, options) ==
        folder.shortened(folder.file("set")) +
            ": the folder is not empty\n  add runs to it with --append, or name another folder with -o");
  options.earlier = Earlier::appended_to;
  REQUIRE(record_runs(options));
  CHECK(document(folder).runs.size() == 4);
  CHECK(document(folder).runs[3].time == Duration::picoseconds(5000));
  options.command.push_back("else");
  CHECK(recording_refusal(folder, options)
            .find("contains runs of another command or region\n  add runs only with the same command, --from "
                  "and --to") != std::string::npos);
}

TEST_CASE("a run that fails stops the recording, is in the document, and its output is shown") {
  const TestFolder folder;
  // The warm-up and the first run are well, the second run is not.
  const auto options = options_for(
      folder, fmt::format("{}; cd {}; echo x >>n; if [ $(wc -l <n) = 3 ]; then echo no; exit 7; fi", kProgram,
                          folder.path()));
  CHECK(recording_refusal(folder, options) ==
        "sh: run-2 ended with exit code 7\n  F/set/run-2.out ends with:\n    no");
  const auto set = document(folder);
  REQUIRE(set.runs.size() == 2);
  CHECK(set.runs[0].time);
  CHECK_FALSE(set.runs[1].time);
  CHECK(set.runs[1].exit_code == 7);
}

TEST_CASE("the reason for a failed run is reported") {
  const TestFolder folder;
  auto options = options_for(folder, "kill -9 $$");
  CHECK(recording_refusal(folder, options) ==
        "sh: warm-up-1 was terminated by signal 9\n  it printed nothing");
  options = options_for(folder, "sleep 60");
  options.earlier = Earlier::appended_to;
  options.limit = Duration::seconds(0.05);
  CHECK(recording_refusal(folder, options).find("sh: warm-up-1 was aborted: it took longer than 0.05 s") ==
        0);
  options = options_for(folder, "true");
  options.earlier = Earlier::appended_to;
  options.command.push_back("{}");
  options.times_library = "libbusline-times.so";
  CHECK(recording_refusal(folder, options)
            .find("check that the program uses the MPI library that libbusline-times.so was built for") !=
        std::string::npos);
}

TEST_CASE("a run with another number of ranks than those before it is an error") {
  const TestFolder folder;
  const std::string rank =
      R"({"host": "h", "core": 0, "cores": 1, "time_ps": 5000, "made_from": false, "made_to": true})";
  const auto options = options_for(
      folder, fmt::format(R"(cd {}; echo x >>n; ranks='{}'; [ $(wc -l <n) -lt 3 ] || ranks="$ranks, $ranks"
        echo '{{"schema": "busline/run-times/1", "mpi": "none", "cpu_model": "c", "cpus": 2, "ranks": ['"$ranks"']}}' >"$BUSLINE_TIMES_FILE")",
                          folder.path(), rank));
  CHECK(recording_refusal(folder, options) == "sh: run-2 had 2 ranks, but earlier runs had 1");
}

TEST_CASE("times of no rank, and a trace of another number of ranks, are errors") {
  const TestFolder folder;
  CHECK(
      recording_refusal(
          folder,
          options_for(
              folder,
              R"(echo '{"schema": "busline/run-times/1", "mpi": "none", "cpu_model": "c", "cpus": 2, "ranks": []}' >"$BUSLINE_TIMES_FILE")"))
          .find("/ranks: expected at least one rank, found ") != std::string::npos);
  const std::string trace =
      BUSLINE_SOURCE_DIR "/validation/golden/real_runs/A_r100_l500_8x1_eager/dumpi_jacobi2d";
  auto options = options_for(
      folder,
      fmt::format(R"([ -n "$BUSLINE_TIMES_FILE" ] || cp -r {} "${{DUMPI_FILEROOT%/*}}"; {})", trace,
                  std::string(kProgram).replace(std::string(kProgram).rfind(">\"$BUSLINE"), std::string::npos,
                                                ">\"${BUSLINE_TIMES_FILE:-/dev/null}\"")));
  options.earlier = Earlier::appended_to;
  options.trace = true;
  CHECK(recording_refusal(folder, options) == "F/set/trace: has 8 ranks, but the runs had 1");
}

TEST_CASE("a run without times, and a call that no rank makes, are errors") {
  const TestFolder folder;
  CHECK(recording_refusal(folder, options_for(folder, "true")) ==
        "sh: warm-up-1 left no times: the library was not loaded, or the program did not call MPI_Finalize\n"
        "  put {} before the program: mpirun -n 8 {} ./app");
  auto options = options_for(folder, kProgram);
  options.earlier = Earlier::appended_to;  // no document is there yet
  options.region.from = CallRef{"MPI_Scan", 2};
  CHECK(recording_refusal(folder, options).find("no rank calls MPI_Scan 2 times") == 0);
}

TEST_CASE("an interrupted recording keeps the runs before") {
  const TestFolder folder;
  auto options = options_for(folder, kProgram);
  bool go_on = true;
  options.go_on = [&] { return go_on; };
  options.tell = [&](double share) { go_on = share < 0.5; };
  options.runs = 4;  // and the warm-up: three of five are beyond a half
  const auto set = record_runs(options);
  REQUIRE(set);
  CHECK(set->runs.size() == 2);
  CHECK(document(folder).runs.size() == 2);
}

TEST_CASE("a border is a call that can be timed") {
  const auto message = [](const CallRef& call, bool is_end) {
    const auto ok = check_border(call, "--to", is_end);
    return ok ? "" : to_string(ok.error());
  };
  CHECK(message({"MPI_Reduce", -3}, true).empty());
  CHECK(message({"MPI_Finalize", 1}, true).empty());
  CHECK(message({"MPI_Finalize", 1}, false).find("--to: MPI_Finalize cannot be timed") == 0);
  CHECK(message({"main", 1}, false) ==
        "--to: main cannot be timed\n"
        "  collectives, communicator constructors, and blocking sends, receives and waits can be timed");
  CHECK(message({"MPI_Bariere", 1}, false) ==
        "--to: MPI_Bariere cannot be timed\n  did you mean MPI_Barrier?");
  CHECK(message({"MPI_Reduce", 1'000'001}, true) ==
        "--to: MPI_Reduce:1000001: expected a number up to 1000000");
}

TEST_CASE("completing a recording keeps its runs and adds only the missing ones") {
  const TestFolder folder;
  auto options = options_for(folder, fmt::format("cd {}; echo x >>n; {}", folder.path(), kProgram));
  options.earlier = Earlier::completed;
  const auto launches = [&] { return folder.read("n").size() / 2; };
  REQUIRE(record_runs(options));
  CHECK(launches() == 3);  // with a warm-up
  REQUIRE(record_runs(options));
  CHECK(launches() == 3);
  options.runs = 3;
  const auto set = record_runs(options);
  REQUIRE(set);
  CHECK(set->runs.size() == 3);
  CHECK(launches() == 5);
  options.command.push_back("else");
  CHECK(recording_refusal(folder, options).find("record it anew with --again") != std::string::npos);
  options.earlier = Earlier::replaced;
  options.runs = 1;
  REQUIRE(record_runs(options));
  CHECK(document(folder).runs.size() == 1);
  CHECK_FALSE(std::filesystem::exists(folder.file("set/run-2.out")));
  folder.write("set/notes", "");
  CHECK(recording_refusal(folder, options).find("the folder is not empty") != std::string::npos);
}

TEST_CASE("a run is disturbed as much as its most disturbed rank") {
  const TestFolder folder;
  const auto set = record_runs(options_for(
      folder,
      R"(rank='{"host": "h", "cores": 1, "time_ps": 5000, "made_from": true, "made_to": true, "preempted": 2'
         echo '{"schema": "busline/run-times/1", "mpi": "none", "cpu_model": "c", "cpus": 2,
                "ranks": ['"$rank"', "cpu_wait_ps": 250}, '"$rank"', "cpu_wait_ps": 251}]}' >"$BUSLINE_TIMES_FILE")"));
  REQUIRE(set);
  CHECK(set->runs.front().disturbance == Disturbance{.cpu_wait = Duration::picoseconds(251), .preempted = 4});
  CHECK(is_disturbed(set->runs.front()) == true);  // more than 5 % of 5000 ps
  CHECK(disturbed_runs(*set) == 2);
}

TEST_CASE("whether a run was disturbed is not known without the time that it waited or was throttled") {
  constexpr auto ps = [](std::int64_t n) { return Duration::picoseconds(n); };
  CHECK_FALSE(is_disturbed({.time = ps(5000), .disturbance = {.preempted = 9}}));
  CHECK_FALSE(is_disturbed({.exit_code = 1, .disturbance = {.cpu_wait = ps(9)}}));
  CHECK(is_disturbed({.time = ps(5000), .disturbance = {.cpu_wait = ps(250)}}) == false);
  CHECK(is_disturbed({.time = ps(5000), .disturbance = {.cpu_wait = ps(0), .throttled = ps(251)}}) == true);
  RunSet set;
  set.runs = {{.time = ps(5000), .disturbance = {.cpu_wait = ps(0)}}, {.exit_code = 1}};
  CHECK(disturbed_runs(set) == 0);
  set.runs.push_back({.time = ps(5000)});
  CHECK_FALSE(disturbed_runs(set));
}

TEST_CASE("ranks are bound by their number on the node, which the launcher must give") {
  const TestFolder folder;
  auto options = options_for(folder, kProgram);
  options.pin = true;
  CHECK(recording_refusal(folder, options) ==
        "--pin: needs {} before the program\n  such as mpirun -n 8 {} ./app");
}

TEST_CASE("runs of bound ranks are not added to those of ranks that could use several cores") {
  const TestFolder folder;
  auto options = options_for(
      folder,
      R"(echo '{"schema": "busline/run-times/1", "mpi": "none", "cpu_model": "c", "cpus": 2, "ranks": [{"host": "h",
         "cores": 2, "time_ps": 5000, "made_from": false, "made_to": true}]}' >"$BUSLINE_TIMES_FILE")");
  options.command.insert(options.command.begin(), "{}");
  REQUIRE(record_runs(options));
  CHECK(document(folder).machine.pinning == "several cores for each rank");
  options.pin = true;
  options.runs = 3;
  options.earlier = Earlier::completed;
  CHECK(recording_refusal(folder, options).find("record it anew with --again") != std::string::npos);
  options.earlier = Earlier::appended_to;
  CHECK(recording_refusal(folder, options).find("add runs without --pin") != std::string::npos);
  CHECK(document(folder).runs.size() == 2);
}
