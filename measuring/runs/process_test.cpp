#include "measuring/runs/process.hpp"

#include <doctest/doctest.h>

#include "workloads/files/test_folder.hpp"

using namespace busline;
using namespace busline::runs;

namespace {

ProcessOptions shell(const TestFolder& folder, const char* script) {
  return {.words = {"sh", "-c", script}, .output = folder.file("out"), .errors = folder.file("err")};
}

}  // namespace

TEST_CASE("a command's output, exit code and time are kept") {
  const TestFolder folder;
  auto options = shell(folder, "echo $BUSLINE_TEST; echo oh >&2; exit 3");
  options.variables = {{"BUSLINE_TEST", "a b"}};
  const auto end = run_process(options);
  REQUIRE(end);
  CHECK(end->exit_code == 3);
  CHECK(end->why == ProcessEnd::Why::itself);
  CHECK(end->wall > Duration());
  CHECK(folder.read("out") == "a b\n");
  CHECK(folder.read("err") == "oh\n");
  CHECK(run_process(shell(folder, "kill -9 $$"))->exit_code == 137);
}

TEST_CASE("a command that takes too long, or is interrupted, is aborted with all its children") {
  const TestFolder folder;
  auto options = shell(folder, "sleep 60 & sleep 60");
  options.limit = Duration::seconds(0.05);
  const auto late = run_process(options);
  REQUIRE(late);
  CHECK(late->why == ProcessEnd::Why::limit);
  CHECK(late->exit_code == 143);
  options.limit.reset();
  options.go_on = [] { return false; };
  CHECK(run_process(options)->why == ProcessEnd::Why::interrupted);
}

TEST_CASE("a command that is not there is an error") {
  const TestFolder folder;
  auto options = shell(folder, "");
  options.words = {"busline-no-such-command"};
  const auto end = run_process(options);
  REQUIRE_FALSE(end);
  CHECK(to_string(end.error()) == "busline-no-such-command: cannot be started: No such file or directory");
  options.output = folder.file("none/out");
  CHECK(folder.shortened(to_string(run_process(options).error())) ==
        "F/none/out: cannot be written: No such file or directory");
}
