#include "workloads/otf2/read_otf2.hpp"

#include "workloads/otf2/regions.hpp"
#include "workloads/otf2/test_reading.hpp"

using namespace busline;
using namespace busline::otf2;
using enum EventType;

namespace {

constexpr std::uint64_t kNoRoot = 0xffff'ffff;

}  // namespace

TEST_CASE("blocking messages name ranks of their communicator, whatever its order") {
  TestArchive a(3);
  const auto turned = a.comm({2, 0, 1});
  a.rank(2).call(0, 5, "MPI_Ssend", mpi_send, {1, turned, 7, 40});  // to rank 0 of the job
  a.rank(0).call(0, 9, "MPI_Recv", mpi_recv, {0, turned, 7, 40});
  const auto read = read_archive(a);
  CHECK(lines_of(read, 2) == Lines{"MPI_Ssend: ssend 0:7 40"});
  CHECK(lines_of(read, 0) == Lines{"MPI_Recv: recv 2:7 40"});
  CHECK(read.program->communicators()[1].members == std::vector<std::uint32_t>{2, 0, 1});
  CHECK(read.diagnostics.empty());
}

TEST_CASE("a receive that did not block gets what its completion tells, and is waited for there") {
  TestArchive a(2);
  a.rank(0)
      .call(0, 1, "MPI_Irecv", mpi_irecv_request, {11})
      .call(1, 2, "MPI_Irecv", mpi_irecv_request, {12})
      .enter(5, "MPI_Waitall")
      .event(6, mpi_irecv, {1, 0, 2, 80, 12})
      .event(6, mpi_irecv, {1, 0, 1, 40, 11})
      .leave(7, "MPI_Waitall");
  a.rank(1)
      .call(0, 1, "MPI_Isend", mpi_isend, {0, 0, 1, 40, 5})
      .call(1, 2, "MPI_Isend", mpi_isend, {0, 0, 2, 80, 6})
      .call(3, 4, "MPI_Test")
      .call(4, 5, "MPI_Wait", mpi_isend_complete, {5});
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Irecv: irecv 1:1 40", "MPI_Irecv: irecv 1:2 80", "compute 3000",
                                   "MPI_Waitall: wait_recv 1:2 80", "MPI_Waitall: wait_recv 1:1 40"});
  CHECK(lines_of(read, 1) ==
        Lines{"MPI_Isend: isend 0:1 40", "MPI_Isend: isend 0:2 80", "compute 1000", "MPI_Wait: wait_send"});
  CHECK(read.diagnostics.empty());
}

TEST_CASE("persistent requests use their number again after each completion") {
  TestArchive a(2);
  for (const std::uint64_t t : {0U, 10U}) {
    a.rank(0)
        .call(t, t, "MPI_Start", mpi_irecv_request, {1})
        .call(t, t, "MPI_Wait", mpi_irecv, {1, 0, 3, t + 8, 1});
    a.rank(1)
        .call(t, t, "MPI_Start", mpi_isend, {0, 0, 3, t + 8, 1})
        .call(t, t, "MPI_Wait", mpi_isend_complete, {1});
  }
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Start: irecv 1:3 8", "MPI_Wait: wait_recv 1:3 8", "compute 10000",
                                   "MPI_Start: irecv 1:3 18", "MPI_Wait: wait_recv 1:3 18"});
  CHECK(read.program->request_slots(0) == 1);
}

TEST_CASE("both halves of MPI_Sendrecv go on at once, and a half without a partner leaves none") {
  TestArchive a(2);
  for (const std::uint32_t r : {0U, 1U})
    a.rank(r)
        .enter(0, "MPI_Sendrecv")
        .event(0, mpi_send, {1 - r, 0, 4, 10})
        .event(1, mpi_recv, {1 - r, 0, 4, 10})
        .leave(1, "MPI_Sendrecv");
  a.rank(0).call(1, 2, "MPI_Sendrecv");
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Sendrecv: irecv 1:4 10", "MPI_Sendrecv: isend 1:4 10",
                                   "MPI_Sendrecv: wait_recv 1:4 10", "MPI_Sendrecv: wait_send"});
  CHECK(read.diagnostics.empty());
}

TEST_CASE("EZTrace leaves no record in MPI_Sendrecv: such calls are counted") {
  TestArchive a(1);
  a.creator = "";
  a.rank(0).call(0, 1, "MPI_Sendrecv").call(1, 2, "MPI_Sendrecv");
  CHECK(read_archive(a).remark("unrecorded-messages") ==
        "the trace does not record what these send and receive, so they are left out: 2 MPI_Sendrecv");
}

TEST_CASE("sends in MPI_Isend without a request are never waited for") {
  TestArchive a(2);
  a.rank(0).call(0, 1, "MPI_Isend", mpi_send, {1, 0, 7, 40});
  a.rank(1).call(0, 1, "MPI_Recv", mpi_recv, {0, 0, 7, 40});
  CHECK(lines_of(read_archive(a), 0) == Lines{"MPI_Isend: isend without wait 1:7 40"});
}

TEST_CASE("a cancelled receive is left out") {
  TestArchive a(1);
  a.rank(0)
      .call(0, 1, "MPI_Irecv", mpi_irecv_request, {3})
      .call(1, 2, "MPI_Wait", mpi_request_cancelled, {3});
  CHECK(lines_of(read_archive(a), 0) == Lines{"MPI_Wait: noop"});
}

TEST_CASE("computation is the time between calls of MPI, from the end of MPI_Init on") {
  TestArchive a(1);
  a.ticks_per_second = 4'000'000'000;
  a.rank(0)
      .enter(0, "main")
      .call(100, 200, "MPI_Init")
      .call(240, 300, "MPI_Comm_rank")
      .call(400, 500, "MPI_Barrier")
      .collective(600, 0, 0, kNoRoot, 0, 0)
      .call(620, 700, "MPI_Finalize")
      .leave(800, "main");
  const auto read = read_archive(a);
  // 40 + 100 ticks of 250 ps before the barrier; its record stands between calls.
  CHECK(lines_of(read, 0) == Lines{"MPI_Init: 0/0 on 0", "compute 60000", "MPI_Barrier: 0/0 on 0",
                                   "compute 5000", "MPI_Finalize: 0/0 on 0"});
  CHECK(read.program->traced_run_time() == Duration::picoseconds(105'000));  // 420 ticks
}

TEST_CASE("clocks run as the offsets of their location say, before the first and after the last, too") {
  TestArchive a(1);
  // Offsets 0 at 1000 and 1000 at 2000: the common clock is twice as fast.
  a.rank(0)
      .clock_offset(2000, 1000)
      .clock_offset(1000, 0)
      .call(0, 100, "MPI_Wait")
      .call(200, 300, "MPI_Wait")
      .call(3300, 3400, "MPI_Wait");
  CHECK(lines_of(read_archive(a), 0) ==
        Lines{"MPI_Wait: noop", "compute 200000", "MPI_Wait: noop", "compute 6000000", "MPI_Wait: noop"});
}

TEST_CASE("other regions become events with their names, except artificial ones and inside calls of MPI") {
  TestArchive a(1);
  constexpr std::uint64_t kArtificialRole = 31;
  a.region("compute", kArtificialRole);
  a.rank(0)
      .call(0, 1, "MPI_Wait")
      .enter(3, "solve")
      .call(3, 4, "compute")
      .enter(4, "MPI_Wait")
      .call(5, 6, "callback")
      .leave(7, "MPI_Wait")
      .leave(9, "solve");
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Wait: noop", "compute 2000", "event 1", "compute 1000",
                                   "MPI_Wait: noop", "compute 2000", "event 0"});
  REQUIRE(read.program->event_labels().size() == 1);
  CHECK(read.program->event_labels()[0].text == "solve");
}

TEST_CASE("time without recording and time for writing the trace are left out") {
  TestArchive a(1);
  TestValues until;
  a.rank(0)
      .call(0, 10, "MPI_Wait")
      .measurement(15, false)
      .measurement(1'000'015, true)
      .put(1'000'020, buffer_flush, until.fixed(1'000'120, 8))
      .call(1'000'130, 1'000'140, "MPI_Wait");
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Wait: noop", "compute 20000", "MPI_Wait: noop"});  // 5 + 5 + 10 ns
  CHECK(read.remark("recording-off") ==
        "recording was off at times on 1 ranks, for 0.001000 s in all: that time is left out, and what was "
        "called "
        "in it is not known");
  CHECK(read.remark("buffer-flush") ==
        "writing the trace's buffers took 0.000000 s in all, which is left out");
}

TEST_CASE("a receive that started while recording was off is taken for a blocking one") {
  TestArchive a(2);
  a.rank(0).measurement(0, false).measurement(1, true).call(2, 3, "MPI_Wait", mpi_irecv, {1, 0, 7, 8, 5});
  a.rank(1).call(2, 3, "MPI_Send", mpi_send, {0, 0, 7, 8});
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"compute 1000", "MPI_Wait: recv 1:7 8"});
  CHECK(read.remark("assumed-receive").starts_with("1 receives started while recording was off"));
}

TEST_CASE("ids in events are those of their location's tables") {
  TestArchive a(2);
  const auto turned = a.comm({1, 0});
  a.region("unused");
  a.region("MPI_Send");  // 1
  a.rank(0).map_ids(3, true, {8, 1}).map_ids(6, false, {turned, 0});
  a.rank(0).event(0, enter, {8}).event(0, mpi_send, {0, 0, 7, 4}).event(1, leave, {8});
  a.rank(1).call(0, 1, "MPI_Recv", mpi_recv, {1, turned, 7, 4});
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Send: send 1:7 4"});
  CHECK(read.diagnostics.empty());
}

TEST_CASE("a communicator of one rank stands for one on each rank") {
  TestArchive a(2);
  const auto self = a.self_comm();
  for (const std::uint32_t r : {0U, 1U})
    a.rank(r).enter(0, "MPI_Bcast").collective(0, 1, self, 0, 8, 8).leave(1, "MPI_Bcast");
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Bcast: 8/8 root on 1"});
  CHECK(lines_of(read, 1) == Lines{"MPI_Bcast: 8/8 root on 2"});
}

TEST_CASE("messages between the groups of an inter-communicator name ranks of the other one") {
  TestArchive a(3);
  const auto inter = a.inter_comm({0}, {1, 2});
  a.rank(0).call(0, 1, "MPI_Send", mpi_send, {1, inter, 7, 4});
  a.rank(2).call(0, 1, "MPI_Recv", mpi_recv, {0, inter, 7, 4});
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0) == Lines{"MPI_Send: send 2:7 4"});
  CHECK(lines_of(read, 2) == Lines{"MPI_Recv: recv 0:7 4"});
}

TEST_CASE("sizes of collectives are Score-P's totals, EZTrace's arguments or Busline's sizes per peer") {
  const auto sizes_by = [](const char* creator) {
    TestArchive a(4);
    a.creator = creator;
    for (std::uint32_t r = 0; r < 4; ++r)
      a.rank(r).enter(0, "MPI_Allgatherv").collective(0, 7, 0, kNoRoot, 16, 24).leave(1, "MPI_Allgatherv");
    return lines_of(read_archive(a), 0).front();
  };
  CHECK(sizes_by("Score-P 8.4") == "MPI_Allgatherv: 6/6 on 0");
  CHECK(sizes_by("") == "MPI_Allgatherv: 6/6 on 0");
  CHECK(sizes_by("busline") == "MPI_Allgatherv: 16/24 on 0");
  TestArchive a(1);
  a.creator = "TAU";
  CHECK(read_archive(a).remark("unknown-creator").starts_with("written by \"TAU\", which is not known"));
}

TEST_CASE("MPI_Comm_split without a record is a collective of all ranks if all make it alike") {
  for (const bool alike : {true, false}) {
    TestArchive a(2);
    for (const std::uint32_t r : {0U, 1U}) {
      if (r == 0 || alike) a.rank(r).call(0, 1, "MPI_Comm_split");
      a.rank(r).enter(1, "MPI_Barrier").collective(1, 0, 0, kNoRoot, 0, 0).leave(2, "MPI_Barrier");
      if (r == 1 && !alike) a.rank(r).call(2, 3, "MPI_Comm_split");
    }
    const auto read = read_archive(a);
    CHECK(lines_of(read, 0) ==
          Lines{alike ? "MPI_Comm_split: 0/0 on 0" : "MPI_Comm_split: noop", "MPI_Barrier: 0/0 on 0"});
    CHECK((read.remark("assumed-collective") == "none") != alike);
    CHECK((read.remark("unrecorded-communicator") == "none") == alike);
  }
}

TEST_CASE("collectives without a record are left out and counted") {
  TestArchive a(1);
  a.rank(0).call(0, 1, "MPI_Iallreduce").call(1, 2, "MPI_Scan").call(2, 3, "MPI_Neighbor_alltoall");
  a.rank(0)
      .call(3, 4, "MPI_Ibarrier", non_blocking_collective_request, {9})
      .call(4, 5, "MPI_Comm_spawn")
      .call(5, 6, "MPI_File_open");
  const auto read = read_archive(a);
  CHECK(lines_of(read, 0).empty());
  CHECK(read.remark("unrecorded-collectives")
            .ends_with("left out: 1 MPI_Iallreduce, 1 MPI_Neighbor_alltoall, 1 MPI_Scan. Score-P 8 records "
                       "non-blocking collectives"));
  CHECK(read.remark("not-simulated") == "in the trace, but not simulated: 1 MPI_Comm_spawn");
  CHECK(read.remark("file-time") == "file calls take no time: 1 MPI_File_open");
}

TEST_CASE("a non-blocking collective starts at its request and is waited for where it completes") {
  TestArchive a(2);
  a.creator = "";
  for (const std::uint32_t r : {0U, 1U}) {
    TestValues done, idup;
    done.byte(1).numbers({0, 1, r == 1 ? 200U : 0U, 200, 9});
    idup.byte(17).numbers({0, kNoRoot, 0, 0, 8});
    a.rank(r)
        .call(0, 1, "MPI_Ibcast", non_blocking_collective_request, {9})
        .call(1, 2, "MPI_Comm_idup", non_blocking_collective_request, {8})
        .enter(5, "MPI_Waitall")
        .put(5, non_blocking_collective_complete, done)
        .put(5, non_blocking_collective_complete, idup)
        .leave(6, "MPI_Waitall");
  }
  const auto read = read_archive(a);
  CHECK(lines_of(read, 1) ==
        Lines{"MPI_Ibcast: 200/200 root on 0", "compute 3000", "MPI_Waitall: 200/200 root on 0"});
  CHECK(read.remark("mpi-3").ends_with("take no time: 2 other"));
}

TEST_CASE("one-sided transfers move when a record completes them, or a fence") {
  TestArchive a(2);
  const auto w = a.window(0);
  TestValues create, fence;
  create.byte(17).numbers({0, w, kNoRoot, 0, 0});
  fence.byte(0).numbers({0, w, kNoRoot, 0, 0});
  for (const std::uint32_t r : {0U, 1U}) {
    auto& rank = a.rank(r);
    rank.enter(0, "MPI_Win_create").put(0, rma_collective_end, create).leave(1, "MPI_Win_create");
    if (r == 0)
      rank.call(1, 2, "MPI_Put", rma_put, {w, 1, 100, 1})
          .call(2, 3, "MPI_Get", rma_get, {w, 1, 200, 2})
          .call(3, 4, "MPI_Win_flush", rma_op_complete_remote, {w, 2});
    rank.enter(5, "MPI_Win_fence").put(5, rma_collective_end, fence).leave(6, "MPI_Win_fence");
  }
  CHECK(lines_of(read_archive(a), 0) == Lines{"MPI_Win_create: 0/0 on 0", "MPI_Win_flush: get 1:-2 200",
                                              "MPI_Win_flush: wait_send", "compute 1000",
                                              "MPI_Win_fence: put 1:-2 100", "MPI_Win_fence: wait_send",
                                              "MPI_Win_fence: 0/0 on 0"});
}

TEST_CASE("time before MPI_Init counts in an archive of Busline, which has all of the run") {
  for (const auto* creator : {"busline", "Score-P 8.4"}) {
    TestArchive a(1);
    a.creator = creator;
    a.rank(0).enter(0, "main").call(5, 6, "MPI_Init").call(8, 9, "MPI_Wait").leave(9, "main");
    const auto read = read_archive(a);
    REQUIRE_MESSAGE(read.program.has_value(), read.error());
    std::int64_t computed = 0;
    for (const auto& op : read.program->operations())
      if (op.kind == OpKind::compute) computed += op.amount;
    CHECK(computed == (creator == std::string("busline") ? 5'000 + 2'000 : 2'000));
    CHECK(read.program->collectives().size() == 1);
  }
}

TEST_CASE("MPI_Init synchronises the ranks only if all have it") {
  TestArchive a(2);
  a.rank(0).call(0, 1, "MPI_Init");
  CHECK(lines_of(read_archive(a), 0) == Lines{"MPI_Init: noop"});
}

TEST_CASE("both byte orders, and files of several chunks, hold the same") {
  const auto read_with = [](bool big_endian) {
    TestArchive a(2, big_endian);
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      a.rank(0).call(20 * i, 20 * i + 5, "MPI_Send", mpi_send, {1, 0, i, 300 * i});
      a.rank(1).call(20 * i, 20 * i + 5, "MPI_Recv", mpi_recv, {0, 0, i, 300 * i});
    }
    const auto files = a.files();
    CHECK(files.at("t/0.evt").size() > TestRecords::kChunk);
    return lines_of(read_archive(a), 1);
  };
  const auto lines = read_with(false);
  CHECK(lines.size() == 19'999);
  CHECK(lines.back() == "MPI_Recv: recv 0:9999 2999700");
  CHECK(lines == read_with(true));
}

TEST_CASE("names of Fortran's calls are those of the standard") {
  CHECK(region_of("mpi_reduce_scatter_").name == "MPI_Reduce_scatter");
  CHECK(region_of("mpi_irecv_").of == RegionClass::receive);
  CHECK(region_of("MPI_Ibsend").mode == SendMode::buffered);
  CHECK(region_of("mpich").of == RegionClass::user);
  CHECK(region_of("mpi_").of == RegionClass::user);
}

TEST_CASE("threads and counters that are not ranks are named, and their metrics counted") {
  TestArchive a(1);
  auto& thread = a.location();
  thread.name = "OMP thread 1";
  thread.call(0, 5, "parallel").event(5, metric, {0, 0});
  const auto read = read_archive(a);
  CHECK(read.remark("other-locations") ==
        "threads, accelerators and counters that are not ranks are left out: 1 OMP thread 1");
  CHECK(read.remark("metrics") == "1 records of metrics are left out: ");
}

TEST_CASE("channels with a message too few are told with the first of them") {
  TestArchive a(2);
  a.rank(0).call(0, 1, "MPI_Send", mpi_send, {1, 0, 7, 4});
  CHECK(read_archive(a).remark("unmatched-messages") ==
        "1 channels have not as many sends as receives; the first: from rank 0 to rank 1 with tag 7, 1 more "
        "sent");
}
