#include "measuring/runs/preload.hpp"

#include <doctest/doctest.h>

#include "measuring/runs/process.hpp"
#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::runs;

TEST_CASE("the mark becomes a script that keeps what the launcher loads, and arguments as they are") {
  const TestFolder folder;
  // A launcher that loads a library of its own into the program. (Neither library exists; the loader says
  // so.)
  const std::vector<std::string> command{
      "env", "LD_PRELOAD=own.so", "{}", "sh", "-c", "echo $LD_PRELOAD $V; echo \"$0\"", "a  'b'"};
  const auto loaded = load_into(command, {"lib.so", {{"V", "it's"}}}, folder.file("load script"));
  REQUIRE(loaded);
  CHECK(loaded->variables.empty());
  CHECK(loaded->words[2] == folder.file("load script"));
  REQUIRE(run_process({.words = loaded->words, .output = folder.file("out"), .errors = folder.file("err")}));
  CHECK(folder.read("out") == "lib.so:own.so it's\na  'b'\n");
}

TEST_CASE("without a mark the launcher gets the variables") {
  const auto loaded = load_into({"mpirun", "./app"}, {"lib.so", {{"V", "1"}}}, "");
  REQUIRE(loaded);
  CHECK(loaded->words == std::vector<std::string>{"mpirun", "./app"});
  REQUIRE(loaded->variables.size() == 2);
  CHECK(loaded->variables[0] == Variable{"V", "1"});
  CHECK(loaded->variables[1].name == "LD_PRELOAD");
}

TEST_CASE("a program is named by the word after the mark") {
  CHECK(program_name({"mpirun", "{}", "/opt/bin/jacobi2d", "x"}) == "jacobi2d");
  CHECK(program_name({"mpirun", "jacobi2d"}).empty());
  CHECK(program_name({"mpirun", "{}"}).empty());
}

TEST_CASE("a process is bound to one of its CPUs, by its number on the node") {
  const TestFolder folder;
  const auto bound_to = [&](const std::vector<std::string>& launcher) {
    auto command = launcher;
    command.insert(command.end(), {"{}", "sh", "-c", "grep ^Cpus_allowed_list /proc/self/status"});
    const auto loaded = load_into(command, {"", {}, true}, folder.file("script"));
    REQUIRE(loaded);
    REQUIRE(
        run_process({.words = loaded->words, .output = folder.file("out"), .errors = folder.file("err")}));
    return folder.read("out");
  };
  const auto first = bound_to({"env", "OMPI_COMM_WORLD_LOCAL_RANK=0"});
  CHECK(first.find_first_of(",-") == first.npos);
  CHECK(first.find_first_of("0123456789") != first.npos);
  // Its own number counts, not the launcher's library.
  CHECK(bound_to({"env", "SLURM_LOCALID=0"}) == first);
  CHECK(bound_to({"env", "-u", "OMPI_COMM_WORLD_LOCAL_RANK", "-u", "MPI_LOCALRANKID", "-u", "SLURM_LOCALID",
                  "-u", "PALS_LOCAL_RANKID"})
            .empty());
  CHECK(folder.read("err").find("does not number the ranks of a node") != std::string::npos);
}
