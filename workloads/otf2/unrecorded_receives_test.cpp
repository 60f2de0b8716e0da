// Receives of programs in C that EZTrace traced: it records that they start, and no more.
#include "workloads/otf2/test_reading.hpp"

using namespace busline;
using namespace busline::otf2;
using enum EventType;

namespace {

constexpr std::uint64_t kNullRank = 0xffff'fffe;  // MPI_PROC_NULL of Open MPI

// A call of each kind, without the records that EZTrace leaves out.
struct CallsInC {
  explicit CallsInC(TestEvents& of) : events(of) {}
  TestEvents& events;
  std::uint64_t now = 0;
  CallsInC& irecv(std::uint64_t request) {
    events.call(now, now + 1, "MPI_Irecv", mpi_irecv_request, {request});
    return step();
  }
  CallsInC& isend(std::uint64_t to, std::uint64_t tag, std::uint64_t bytes, std::uint64_t request) {
    events.call(now, now + 1, "MPI_Isend", mpi_isend, {to, 0, tag, bytes, request});
    return step();
  }
  CallsInC& call(std::string_view name) {
    events.call(now, now + 1, name);
    return step();
  }
  CallsInC& step() {
    now += 1;
    return *this;
  }
};

}  // namespace

TEST_CASE("receives without a completion get what their ranks were sent, and waits wait for what is open") {
  TestArchive a(2);
  a.creator = "";
  CallsInC(a.rank(0)).isend(1, 7, 40, 1).isend(1, 8, 50, 2).call("MPI_Waitall");
  CallsInC(a.rank(1)).irecv(1).irecv(2).call("MPI_Wait").call("MPI_Wait");
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Isend: isend 1:7 40", "MPI_Isend: isend 1:8 50",
                                   "MPI_Waitall: wait_send", "MPI_Waitall: wait_send"});
  CHECK(lines_of(read, 1) == Lines{"MPI_Irecv: irecv 0:7 40", "MPI_Irecv: irecv 0:8 50",
                                   "MPI_Wait: wait_recv 0:7 40", "MPI_Wait: wait_recv 0:8 50"});
  CHECK(read.program->wildcards().empty());
  CHECK(read.remark("unrecorded-completions") ==
        "the trace does not record what 2 receives received: they get the messages that no recorded receive "
        "takes");
}

TEST_CASE("receives without a completion leave the messages of recorded ones alone") {
  TestArchive a(2);
  a.creator = "";
  a.rank(0).call(0, 1, "MPI_Send", mpi_send, {1, 0, 7, 40}).call(1, 2, "MPI_Send", mpi_send, {1, 0, 9, 60});
  CallsInC(a.rank(1)).irecv(1);
  a.rank(1).call(1, 2, "MPI_Recv", mpi_recv, {0, 0, 7, 40}).call(2, 3, "MPI_Wait");
  CHECK(lines_of(read_archive(a), 1) ==
        Lines{"MPI_Irecv: irecv 0:9 60", "MPI_Recv: recv 0:7 40", "MPI_Wait: wait_recv 0:9 60"});
}

// Each exchanges with both neighbours in each round, with MPI_PROC_NULL at the ends.
TEST_CASE("ranks of a regular exchange get the messages of their own round, and none from beyond the ends") {
  constexpr std::uint32_t kRanks = 5;
  TestArchive a(kRanks);
  a.creator = "";
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    CallsInC calls{a.rank(r)};
    for (std::uint64_t round = 0; round < 4; ++round) {
      calls.irecv(1).irecv(2);
      calls.isend(r > 0 ? r - 1 : kNullRank, round, 40, 3)
          .isend(r + 1 < kRanks ? r + 1 : kNullRank, round, 40, 4);
      calls.call("MPI_Waitall");
    }
  }
  const auto read = read_archive(a);
  REQUIRE_MESSAGE(read.program.has_value(), read.error());
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    std::vector<std::pair<std::uint32_t, std::int32_t>> waited;
    for (const auto& op : read.program->operations(read.program->strands()[r]))
      if (op.kind == OpKind::wait_recv) waited.emplace_back(op.peer, read.program->channels()[op.detail].tag);
    std::vector<std::pair<std::uint32_t, std::int32_t>> expected;
    for (std::int32_t round = 0; round < 4; ++round) {
      if (r > 0) expected.emplace_back(r - 1, round);
      if (r + 1 < kRanks) expected.emplace_back(r + 1, round);
    }
    CHECK(waited == expected);
  }
  CHECK(read.remark("unmatched-messages") == "none");
  CHECK(read.remark("unrecorded-completions").find("; 8, for which there is none, are taken for") !=
        std::string::npos);
}

// In step k each sends to the rank k above and receives from the rank k below it.
TEST_CASE("ranks that go through all partners in turn get each message in its step") {
  constexpr std::uint32_t kRanks = 6;
  TestArchive a(kRanks);
  a.creator = "";
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    CallsInC calls{a.rank(r)};
    for (std::uint64_t k = 1; k < kRanks; ++k)
      calls.irecv(1).isend((r + k) % kRanks, 3, 40, 2).call("MPI_Wait").call("MPI_Wait");
  }
  const auto read = read_archive(a);
  REQUIRE_MESSAGE(read.program.has_value(), read.error());
  for (std::uint32_t r = 0; r < kRanks; ++r) {
    std::vector<std::uint32_t> from;
    for (const auto& op : read.program->operations(read.program->strands()[r]))
      if (op.kind == OpKind::wait_recv) from.push_back(op.peer);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 1; k < kRanks; ++k) expected.push_back((r + kRanks - k) % kRanks);
    CHECK(from == expected);
  }
}

TEST_CASE("receives that cannot get a message, and those that a test may have completed, are refused") {
  TestArchive stuck(2);
  stuck.creator = "";
  // Each waits for the other's message, which comes after the wait.
  for (const std::uint32_t r : {0U, 1U})
    CallsInC(stuck.rank(r)).irecv(1).call("MPI_Wait").isend(1 - r, 7, 40, 2);
  CHECK(read_archive(stuck).error().find(
            "t.otf2: rank 0: the trace does not record what 1 receives received, and 1 of "
            "them could not be assigned a message") == 0);
  TestArchive tested(1);
  tested.creator = "";
  CallsInC(tested.rank(0)).irecv(1).call("MPI_Test").irecv(1).call("MPI_Wait");
  CHECK(read_archive(tested).error().find(
            "a call like MPI_Test completed a receive, and no record says which") != std::string::npos);
}

TEST_CASE(
    "receives that EZTrace records on the world are those of the communicator on which they were sent") {
  TestArchive a(3);
  a.creator = "";
  const auto turned = a.comm({2, 1, 0});  // its rank 0 is rank 2 of the job
  a.rank(2).call(0, 1, "mpi_send_", mpi_send, {2, turned, 7, 40});
  a.rank(0)
      .call(0, 1, "mpi_irecv_", mpi_irecv_request, {1})
      .call(1, 2, "mpi_wait_", mpi_irecv, {0, 0, 7, 40, 1});
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Irecv: irecv 2:7 40", "MPI_Wait: wait_recv 2:7 40"});
  CHECK(read.remark("unmatched-messages") == "none");
  CHECK(read.remark("assumed-communicator").find("1 receives are recorded on MPI_COMM_WORLD") == 0);
}

TEST_CASE("messages to and from MPI_PROC_NULL, which EZTrace records, have no partner") {
  TestArchive a(1);
  a.creator = "";
  a.rank(0)
      .call(0, 1, "MPI_Send", mpi_send, {kNullRank, 0, 7, 40})
      .call(1, 2, "mpi_irecv_", mpi_irecv_request, {1})
      .call(2, 3, "mpi_wait_", mpi_irecv, {kNullRank, 0, 0xffff'ffff, 0, 1})
      .call(3, 4, "MPI_Recv", mpi_recv, {kNullRank, 0, 0xffff'ffff, 0});
  CHECK(lines_of(read_archive(a), 0) ==
        Lines{"MPI_Send: noop", "MPI_Irecv: noop", "MPI_Wait: noop", "MPI_Recv: noop"});
}

TEST_CASE("the number of threads that read an archive does not matter") {
  TestArchive a(7);
  a.creator = "";
  const auto pair = a.comm({3, 5});
  for (std::uint32_t r = 0; r < 7; ++r) {
    auto& rank = a.rank(r);
    rank.enter(0, r % 2 == 0 ? "even" : "odd").call(1, 2, "MPI_Send", mpi_send, {(r + 1) % 7, 0, r, 40});
    rank.call(2, 3, "MPI_Recv", mpi_recv, {(r + 6) % 7, 0, (r + 6) % 7, 40});
    if (r == 3 || r == 5) rank.enter(4, "MPI_Bcast").collective(4, 1, pair, 0, 16, 16).leave(5, "MPI_Bcast");
    rank.leave(9, r % 2 == 0 ? "even" : "odd");
  }
  Diagnostics told;
  const auto one = read_otf2(in_memory(a.files()), told, 1), four = read_otf2(in_memory(a.files()), told, 4);
  REQUIRE((one && four));
  for (std::uint32_t r = 0; r < 7; ++r) CHECK(lines_of(*one, r) == lines_of(*four, r));
  CHECK(one->communicators().size() == 2);
  REQUIRE(one->event_labels().size() == 2);
  CHECK(one->event_labels()[0].text == "even");
  CHECK(four->event_labels()[1].text == "odd");
}
