#include "workloads/ti/read_ti.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace busline;

namespace {

/// Files of these contents, one a rank, for as long as this lives.
class Files {
 public:
  explicit Files(const std::vector<std::string>& contents) {
    static int made = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("busline-ti-" + std::to_string(getpid()) + "-" + std::to_string(made++));
    std::filesystem::create_directory(folder_);
    for (std::size_t r = 0; r < contents.size(); ++r) {
      paths.push_back((folder_ / ("r" + std::to_string(r) + ".txt")).string());
      std::ofstream(paths.back()) << contents[r];
    }
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() { std::filesystem::remove_all(folder_); }

  std::vector<std::string> paths;

 private:
  std::filesystem::path folder_;
};

std::string error_of(const std::vector<std::string>& contents) {
  const Files files(contents);
  const auto read = read_ti(files.paths);
  REQUIRE_FALSE(read);
  auto text = to_string(read.error());
  return text.substr(text.rfind('/') + 1);
}

}  // namespace

TEST_CASE("a time-independent trace becomes messages, waits and bursts") {
  const Files files(
      {"0 init\n0 isend 1 7 10 0\n0 irecv 1 8 3\n0 compute 2e6\n0 wait 0 1 7\n0 waitall 1\n"
       "0 test 1 0 8\n0 finalize",
       "1 init\r\n\n1 recv 0 7 10 0\n1 send 0 8 3 6\n1 barrier\n1 finalize\n"});
  TiOptions options;
  options.extra_bytes = 16;
  const auto program = read_ti(files.paths, options);
  if (!program) FAIL(to_string(program.error()));
  REQUIRE(program->ranks() == 2);
  const auto first = program->operations(program->strands()[0]);
  REQUIRE(first.size() == 5);
  CHECK(first[0].kind == OpKind::isend);
  CHECK(first[0].amount == 10 * 8 + 16);
  CHECK(first[1].kind == OpKind::irecv);
  CHECK(first[1].amount == 3 + 16);
  CHECK(first[2].kind == OpKind::compute);
  CHECK(first[2].amount == 2'000'000'000);  // 2 ms at 1 Gflop/s
  CHECK(first[3].kind == OpKind::wait_send);
  CHECK(first[4].kind == OpKind::wait_recv);
  const auto second = program->operations(program->strands()[1]);
  REQUIRE(second.size() == 3);
  CHECK(second[1].kind == OpKind::send);
}

TEST_CASE("a detached message waits for its receiver, and nobody for it") {
  const Files files({"0 isend 1 0 9\n0 isend 1 0 10\n0 waitall 2\n0 send 1 1 3", "1 init"});
  TiOptions options;
  options.detached_below = 10;
  const auto program = read_ti(files.paths, options);
  REQUIRE(program);
  const auto operations = program->operations(program->strands()[0]);
  REQUIRE(operations.size() == 4);
  CHECK((operations[0].flags & Operation::synchronous) != 0);
  CHECK((operations[1].flags & Operation::synchronous) == 0);
  CHECK(operations[2].kind == OpKind::wait_send);
  CHECK((operations[3].flags & Operation::synchronous) != 0);
}

TEST_CASE("what is wrong in a time-independent trace is told with its line") {
  CHECK(error_of({"0 init\n1 init\n"}) ==
        "r0.txt:2: expected this rank's number, a whole number from 0 to 0, as word 1");
  CHECK(error_of({"0 send 1 0 8"}) == "r0.txt:1: expected a rank, a whole number from 0 to 0, as word 3");
  CHECK(error_of({"0 send 0 0"}).ends_with("as word 5"));
  CHECK(error_of({"0 send 0 0 8 9"}) ==
        "r0.txt:1: expected a datatype, a whole number from 0 to 6, as word 6");
  CHECK(error_of({"0 init\n0 wait 0 0 3"}) ==
        "r0.txt:2: nothing from rank 0 to rank 0 with tag 3 is open here");
  CHECK(error_of({"0 compute many"}) == "r0.txt:1: expected an amount that a run has time for, as word 3");
  CHECK(error_of({"0 compute 1e300"}) == "r0.txt:1: expected an amount that a run has time for, as word 3");
  CHECK(error_of({"0 gatherv 1 2 3"}) == "r0.txt:1: 'gatherv' is not read from such traces");
  CHECK(error_of({"0 init", "0 init"}) == "r1.txt:1: expected '1 VERB ...'");
}
