// How jobs are launched, and what comes back: without any launcher.
#include "measuring/mpi/launcher.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "workloads/files/test_folder.hpp"

namespace {

using namespace busline;
using ziatest::LaunchJob;

LaunchJob job(std::uint32_t nodes, std::uint32_t per_node) {
  return {.exchange = {.nodes = nodes, .ranks_per_node = per_node}, .image = Bytes{1000}};
}

struct Report {
  std::string path =
      (std::filesystem::temp_directory_path() / ("busline-report-" + std::to_string(::getpid()))).string();
  explicit Report(const std::string& text) { std::ofstream(path) << text; }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
  ~Report() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("a launch command's numbers are the job's") {
  CHECK(mpi::launch_words("mpirun  -n {ranks}", job(4, 8)) == std::vector<std::string>{"mpirun", "-n", "32"});
  CHECK(mpi::launch_words("srun -N{nodes} --ntasks-per-node={per_node} ", job(4, 8)) ==
        std::vector<std::string>{"srun", "-N4", "--ntasks-per-node=8"});
  CHECK(mpi::launch_words(" ", job(1, 1)).empty());
}

TEST_CASE("a report has a time for each rank that took a stamp") {
  const Report report("1500\n-\n2000000000\n");
  const auto times = mpi::read_probe_report(report.path, 3);
  REQUIRE(times);
  CHECK(times->stamps[0] == Duration::picoseconds(1'500'000));
  CHECK_FALSE(times->stamps[1]);
  CHECK(times->stamps[2] == Duration::seconds(2));
}

TEST_CASE("a report that is missing, damaged or of another job is an error") {
  const auto message = [](const std::string& path, std::uint32_t ranks) {
    const auto times = mpi::read_probe_report(path, ranks);
    return times ? std::string() : times.error().message;
  };
  const Report report("1500\nlate\n");
  CHECK(message(report.path, 2) == "line 2 is not a time");
  CHECK(message("no/such/report", 2) == "was not written: rank 0 did not finish");
  const Report short_report("1500\n");
  const auto fewer = mpi::read_probe_report(short_report.path, 2);
  REQUIRE_FALSE(fewer);
  CHECK(fewer.error().message == "launched 1 rank, but expected 2");
  CHECK(fewer.error().hint ==
        "the launch command sets the number of ranks: use {ranks}, {nodes} and {per_node} in it");
}

TEST_CASE("failures to start or copy are errors with a hint") {
  const TestFolder own;  // other tests, at the same time, have copies of the same name
  const auto& folder = own.path();
  mpi::LauncherTestbed no_probe({.command = "true", .probe = "no/such/probe", .folder = folder});
  const auto not_copied = no_probe.launch(job(1, 1));
  REQUIRE_FALSE(not_copied);
  CHECK(not_copied.error().message == "no/such/probe cannot be copied: No such file or directory");
  CHECK(not_copied.error().hint == "set --probe-folder to a folder that all nodes see");
  mpi::LauncherTestbed nothing({.command = " ", .probe = "/bin/true", .folder = folder});
  CHECK(to_string(nothing.launch(job(1, 1)).error()) == "the launch command is empty");
  CHECK(to_string(nothing.run({.operation = "MPI_Bcast", .ranks = {}}, {}).error()) ==
        "MPI_Bcast needs ranks: run it with mpirun");
  mpi::LauncherTestbed no_launcher(
      {.command = "no-such-launcher -n {ranks}", .probe = "/bin/true", .folder = folder});
  const auto times = no_launcher.launch(job(1, 1));
  REQUIRE_FALSE(times);
  CHECK(to_string(times.error()) ==
        "no-such-launcher: cannot be started: No such file or directory\n"
        "  the launch command is the second argument");
  // It ends well and reports nothing.
  mpi::LauncherTestbed silent({.command = "true", .probe = "/bin/true", .folder = folder});
  CHECK_FALSE(silent.launch(job(1, 1)));
  mpi::LauncherTestbed failing({.command = "false", .probe = "/bin/true", .folder = folder});
  const auto failed = failing.launch(job(1, 1));
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "ended with status 1");
  CHECK(failed.error().hint == "its messages are above");
  own.write("killed", "kill -9 $$\n");
  mpi::LauncherTestbed killed(
      {.command = "sh " + own.file("killed"), .probe = "/bin/true", .folder = folder});
  CHECK(killed.launch(job(1, 1)).error().message == "was terminated by signal 9");
}

TEST_CASE("a launch that takes too long is aborted") {
  const TestFolder own;
  const auto& folder = own.path();
  own.write("slow-probe", "exec sleep 60\n");
  const auto script = own.file("slow-probe");
  mpi::LauncherTestbed slow(
      {.command = "sh", .probe = script, .folder = folder, .time_limit = std::chrono::milliseconds(50)});
  const auto times = slow.launch(job(1, 1));
  REQUIRE_FALSE(times);
  CHECK(times.error().message == "did not finish within 0.05 s and was aborted");
  CHECK(times.error().hint == "allow more time with --launch-limit");
}
