#include "workloads/dumpi/read_dumpi.hpp"

#include <doctest/doctest.h>

#include "workloads/dumpi/test_reading.hpp"

using namespace busline;
using namespace busline::dumpi;

TEST_CASE("computation is what lies between calls, from the end of MPI_Init") {
  TestTrace t(1);
  t.ranks[0].call("MPI_Initialized", 10, {0}).init(100).call("MPI_Comm_rank", 130, 140, {kWorld, 0});
  t.ranks[0].call("MPI_Barrier", 150, 400, {kWorld}).finalize(410).call("MPI_Finalized", 900, {1});
  const auto p = read_well(t);
  // 30 ns before MPI_Comm_rank, which itself takes no time, and 10 ns after it.
  CHECK(inside(p) == Words{"compute 40000", "MPI_Barrier 0/0", "compute 10000"});
  CHECK(p.traced_run_time() == Duration::picoseconds(310'000));

  DumpiOptions twice;
  twice.compute_scale = 2;
  CHECK(inside(read_well(t, twice))[0] == "compute 80000");
}

TEST_CASE("the CPU clock counts if it is asked for, or if there is no other") {
  TestTrace t(1);
  t.ranks[0].mask = 0x47;
  t.ranks[0].init(0).call("MPI_Barrier", 20, {kWorld}).finalize(20);
  const auto reading = read(t);
  CHECK(told(reading, "cpu-times"));
  CHECK(inside(*reading.program)[0] == "compute 20000");
  CHECK(!reading.program->traced_run_time());

  TestTrace without(1);
  without.ranks[0].mask = 0x43;
  without.ranks[0].init(0).call("MPI_Barrier", 20, {kWorld}).finalize(20);
  const auto untimed = read(without);
  CHECK(told(untimed, "no-times"));
  CHECK(inside(*untimed.program) == Words{"MPI_Barrier 0/0"});
}

TEST_CASE("of two clocks the wall clock counts, unless CPU time is asked for; each rank takes what it has") {
  TestTrace t(2);
  t.ranks[0].mask = 0x4f;
  t.ranks[1].mask = 0x47;
  for (auto& r : t.ranks) {
    r.cpu_share = 50;
    r.init(0).call("MPI_Barrier", 20, {kWorld}).finalize(20);
  }
  const auto reading = read(t);
  CHECK(told(reading, "cpu-times"));
  CHECK(inside(*reading.program, 0)[0] == "compute 20000");
  CHECK(inside(*reading.program, 1)[0] == "compute 10000");
  CHECK(!reading.program->traced_run_time());  // known of some ranks only
  DumpiOptions cpu;
  cpu.cpu_time = true;
  for (const std::uint32_t rank : {0U, 1U}) CHECK(inside(read_well(t, cpu), rank)[0] == "compute 10000");
}

TEST_CASE(
    "ranks start together when MPI_Init_thread returns, which is told: the tracer aligns MPI_Init only") {
  TestTrace t(2);
  t.ranks[0].call("MPI_Init_thread", 0, 30, {List{}, 4, 4}).call("MPI_Barrier", 50, {kWorld}).finalize(50);
  t.ranks[1].call("MPI_Init_thread", 0, 90, {List{}, 4, 4}).call("MPI_Barrier", 100, {kWorld}).finalize(100);
  const auto reading = read(t);
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].code == "unaligned-start");
  CHECK(reading.diagnostics[0].severity == Diagnostic::Severity::note);
  CHECK(inside(*reading.program, 0)[0] == "compute 20000");
  CHECK(inside(*reading.program, 1)[0] == "compute 10000");
}

TEST_CASE("a clock that passes 65536 seconds goes on") {
  constexpr std::int64_t kSecond = 1'000'000'000;
  TestTrace t(1);
  t.ranks[0].init(65535 * kSecond).call("MPI_Barrier", 65537 * kSecond, {kWorld}).finalize(65538 * kSecond);
  const auto reading = read(t);
  CHECK(told(reading, "clock-rollover"));
  CHECK(inside(*reading.program)[0] == "compute 2000000000000");
}

TEST_CASE("a call that begins before the previous one ended is told, and the time between them is none") {
  TestTrace t(1);
  t.ranks[0].init(0).call("MPI_Barrier", 10, 30, {kWorld}).call("MPI_Barrier", 20, 40, {kWorld}).finalize(40);
  const auto reading = read(t);
  CHECK(told(reading, "negative-gap"));
  CHECK(inside(*reading.program) == Words{"compute 10000", "MPI_Barrier 0/0", "MPI_Barrier 0/0"});
}

TEST_CASE("messages to and from MPI_PROC_NULL do nothing, in the numbers of every MPI library") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init()
      .call("MPI_Send", 0, {1, kInt, -2, 5, kWorld})
      .call("MPI_Recv", 0, {1, kInt, -2, 5, kWorld, Statuses{}});
  // MPICH's value is that of MPI_ANY_SOURCE; the status tells.
  r.call("MPI_Recv", 0, {1, kInt, -1, 5, kWorld, Statuses{{0, -1, -1}}});
  r.call("MPI_Irecv", 0, {1, kInt, -1, 5, kWorld, 2}).call("MPI_Isend", 0, {1, kInt, -1, 5, kWorld, 2});
  r.call("MPI_Waitall", 0, {2, List{2, 2}, Statuses{{0, -1, -1}, {0, 7, 7}}}).finalize(0);
  CHECK(inside(read_well(t)) == Words(6, "noop"));
}

TEST_CASE(
    "without statuses, a receive from -1 is from MPI_PROC_NULL if that is a destination and nobody sends") {
  TestTrace t(2);
  for (std::int64_t rank = 0; rank < 2; ++rank) {  // a line of two ranks, as MPICH records it
    auto& r = t.ranks[static_cast<std::size_t>(rank)];
    r.init().call("MPI_Irecv", 0, {1, kInt, rank - 1, 5, kWorld, 2});
    r.call("MPI_Send", 0, {1, kInt, rank == 0 ? 1 : -1, 5, kWorld}).call("MPI_Wait", 0, {2, Statuses{}});
    r.call("MPI_Recv", 0, {1, kInt, rank == 0 ? 1 : -1, 6, kWorld, Statuses{}});
    r.call("MPI_Send", 0, {1, kInt, rank - 1, 6, kWorld}).finalize(0);
  }
  const auto p = read_well(t);
  CHECK(inside(p, 0) == Words{"noop", "send 1:5 4", "noop", "recv 1:6 4", "noop"});
  CHECK(inside(p, 1) == Words{"irecv 0:5 4", "noop", "wait_recv 0:5 4", "noop", "send 0:6 4"});
  // Where -1 is no destination it is MPI_ANY_SOURCE.
  TestTrace open(1);
  open.ranks[0].init().call("MPI_Recv", 0, {1, kInt, -1, 5, kWorld, Statuses{}}).finalize(0);
  CHECK(inside(read_well(open)) == Words{"recv any:5 4"});
}

TEST_CASE("two operations with one request id complete in the order in which they began") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init()
      .call("MPI_Irecv", 0, {2, kInt, 0, 1, kWorld, -5})
      .call("MPI_Isend", 0, {2, kInt, 0, 1, kWorld, -5});
  r.call("MPI_Wait", 0, {-5, Statuses{}}).call("MPI_Wait", 0, {-5, Statuses{}});
  r.call("MPI_Wait", 0, {1, Statuses{}}).finalize(0);
  CHECK(inside(read_well(t)) == Words{"irecv 0:1 8", "isend 0:1 8", "wait_recv 0:1 8", "wait_send", "noop"});
}

TEST_CASE("Wait and Test complete what the record says, and nothing else") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init();
  for (std::int64_t tag = 10; tag < 16; ++tag) r.call("MPI_Irecv", 0, {1, kInt, 0, tag, kWorld, tag});
  r.call("MPI_Test", 0, {10, 0, Statuses{}}).call("MPI_Testall", 0, {2, List{10, 11}, 0, Statuses{}});
  r.call("MPI_Waitany", 0, {3, List{10, 11, 12}, 2, Statuses{}});
  r.call("MPI_Testany", 0, {2, List{10, 11}, kUndefined, 0, Statuses{}});
  r.call("MPI_Testany", 0, {2, List{10, 11}, 1, 1, Statuses{}});
  r.call("MPI_Waitsome", 0, {3, List{13, 14, 15}, 2, List{2, 0}, Statuses{}});
  r.call("MPI_Testsome", 0, {1, List{1}, kUndefined, List{}, Statuses{}});
  r.call("MPI_Test", 0, {14, 1, Statuses{}})
      .call("MPI_Testall", 0, {2, List{10, 1}, 1, Statuses{}})
      .finalize(0);
  const auto all = inside(read_well(t));
  CHECK(Words(all.begin() + 6, all.end()) == Words{"wait_recv 0:12 4", "wait_recv 0:11 4", "wait_recv 0:15 4",
                                                   "wait_recv 0:13 4", "wait_recv 0:14 4",
                                                   "wait_recv 0:10 4"});
}

TEST_CASE("an open receive names what it received, unless it is to be matched anew") {
  TestTrace t(2);
  auto& r = t.ranks[0];
  r.init().call("MPI_Recv", 0, {9, kInt, kAny, kAny, kWorld, Statuses{{4, 1, 8}}});
  r.call("MPI_Irecv", 0, {9, kInt, kAny, 3, kWorld, 2}).call("MPI_Wait", 0, {2, Statuses{{4, 1, 3}}});
  r.call("MPI_Probe", 0, {kAny, kAny, kWorld, Statuses{{4, 1, 6}}});
  r.call("MPI_Iprobe", 0, {kAny, kAny, kWorld, 0, Statuses{}});
  r.call("MPI_Recv", 0, {9, kInt, kAny, kAny, kWorld, Statuses{}}).finalize(0);
  t.ranks[1].init().finalize(0);
  CHECK(inside(read_well(t)) ==
        Words{"recv 1:8 36", "irecv 1:3 36", "wait_recv 1:3 36", "probe 1:6", "recv any:any 36"});
  DumpiOptions open;
  open.rematch_wildcards = true;
  CHECK(inside(read_well(t, open)) ==
        Words{"recv any:any 36", "irecv any:3 36", "wait_recv any:3 36", "probe any:any", "recv any:any 36"});
}

TEST_CASE("a cancelled receive is left out, one whose cancellation came too late is not") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init().call("MPI_Irecv", 0, {1, kInt, 0, 1, kWorld, 2}).call("MPI_Irecv", 0, {1, kInt, 0, 2, kWorld, 3});
  r.call("MPI_Cancel", 0, {2}).call("MPI_Cancel", 0, {3});
  r.call("MPI_Wait", 0, {2, Statuses{{0, 0, 0, true}}}).call("MPI_Wait", 0, {3, Statuses{{4, 0, 2, false}}});
  r.finalize(0);
  CHECK(inside(read_well(t)) == Words{"noop", "irecv 0:2 4", "noop", "wait_recv 0:2 4"});
}

TEST_CASE("a persistent request is a new message each time it is started") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init()
      .call("MPI_Ssend_init", 0, {3, kInt, 0, 1, kWorld, 2})
      .call("MPI_Recv_init", 0, {3, kInt, 0, 1, kWorld, 3});
  for (int i = 0; i < 2; ++i)
    r.call("MPI_Startall", 0, {2, List{2, 3}}).call("MPI_Waitall", 0, {2, List{2, 3}, Statuses{}});
  r.call("MPI_Start", 0, {2}).call("MPI_Request_free", 0, {2}).call("MPI_Request_free", 0, {3}).finalize(0);
  const auto p = read_well(t);
  const Words once{"isend 0:1 12", "irecv 0:1 12", "wait_send", "wait_recv 0:1 12"};
  auto expected = once;
  expected.insert(expected.end(), once.begin(), once.end());
  expected.emplace_back("isend 0:1 12");
  CHECK(inside(p) == expected);
  const auto& first = p.operations()[1];
  CHECK((first.flags & Operation::synchronous) != 0);
  CHECK(p.operations()[9].request == kNoRequest);  // the last send is freed, not waited for
}

TEST_CASE("both parts of MPI_Sendrecv start at once") {
  TestTrace t(1);
  t.ranks[0].init().call("MPI_Sendrecv", 0, {1, kInt, 0, 4, 2, kInt, 0, 4, kWorld, Statuses{}});
  t.ranks[0].call("MPI_Sendrecv", 0, {1, kInt, -2, 4, 2, kInt, -2, 4, kWorld, Statuses{}}).finalize(0);
  CHECK(inside(read_well(t)) == Words{"irecv 0:4 8", "isend 0:4 4", "wait_recv 0:4 8", "wait_send", "noop"});
}

TEST_CASE("a datatype is as large as the call that made it says, not as the file's table") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.type_sizes.resize(31, 0);
  r.type_sizes[28] = 1000;
  r.type_sizes[30] = 16;  // of a type that DUMPI does not know
  r.init().call("MPI_Type_contiguous", 0, {10, kInt, 28}).call("MPI_Send", 0, {1, 28, 0, 0, kWorld});
  r.call("MPI_Type_free", 0, {28}).call("MPI_Type_vector", 0, {3, 2, 8, kInt, 28});
  r.call("MPI_Send", 0, {2, 28, 0, 0, kWorld}).call("MPI_Send", 0, {1, 30, 0, 0, kWorld});
  r.call("MPI_Type_create_struct", 0, {2, List{1, 2}, List{0, 0}, List{28, 14}, 29});
  r.call("MPI_Send", 0, {1, 29, 0, 0, kWorld});
  // 7 x 6 integers dealt out in blocks of 2 rows over 2 processes, whole columns: rank 1 owns rows 2, 3, 6.
  r.call("MPI_Type_create_darray", 0,
         {2, 1, 2, List{7, 6}, List{2, 3}, List{2, -1}, List{2, 1}, 1, kInt, 29});
  r.call("MPI_Send", 0, {1, 29, 0, 0, kWorld}).finalize(0);
  CHECK(inside(read_well(t)) ==
        Words{"send 0:0 40", "send 0:0 48", "send 0:0 16", "send 0:0 40", "send 0:0 72"});
}

TEST_CASE("sizes of collectives are per peer; of v-variants the mean") {
  TestTrace t(2);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    auto& r = t.ranks[static_cast<std::size_t>(rank)];
    const bool root = rank == 1;
    r.init().call("MPI_Bcast", 0, {5, kInt, 1, kWorld}).call("MPI_Reduce", 0, {3, kInt, 3, 1, kWorld});
    if (root)
      r.call("MPI_Gather", 0, {1, 0, 1, 1, kWorld, 7, kInt});  // in place
    else
      r.call("MPI_Gather", 0, {0, 7, kInt, 1, kWorld});
    if (root)
      r.call("MPI_Scatterv", 0, {1, 2, kInt, 3, kInt, 1, kWorld, List{2, 3}, List{0, 2}});
    else
      r.call("MPI_Scatterv", 0, {0, 2, kInt, 2, kInt, 1, kWorld});
    r.call("MPI_Allgather", 0, {0, 1, 6, kInt, kWorld});
    r.call("MPI_Allgatherv", 0, {2, 1 + rank, kInt, List{1, 2}, List{0, 1}, kInt, kWorld});
    r.call("MPI_Alltoallv", 0, {2, List{1, 5}, List{0, 1}, kInt, List{2, 2}, List{0, 2}, kInt, kWorld});
    r.call("MPI_Alltoallw", 0,
           {2, List{1, 1}, List{0, 4}, List{kInt, 14}, List{0, 0}, List{0, 0}, List{kInt, kInt}, kWorld});
    r.call("MPI_Reduce_scatter", 0, {2, List{4, 6}, kInt, 3, kWorld}).finalize(0);
  }
  const auto p = read_well(t);
  CHECK(inside(p, 1) == Words{"MPI_Bcast 20/20 root", "MPI_Reduce 12/12 root", "MPI_Gather 28/28 root",
                              "MPI_Scatterv 10/10 root", "MPI_Allgather 24/24", "MPI_Allgatherv 6/6",
                              "MPI_Alltoallv 12/8", "MPI_Alltoallw 6/0", "MPI_Reduce_scatter 40/20"});
  CHECK(inside(p, 0)[3] == "MPI_Scatterv 8/8");
}

TEST_CASE("records of several threads become strands, and a request may be completed by another thread") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init().call("MPI_Irecv", 10, {1, kInt, 0, 1, kWorld, 2});
  r.thread = 1;
  r.call("MPI_Send", 30, 40, {1, kInt, 0, 1, kWorld}).call("MPI_Wait", 40, {2, Statuses{}});
  r.thread = 0;
  r.call("MPI_Barrier", 50, {kWorld}).finalize(60);
  const auto p = read_well(t);
  REQUIRE(p.strands().size() == 2);
  CHECK(inside(p, 0) ==
        Words{"compute 10000", "irecv 0:1 4", "compute 40000", "MPI_Barrier 0/0", "compute 10000"});
  CHECK(words(p, 1) == Words{"compute 30000", "send 0:1 4", "wait_recv 0:1 4"});
}

TEST_CASE("a thread may wait for what a thread that was seen later begins") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init();
  r.thread = 1;
  r.call("MPI_Irecv", 10, {1, kInt, 0, 1, kWorld, 2}).call("MPI_Isend", 10, {1, kInt, -2, 1, kWorld, 3});
  r.call("MPI_Send", 20, {1, kInt, 0, 1, kWorld});
  r.thread = 0;
  r.call("MPI_Waitall", 30, {2, List{2, 3}, Statuses{}}).finalize(30);
  const auto p = read_well(t);
  REQUIRE(p.strands().size() == 2);
  // The place of the wait for the send to MPI_PROC_NULL stays.
  CHECK(inside(p, 0) == Words{"compute 30000", "wait_recv 0:1 4", "noop"});
  CHECK(words(p, 1) == Words{"compute 10000", "irecv 0:1 4", "noop", "compute 10000", "send 0:1 4"});
  const auto& wait = p.operations()[p.strands()[0].begin + 2];
  CHECK(wait.request == p.operations()[p.strands()[1].begin + 1].request);
}

TEST_CASE("functions and annotations are user events with a label") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.labels = {{0x4000, "solve"}, {4096, "ANNOTATION: step"}};
  r.init()
      .call("Function_enter", 5, {0x4000})
      .call("Function_enter", 6, {4096})
      .call("Function_exit", 6, {4096});
  r.call("Function_exit", 9, {0x4000}).finalize(9);
  const auto p = read_well(t);
  CHECK(inside(p) == Words{"compute 5000", "event 291=1", "compute 1000", "event 292=1", "event 292=0",
                           "compute 3000", "event 291=0"});
  REQUIRE(p.event_labels().size() == 2);
  CHECK(p.event_labels()[0].text == "solve");
  CHECK(p.event_labels()[1].text == "step");
}

TEST_CASE("what is in a trace and not simulated is named once") {
  TestTrace t(2);
  for (auto& r : t.ranks)
    r.init()
        .call("MPI_File_open", 0, {kWorld, List{}, 0, 0, 1})
        .call("MPI_File_write", 0, {1, 1, kInt, Statuses{}})
        .call("MPI_File_close", 0, {1})
        .finalize(0);
  const auto reading = read(t);
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].code == "file-time");
  CHECK(reading.diagnostics[0].message ==
        "calls on files take no time ('--keep io' keeps it): 2 MPI_File_open, 2 MPI_File_close, 2 "
        "MPI_File_write");
  CHECK(inside(*reading.program) == Words{"MPI_File 0/0", "MPI_File 0/0"});
}

TEST_CASE("calls of MPI-3 are known by annotations, take no time and are named once") {
  TestTrace t(2);
  for (auto& r : t.ranks) {
    r.labels = {{4096, "ANNOTATION: MPI-3: MPI_Ibarrier"},
                {4097, "ANNOTATION: MPI-3: MPI_Get_library_version"},
                {4098, "ANNOTATION: MPI-3 begins"}};
    r.init()
        .call("Function_enter", 10, {4096})
        .call("Function_exit", 30, {4096})
        .call("Function_enter", 35, {4097})
        .call("Function_exit", 36, {4097})
        .call("Function_enter", 40, {4098})
        .call("MPI_Wait", 50, {7, Statuses{}})
        .finalize(50);
  }
  auto reading = read(t);
  REQUIRE(told(reading, "mpi-3"));
  CHECK(reading.diagnostics[0].message ==
        "calls of MPI-3 are not simulated, and take no time: 2 MPI_Ibarrier");
  // 10 before the first call, 5 between them, 4 after the second.
  CHECK(inside(*reading.program) == Words{"compute 19000", "event 292=1", "compute 10000", "noop"});

  t.ranks[0].labels[0].second = "ANNOTATION: MPI-3: MPI_Mrecv";
  t.ranks[1] = TestRank();
  t.ranks[1].init().call("MPI_Send", 0, {1, kInt, 0, 5, kWorld}).finalize(0);
  reading = read(t);
  REQUIRE(!reading.program.has_value());
  CHECK(
      reading.program.error().message ==
      "1 MPI_Mrecv were made but not recorded, so that these stay without a partner: 1 messages from rank 1 "
      "to rank 0 with tag 5 (communicator 0)");
}

TEST_CASE("calls on files keep their traced time if that is asked for, whatever the CPU") {
  TestTrace t(1);
  t.ranks[0]
      .init()
      .call("MPI_File_open", 10, 40, {kWorld, List{}, 0, 0, 1})
      .call("MPI_File_seek", 50, 55, {1, 0, 1})
      .call("MPI_File_iwrite", 65, 75, {1, 1, kInt, 2})
      .call("MPI_Wait", 80, 130, {7, Statuses{}})  // the tracer numbers file requests apart
      .call("MPI_Wait", 140, 150, {8, Statuses{}})
      .call("MPI_File_close", 160, 170, {1})
      .finalize(170);
  const auto without = read(t);
  CHECK(inside(*without.program) == Words{"compute 10000", "MPI_File 0/0", "compute 25000", "noop",
                                          "compute 10000", "noop", "compute 10000", "MPI_File 0/0"});
  DumpiOptions keep;
  keep.keep_io = true;
  keep.compute_scale = 2;
  const auto reading = read(t, keep);
  CHECK(!told(reading, "file-time"));
  CHECK(told(reading, "unknown-request"));  // the second wait
  CHECK(inside(*reading.program) == Words{"compute 20000", "elapse 30000", "MPI_File 0/0", "compute 40000",
                                          "elapse 10000", "compute 10000", "elapse 50000", "compute 20000",
                                          "noop", "compute 20000", "elapse 10000", "MPI_File 0/0"});
}

TEST_CASE("what is wrong with a record is said with its file, place and number") {
  TestTrace t(1);
  t.ranks[0].init().call("MPI_Send", 0, {-2, kInt, 0, 0, kWorld}).finalize(0);
  auto reading = read(t);
  REQUIRE(!reading.program.has_value());
  // 8 bytes of magic, 8 of biases, MPI_Init: 2 + 1 + 2 + 12 + 4.
  CHECK(to_string(reading.program.error()) ==
        (t.folder() / "t-0000.bin").string() +
            ":+37: MPI_Send record 2: the count is -2, expected 0 or more\n"
            "  the file is cut or damaged, or not of this trace");

  TestTrace far(1);
  far.ranks[0].init().call("MPI_Send", 0, {1, kInt, 1, 0, kWorld}).finalize(0);
  reading = read(far);
  REQUIRE(!reading.program.has_value());
  CHECK(reading.program.error().message == "the destination is rank 1, expected 0 to 0");

  TestTrace type(1);
  type.ranks[0].init().call("MPI_Send", 0, {1, 77, 0, 0, kWorld}).finalize(0);
  reading = read(type);
  REQUIRE(!reading.program.has_value());
  CHECK(reading.program.error().message ==
        "the size of datatype 77 is in no record and not in the file's table");
}

TEST_CASE("a job with fewer files than ranks is refused") {
  TestTrace t(2);
  for (auto& r : t.ranks) r.init().call("MPI_Comm_size", 0, {kWorld, 125}).finalize(0);
  auto reading = read(t);
  REQUIRE(!reading.program.has_value());
  CHECK(reading.program.error().message == "missing ranks: the job has 125 ranks, the metafile says 2");
}

TEST_CASE("the file of one rank is checked, and cannot be simulated alone") {
  TestTrace t(1);
  t.ranks[0].init().call("MPI_Comm_size", 0, {kWorld, 125}).finalize(0);
  t.write();
  const auto path = (t.folder() / "t-0000.bin").string();
  Diagnostics diagnostics;
  auto program = read_dumpi(path, {}, diagnostics);
  REQUIRE(!program.has_value());
  CHECK(program.error().message ==
        "missing ranks: this is the file of one rank of a job, and what is in it can be read");
  t.write("t-0000.bin", t.ranks[0].bytes() + "x");
  program = read_dumpi(path, {}, diagnostics);
  REQUIRE(!program.has_value());
  CHECK(program.error().message == "1 bytes follow the index, with which a file ends");
}

TEST_CASE("a scale that is not a factor is a wrong option") {
  TestTrace t(1);
  DumpiOptions options;
  options.compute_scale = -1;
  const auto reading = read(t, options);
  REQUIRE(!reading.program.has_value());
  CHECK(reading.program.error().kind == Error::Kind::bad_option);
}
