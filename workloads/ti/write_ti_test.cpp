#include "workloads/ti/write_ti.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "sim/program/program_builder.hpp"
#include "workloads/files/test_folder.hpp"
#include "workloads/ti/read_ti.hpp"

using namespace busline;

namespace {

/// The files of all ranks of `program` as a trace, one after the other.
std::string written_ti(const Program& program, Diagnostics& diagnostics) {
  const TestFolder folder;
  const auto list = folder.file("run.ti");
  const auto done = write_ti(program, list, diagnostics);
  if (!done) FAIL(to_string(done.error()));
  std::string text;
  for (const auto& f : ti_files(list)) text += content_of(f);
  return text;
}

std::string ti_refusal(const Program& program) {
  const TestFolder folder;
  Diagnostics diagnostics;
  const auto done = write_ti(program, folder.file("run.ti"), diagnostics);
  REQUIRE_FALSE(done);
  CHECK_FALSE(std::filesystem::exists(folder.file("run.ti_files")));
  return done.error().where + ": " + done.error().message;
}

Program read_text(const std::string& text) {
  const TestFolder folder;
  folder.write("all.txt", text);
  auto program = read_ti({folder.file("all.txt")});
  if (!program) FAIL(to_string(program.error()));
  return *std::move(program);
}

}  // namespace

TEST_CASE("a time-independent trace that is read and written is the same") {
  const std::string text =
      "0 init\n0 isend 1 7 80\n0 irecv 1 8 3\n0 compute 2000000\n0 wait 0 1 7\n0 wait 1 0 8\n0 sleep "
      "0.500000000000\n0 send 1 9 5\n0 barrier\n0 bcast 44 1\n0 reduce 96 0 1\n0 compute 2000.500\n0 "
      "allreduce "
      "104 0\n"
      "0 alltoall 56 120\n0 alltoallv 12 6 6 20 6 14\n0 gather 64 64 1\n0 scatter 68 68 1\n0 allgather 19 "
      "19\n"
      "0 scan 20 0\n0 exscan 84 0\n0 allgatherv 18 18 18\n0 gatherv 12 0 0 1\n0 scatterv 0 0 28 1\n"
      "0 reducescatter 18 18 0\n0 finalize\n"
      "1 init\n1 recv 0 7 80\n1 send 0 8 3\n1 recv 0 9 5\n1 barrier\n1 bcast 44 1\n1 reduce 96 0 1\n"
      "1 allreduce 104 0\n1 alltoall 56 120\n1 alltoallv 28 14 14 20 6 14\n1 gather 64 64 1\n1 scatter 68 68 "
      "1\n"
      "1 allgather 19 19\n1 scan 20 0\n1 exscan 84 0\n1 allgatherv 18 18 18\n1 gatherv 24 12 24 1\n"
      "1 scatterv 28 8 8 1\n1 reducescatter 18 18 0\n1 finalize\n";
  Diagnostics diagnostics;
  CHECK(written_ti(read_text(text), diagnostics) == text);
  CHECK(diagnostics.empty());
}

TEST_CASE("each peer's size in a time-independent trace that is read and written is the same") {
  // Rank 0 sends 5 and 7 bytes to ranks 0 and 1, rank 1 sends 11 and 2: sums of 12 and 13 sent.
  const std::string text =
      "0 init\n0 alltoallv 12 5 7 16 5 11\n0 allgatherv 3 3 50\n0 gatherv 4 4 9 0\n0 scatterv 6 1 6 0\n"
      "0 reducescatter 20 11 0\n0 finalize\n"
      "1 init\n1 alltoallv 13 11 2 9 7 2\n1 allgatherv 50 3 50\n1 gatherv 9 0 0 0\n1 scatterv 0 0 1 0\n"
      "1 reducescatter 20 11 0\n1 finalize\n";
  Diagnostics diagnostics;
  const auto program = read_text(text);
  CHECK(written_ti(program, diagnostics) == text);
  CHECK(diagnostics.empty());
  const auto lists = program.block_lists();
  REQUIRE(lists.size() == 6);
  CHECK(std::ranges::equal(lists.list(1), std::vector<std::uint64_t>{5, 7}));
  CHECK(std::ranges::equal(lists.list(5), std::vector<std::uint64_t>{20, 11}));
  CHECK(std::ranges::equal(lists.list(6), std::vector<std::uint64_t>{11, 2}));
}

TEST_CASE("differences between a time-independent trace and its Program give warnings") {
  ProgramBuilder b(2);
  const auto c = b.add_communicator({1, 0});
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.begin_call(b.call_name("MPI_Init"));
    b.collective({.kind = CollectiveKind::init});
    b.event(1, 2);
    b.begin_call(b.call_name("MPI_Ssend"));
    if (r == 0) b.send({.peer = 1, .tag = 3, .communicator = c}, Bytes{8}, SendMode::synchronous);
    if (r == 1) b.recv({.peer = 0, .tag = 3, .communicator = c}, Bytes{8});
    b.collective({.kind = CollectiveKind::win_create});
  }
  Diagnostics diagnostics;
  CHECK(written_ti(b.build(), diagnostics) ==
        "0 init\n0 send 1 3 8\n0 barrier\n0 finalize\n1 init\n1 recv 0 3 8\n1 barrier\n1 finalize\n");
  std::string told;
  for (const auto& d : diagnostics) told += d.code + ": " + d.message + "\n";
  CHECK(told ==
        "communicators: 1 messages are on communicators other than that of all ranks; the trace does not "
        "distinguish these, so messages with equal tags may be mistaken for one another\n"
        "modes: 1 synchronous or buffered sends are written as standard ones\n"
        "replaced-collectives: 2 collectives are replaced by others: those without data by barrier, w-forms "
        "and block forms by v-forms\n"
        "ends: MPI_Init and MPI_Finalize do not synchronise: ranks end when their work is done\n"
        "left-out: 2 events, time marks and local calls are left out\n");
}

TEST_CASE("operations that SMPI does not replay are refused with their call") {
  const auto one_call = [](const char* name, const auto& add) {
    ProgramBuilder b(2);
    const auto part = b.add_communicator({0});
    b.begin_strand(0);
    b.begin_call(b.call_name(name));
    add(b, part);
    b.begin_strand(1);
    return ti_refusal(b.build());
  };
  CHECK(one_call("MPI_Barrier", [](auto& b, auto c) {
          b.collective({.kind = CollectiveKind::barrier, .communicator = c});
        }) == "rank 0, call 1 (MPI_Barrier): SMPI replays collectives of all ranks only");
  CHECK(one_call("MPI_Ibarrier", [](auto& b, auto) {
          b.wait(b.collective_start(
              {.kind = CollectiveKind::barrier, .sync = CollectiveArgs::Sync::nonblocking}));
        }) == "rank 0, call 1 (MPI_Ibarrier): SMPI does not replay non-blocking collectives");
  CHECK(one_call("MPI_Recv", [](auto& b, auto) {
          b.recv({.peer = kAnySource, .tag = 1}, Bytes{8});
        }).ends_with("SMPI does not replay receives from any source or with any tag, nor answers to them"));
  CHECK(one_call("MPI_Probe", [](auto& b, auto) { b.probe({.peer = 1, .tag = 1}); }) ==
        "rank 0, call 1 (MPI_Probe): SMPI does not replay probes");
  CHECK(one_call("MPI_Recv", [](auto& b, auto) {
          b.recv({.peer = 1, .tag = 1}, Bytes{8});
          b.repeat_until(0, 2, 0, 3);
        }).ends_with("SMPI does not replay work that depends on which message arrives first"));
  CHECK(one_call("MPI_Send", [](auto& b, auto) { b.send({.peer = 1, .tag = -5}, Bytes{8}); }) ==
        "rank 0, call 1 (MPI_Send): the tag is -5, which the trace cannot hold");
  CHECK(one_call("MPI_Reduce", [](auto& b, auto) {
          b.collective({.kind = CollectiveKind::reduce,
                        .sync = CollectiveArgs::Sync::root_synchronised,
                        .is_root = true});
        }).ends_with("SMPI does not replay a Reduce that is made of messages to its root"));
  CHECK(one_call("MPI_Put", [](auto& b, auto) {
          b.wait(b.put({.peer = 1}, Bytes{8}));
        }).ends_with("SMPI does not replay one-sided transfers"));
  CHECK(one_call("MPI_Send", [](auto& b, auto) {
          b.send({.peer = 1}, Bytes{std::uint64_t{1} << 31U});
        }).ends_with("SMPI cannot count 2 GiB and more of a datatype"));
  CHECK(one_call("MPI_Wait", [](auto& b, auto) {
          b.isend({.peer = 1}, Bytes{8});
          b.wait(b.isend({.peer = 1}, Bytes{8}));
        }).ends_with("it waits for a message other than the oldest with this peer and tag"));
  ProgramBuilder threads(1);
  threads.begin_strand(0, false);
  threads.begin_strand(0, false);
  CHECK(ti_refusal(threads.build()) ==
        "rank 0: has several threads, and a time-independent trace has one sequence of calls for each rank");
}
