#include "workloads/liballprof/read_liballprof.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "workloads/files/test_folder.hpp"

using namespace busline;

namespace {

constexpr auto kMpich = LiballprofOptions::Library::mpich;

/// Lines between Init, which ends at 100 us, and Finalize, which begins at 900 us.
std::string rank_trace(const std::string& lines) {
  return "# collprof 0.9 output file\nMPI_Init:-:1:2:100.000000\n" + lines + "MPI_Finalize:900.000000:-\n";
}

/// A trace with these lines of each rank, written and read.
Expected<Program> of_ranks(const std::vector<std::string>& ranks, const LiballprofOptions& options = {}) {
  const TestFolder folder;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    folder.write("pmpi-trace-rank-" + std::to_string(r) + ".txt", rank_trace(ranks[r]));
  Diagnostics diagnostics;
  auto program = read_liballprof(liballprof_files(folder.path()), options, diagnostics);
  if (!program) program.error().path = folder.shortened(program.error().path);
  return program;
}

/// The operations of rank 0 without Init, Finalize and bursts: kinds and amounts.
std::vector<std::string> first_rank(const Expected<Program>& program) {
  if (!program) FAIL(to_string(program.error()));
  std::vector<std::string> all;
  for (const auto& op : program->operations(program->strands()[0])) {
    if (op.kind == OpKind::compute) continue;
    std::string text = program->call_names()[op.call];
    if (op.kind == OpKind::collective) {
      const auto& args = program->collectives()[op.detail];
      if (args.kind == CollectiveKind::init || args.kind == CollectiveKind::finalize) continue;
      text += fmt::format(" {} {}{}", args.send_bytes, args.recv_bytes, args.is_root ? " root" : "");
      if (args.block_list != 0)
        text += fmt::format(" [{}]", fmt::join(program->block_lists().list(args.block_list), ","));
    } else {
      text += fmt::format(" {} {} {}", static_cast<int>(op.kind), op.peer, op.amount);
    }
    all.push_back(std::move(text));
  }
  return all;
}

std::string why_not(const std::string& lines, const LiballprofOptions& options = {}) {
  const auto program = of_ranks({lines, ""}, options);
  REQUIRE_FALSE(program);
  return to_string(program.error());
}

using Shown = std::vector<std::string>;
std::string code_of(OpKind k) {
  return std::to_string(static_cast<int>(k));
}

}  // namespace

TEST_CASE("bursts are the times between calls, and calls that do not communicate are none") {
  const auto program =
      of_ranks({"MPI_Comm_rank:110.000000:0,0,1:5:115.000000\n\n"
                "MPI_Barrier:120.000000:0,0,1:130.000000\n"});
  REQUIRE(program);
  std::vector<std::int64_t> bursts;
  for (const auto& op : program->operations())
    if (op.kind == OpKind::compute) bursts.push_back(op.amount);
  CHECK(bursts == std::vector<std::int64_t>{10'000'000, 5'000'000, 770'000'000});
  CHECK(program->traced_run_time() == Duration::picoseconds(800'000'000));
}

TEST_CASE("messages have the sizes of their datatypes, and peers of the communicator") {
  const auto program =
      of_ranks({"MPI_Send:110.000000:9:45:11,8,8:1:3:0,0,2:111.000000\n"
                "MPI_Ssend:112.000000:9:1:13,1,1:1:3:0,0,2:113.000000\n"
                "MPI_Recv:114.000000:9:2:1,4,4294967304:1:3:0,0,2:77:115.000000\n"
                "MPI_Sendrecv:116.000000:9:1:1,4,4:1:0:8:2:1,4,4:1:0:0,0,2:7:117.000000\n",
                ""});
  CHECK(first_rank(program) ==
        Shown{"MPI_Send " + code_of(OpKind::send) + " 1 360", "MPI_Ssend " + code_of(OpKind::send) + " 1 1",
              "MPI_Recv " + code_of(OpKind::recv) + " 1 8", "MPI_Sendrecv " + code_of(OpKind::isend) + " 1 4",
              "MPI_Sendrecv " + code_of(OpKind::recv) + " 1 8",
              "MPI_Sendrecv " + code_of(OpKind::wait_send) + " 1 4"});
}

TEST_CASE("requests are addresses, and those of an array lie 4 or 8 bytes apart") {
  const std::string irecv = "MPI_Irecv:110.000000:9:1:13,1,1:1:3:0,0,2:{}:111.000000\n";
  const auto with = [&](int a, int b) { return fmt::format(fmt::runtime(irecv + irecv), a, b); };
  const std::string waitall = "MPI_Waitall:120.000000:2:5000:0:130.000000\n";
  for (const int width : {4, 8}) {
    const auto all = first_rank(of_ranks({with(5000, 5000 + width) + waitall, ""}));
    REQUIRE(all.size() == 4);
    CHECK(all[2] == "MPI_Waitall " + code_of(OpKind::wait_recv) + " 1 1");
  }
  CHECK(why_not(with(5000, 5012) + waitall) ==
        "F/pmpi-trace-rank-0.txt:5: MPI_Waitall: 2 requests in an array, which are not all known, whether "
        "they take "
        "4 or 8 bytes each\n  say which library was traced: --mpi mpich or --mpi open-mpi");
  // With 4 bytes each, 5004 is MPI_REQUEST_NULL.
  CHECK(first_rank(of_ranks({with(5000, 5012) + waitall, ""}, {.library = kMpich})).size() == 3);
}

TEST_CASE("collectives have sizes for each peer, and the root of the communicator") {
  const auto program =
      of_ranks({"MPI_Bcast:110.000000:1:4:1,4,4:0:0,0,2:111.000000\n"
                "MPI_Allreduce:112.000000:1:2:4:1,4,4:3:0,0,2:113.000000\n"
                "MPI_Gatherv:114.000000:1:3:13,1,1:2:9:3,5:9:0,3:13,1,1:0:0,0,2:115.000000\n"
                "MPI_Scatterv:114.000000:1:9:3,5:9:0,3:13,1,1:1:3:13,1,1:1:0,0,2:115.000000\n"
                "MPI_Reduce_scatter:116.000000:1:2:9:2,4:1,4,4:3:0,0,2:117.000000\n"
                "MPI_Alltoallv:118.000000:1:9:1,3:9:0,1:13,1,1:2:9:5,7:9:0,5:13,1,1:0,0,2:119.000000\n",
                ""});
  // In brackets: the bytes for each peer, where they differ.
  CHECK(first_rank(program) == Shown{"MPI_Bcast 16 16 root", "MPI_Allreduce 16 16",
                                     "MPI_Gatherv 4 4 root [3,5]", "MPI_Scatterv 3 3",
                                     "MPI_Reduce_scatter 24 12 [8,16]", "MPI_Alltoallv 2 6 [1,3]"});
}

TEST_CASE("any source and no rank are told by the library") {
  const auto receive = [](int source) {
    return fmt::format("MPI_Recv:110.000000:9:1:13,1,1:{}:3:0,0,2:77:115.000000\n", source);
  };
  CHECK(first_rank(of_ranks({receive(-1), ""}, {.library = kMpich})).empty());
  CHECK(first_rank(of_ranks({receive(-2), ""}, {.library = kMpich})).size() == 1);
  CHECK(why_not(receive(-1)) ==
        "F/pmpi-trace-rank-0.txt:3: MPI_Recv: peer is -1, which means any source in one MPI library and none "
        "in "
        "another\n  say which library was traced: --mpi mpich or --mpi open-mpi");
}

TEST_CASE("what the trace does not record is refused with file and line") {
  const std::string place = "F/pmpi-trace-rank-0.txt:3: ";
  CHECK(why_not("MPI_Barrier:110.000000:0,0,3:111.000000\n")
            .find(place + "MPI_Barrier: a communicator of 3 ranks") == 0);
  CHECK(why_not("MPI_Waitany:110.000000:2:5:6:7:111.000000\n")
            .find(place + "MPI_Waitany: which of the requests") == 0);
  CHECK(why_not("MPI_Irecv:110.000000:9:1:13,1,1:1:3:0,0,2:5:111.000000\n"
                "MPI_Test:112.000000:5:6:7:113.000000\n") ==
        "F/pmpi-trace-rank-0.txt:4: MPI_Test: what a test completed is not recorded, and no wait for it "
        "follows");
  CHECK(why_not("MPI_Put:110.000000:1:111.000000\n") ==
        place + "MPI_Put: this call is not read from liballprof traces");
  CHECK(why_not("MPI_Barrier:110.000000:0,1,2:111.000000\n").find("whose order the trace does not record") !=
        std::string::npos);
}

TEST_CASE("a line that is not a call, and a trace that is cut, are refused with file and line") {
  CHECK(why_not("hello\n") ==
        "F/pmpi-trace-rank-0.txt:3: hello: expected a call, as in MPI_Barrier:START:0,1,4:END");
  CHECK(why_not("MPI_Send:110.000000:9:1:111.000000\n")
            .find("MPI_Send: ends before its arguments are complete") != std::string::npos);
  CHECK(why_not("MPI_Send:x:9:1:111.000000\n").find("expected a time in whole microseconds as field 2") !=
        std::string::npos);
  CHECK(why_not("MPI_Finalize:110.000000:-\n").find("a call after MPI_Finalize") != std::string::npos);
  const TestFolder folder;
  folder.write("t-0.txt", "# collprof 0.9 output file\nMPI_Init:-:1:2:100.000000\n");
  Diagnostics diagnostics;
  const auto cut = read_liballprof({folder.file("t-0.txt")}, {}, diagnostics);
  REQUIRE_FALSE(cut);
  CHECK(folder.shortened(to_string(cut.error())) ==
        "F/t-0.txt:2: MPI_Finalize: the trace is cut: this call does not come");
}

TEST_CASE("the traced run time follows the clocks of the ranks") {
  // Rank 1's clock is 50 us ahead at first and 40 at the end: 100 - 50 to 900 - 40.
  const TestFolder folder;
  folder.write("r0.txt", rank_trace(""));
  folder.write("r1.txt", "# Init clockdiff: -50\n" + rank_trace("# Finalize clockdiff: -40\n"));
  Diagnostics diagnostics;
  const auto program = read_liballprof(liballprof_files(folder.file("r0.txt")), {}, diagnostics);
  REQUIRE(program);
  CHECK(program->ranks() == 2);
  CHECK(program->traced_run_time() == Duration::picoseconds(850'000'000));
}
