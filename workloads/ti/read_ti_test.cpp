#include "workloads/ti/read_ti.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "workloads/files/test_folder.hpp"

using namespace busline;

namespace {

/// Files of these contents, one per rank, for the lifetime of this object.
class Files {
 public:
  explicit Files(const std::vector<std::string>& contents) {
    for (std::size_t r = 0; r < contents.size(); ++r) {
      const auto name = "r" + std::to_string(r) + ".txt";
      folder_.write(name, contents[r]);
      paths.push_back(folder_.file(name));
    }
  }

  std::vector<std::string> paths;

 private:
  TestFolder folder_;
};

std::string ti_error(const std::vector<std::string>& contents) {
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

TEST_CASE("a detached message waits for its receiver, and its sender does not wait") {
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

TEST_CASE("collectives of a time-independent trace have sizes per peer") {
  const std::string calls =
      "bcast 11 1 1\nreduce 12 2e3 1 0\nallreduce 13 0 0\nalltoall 14 15 1 0\nalltoallv 9 1 2 9 3 4 1 1\n"
      "gather 15 16 1 1 1\nscatter 17 18 1 1 1\nallgather 19 19\nscan 20 0\nexscan 21 0 1\n"
      "allgatherv 3 3 6 6 6\nscatterv 2 3 7 1 1 1\nreducescatter 4 5 0 1\nbarrier\n";
  const auto of = [&](int rank) {
    std::string text = std::to_string(rank) + " init\n";
    for (std::size_t at = 0; at < calls.size(); at = calls.find('\n', at) + 1)
      text += std::to_string(rank) + " " + calls.substr(at, calls.find('\n', at) + 1 - at);
    return text + std::to_string(rank) + " gatherv " + (rank == 0 ? "3 0 0" : "6 3 6") + " 1 1 1\n";
  };
  const Files files({of(0), of(1)});
  const auto program = read_ti(files.paths);
  if (!program) FAIL(to_string(program.error()));
  using Row = std::tuple<CollectiveKind, bool, std::uint64_t, std::uint64_t>;
  const auto rows = [&](std::size_t strand) {
    std::vector<Row> all;
    for (const auto& op : program->operations(program->strands()[strand]))
      if (op.kind == OpKind::collective) {
        const auto& c = program->collectives()[op.detail];
        all.emplace_back(c.kind, c.is_root, c.send_bytes, c.recv_bytes);
      }
    return all;
  };
  using enum CollectiveKind;
  const std::vector<Row> expected{
      {bcast, true, 44, 44},           {reduce, true, 96, 96},     {allreduce, false, 104, 104},
      {alltoall, false, 56, 120},      {alltoallv, false, 6, 14},  {gather, true, 64, 64},
      {scatter, true, 68, 68},         {allgather, false, 19, 19}, {scan, false, 20, 20},
      {exscan, false, 84, 84},         {allgatherv, false, 5, 5},  {scatterv, true, 10, 10},
      {reduce_scatter, false, 36, 18}, {barrier, false, 0, 0},     {gatherv, true, 18, 18}};
  CHECK(rows(1) == expected);
  const auto others = rows(0);
  CHECK(others[5] == Row{gather, false, 60, 60});
  CHECK(others[6] == Row{scatter, false, 72, 72});
  CHECK(others[11] == Row{scatterv, false, 28, 28});
  CHECK(others[14] == Row{gatherv, false, 12, 12});
  // A reduction's computation follows it: 2000 operations take 2 us.
  const auto first = program->operations(program->strands()[0]);
  CHECK(first[2].kind == OpKind::compute);
  CHECK(first[2].amount == 2'000'000);
}

TEST_CASE("a captured trace may receive from any source, and its sleeps do not depend on the CPU's speed") {
  const Files files({"0 init 1\n0 irecv -333 -444 3\n0 wait -333 0 -444\n0 sleep 0.5\n0 recv 1 5 -1",
                     "1 sendRecv 1 0 2 0 1 1\n1 isend 0 5 3 6"});
  const auto program = read_ti(files.paths);
  if (!program) FAIL(to_string(program.error()));
  const auto first = program->operations(program->strands()[0]);
  REQUIRE(first.size() == 4);
  CHECK(first[0].peer == kAnySource);
  CHECK(first[0].amount == 24);  // "init" followed by a word: doubles
  CHECK(first[2].amount == 500'000'000'000);
  CHECK((first[2].flags & Operation::elapsed) != 0);
  CHECK(first[3].amount == 0);
  const auto second = program->operations(program->strands()[1]);
  REQUIRE(second.size() == 4);
  CHECK(second[0].kind == OpKind::isend);
  CHECK(second[1].kind == OpKind::recv);
  CHECK(second[2].kind == OpKind::wait_send);
}

TEST_CASE("a trace is a file for each rank, a list of them, a folder, or one file for all") {
  const Files files({"0 init\n0 send 1 0 8\n", "1 init\n1 recv 0 0 8\n"});
  const auto folder = std::filesystem::path(files.paths[0]).parent_path();
  CHECK(ti_files(folder.string()) == files.paths);
  const auto list = (folder / "list").string();
  std::ofstream(list) << "r0.txt\n\n" << files.paths[1] << "\n";
  CHECK(ti_files(list) == files.paths);
  CHECK(ti_files(folder.string()) == files.paths);
  const auto shared = (folder / "shared.txt").string();
  std::ofstream(shared) << "1 init\n0 init\n1 recv 0 0 8\n\n0 send 1 0 8\n";
  CHECK(ti_files(shared) == std::vector<std::string>{shared});
  CHECK(read_ti({shared})->operations().size() == 2);
  std::ofstream(shared) << std::string(100, ' ') << "1 init\n\t 0 init\n";
  CHECK(read_ti({shared})->ranks() == 2);
  std::ofstream(folder / "notes") << "0 13\n";
  CHECK(ti_files((folder / "notes").string()).empty());
  CHECK(ti_files((folder / "nothing").string()).empty());
}

TEST_CASE("errors in a time-independent trace have their line") {
  CHECK(ti_error({"0 init\n1 init\n2 init\n", "1 init"}) ==
        "r0.txt:2: expected this rank's number, a whole number from 0 to 0, as word 1");
  CHECK(ti_error({"0 init\n7 init\n"}) == "r0.txt:2: expected a rank and a verb, of 3 ranks at most");
  CHECK(ti_error({"0 init\n2 init\n"}) == "r0.txt: has lines of rank 2, but none of rank 1");
  CHECK(ti_error({"\n"}) == "r0.txt: expected lines of a rank and a verb each");
  CHECK(ti_error({"0 send 1 0 8"}) == "r0.txt:1: expected a rank, a whole number from 0 to 0, as word 3");
  CHECK(ti_error({"0 send 0 0"}).ends_with("as word 5"));
  CHECK(ti_error({"0 send 0 0 8 60"}) ==
        "r0.txt:1: expected a datatype, a whole number from 0 to 59, as word 6");
  CHECK(ti_error({"0 bcast 8 0 50"}) == "r0.txt:1: there is no datatype 50");
  CHECK(ti_error({"0 bcast 8 0 -1"}) ==
        "r0.txt:1: word 5 is -1, a datatype made by the program, whose size the trace does not give");
  CHECK(ti_error({"0 init\n0 wait 0 0 3"}) ==
        "r0.txt:2: nothing from rank 0 to rank 0 with tag 3 is open here");
  CHECK(ti_error({"0 irecv -2 0 1"}) ==
        "r0.txt:1: expected a rank or -333 as word 3, and a tag or -444 as word 4");
  CHECK(ti_error({"0 compute many"}) == "r0.txt:1: expected an amount that fits in a run's time, as word 3");
  CHECK(ti_error({"0 gatherv many 0 0 0"}) ==
        "r0.txt:1: expected a number of elements, a whole number from 0 to 9007199254740992, as word 3");
  CHECK(ti_error({"0 compute 1e300"}) == "r0.txt:1: expected an amount that fits in a run's time, as word 3");
  CHECK(ti_error({"0 gatherv 1 2 3"}) == "r0.txt:1: expected a rank, a whole number from 0 to 0, as word 5");
  CHECK(ti_error({"0 iallreduce 1 0"}) ==
        "r0.txt:1: 'iallreduce' is not supported in such traces, nor by SMPI's replay");
  CHECK(ti_error({"0 init", "0 init"}) ==
        "r1.txt:1: expected this rank's number, a whole number from 1 to 1, as word 1");
  // 17 times 2^53 elements of 8 bytes are more than 2^60 bytes.
  std::vector<std::string> many(17, "0 init");
  many[0] = "0 gatherv 1";
  for (std::size_t rank = 0; rank < many.size(); ++rank) many[0] += " 9007199254740992";
  many[0] += " 0 0 0";
  CHECK(ti_error(many) == "r0.txt:1: the sizes add up to too many bytes");
  const auto none = read_ti({});
  REQUIRE_FALSE(none);
  CHECK(to_string(none.error()) == "a trace has a file for each rank, but there is none");
}
