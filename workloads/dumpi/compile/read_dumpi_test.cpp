#include "workloads/dumpi/compile/read_dumpi.hpp"

#include <doctest/doctest.h>

#include "workloads/dumpi/compile/test_reading.hpp"

using namespace busline;
using namespace busline::dumpi;

TEST_CASE("computation is the time between calls, from the end of MPI_Init") {
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

TEST_CASE("the CPU clock counts on request, or if there is no other") {
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

TEST_CASE("the wall clock counts unless CPU time is requested, and each rank uses the clock that it has") {
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
  CHECK(reading.diagnostics[0].message ==
        "2 ranks begin with MPI_Init_thread, which the tracer does not align: they start together, although "
        "they may not have");
  CHECK(reading.diagnostics[0].severity == Diagnostic::Severity::note);
  CHECK(inside(*reading.program, 0)[0] == "compute 20000");
  CHECK(inside(*reading.program, 1)[0] == "compute 10000");
}

TEST_CASE("a clock that passes 65536 seconds continues") {
  constexpr std::int64_t kSecond = 1'000'000'000;
  TestTrace t(1);
  t.ranks[0].init(65535 * kSecond).call("MPI_Barrier", 65537 * kSecond, {kWorld}).finalize(65538 * kSecond);
  const auto reading = read(t);
  CHECK(remark(reading, "clock-rollover") ==
        "the ranks' clocks passed a multiple of 65536 s 1 times: the run took longer than 18 hours, or a "
        "file is "
        "damaged");
  CHECK(inside(*reading.program)[0] == "compute 2000000000000");
}

TEST_CASE("a call that begins before the previous one ended gives a warning, and no time lies between them") {
  TestTrace t(1);
  t.ranks[0].init(0).call("MPI_Barrier", 10, 30, {kWorld}).call("MPI_Barrier", 20, 40, {kWorld}).finalize(40);
  const auto reading = read(t);
  CHECK(remark(reading, "negative-gap") ==
        "1 calls begin before the previous call of their thread ended; the computation between them takes no "
        "time");
  CHECK(inside(*reading.program) == Words{"compute 10000", "MPI_Barrier 0/0", "MPI_Barrier 0/0"});
}

TEST_CASE("a datatype has the size given by its creating call, not by the file's table") {
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

TEST_CASE("MPI_Type_size gives the size of a datatype that no recorded call made") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init().call("MPI_Type_match_size", 0, {2, 16, 40}).call("MPI_Send", 0, {3, 40, 0, 0, kWorld});
  r.call("MPI_Type_size", 0, {41, 12}).call("MPI_Send", 0, {1, 41, 0, 0, kWorld}).finalize(0);
  CHECK(inside(read_well(t)) == Words{"send 0:0 48", "send 0:0 12"});
}

TEST_CASE("sizes of collectives are per peer; for v-variants the mean, and a list where they differ") {
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
                              "MPI_Scatterv 10/10 root 8 12", "MPI_Allgather 24/24", "MPI_Allgatherv 6/6 4 8",
                              "MPI_Alltoallv 12/8 4 20", "MPI_Alltoallw 6/0 4 8",
                              "MPI_Reduce_scatter 40/20 16 24"});
  CHECK(inside(p, 0)[3] == "MPI_Scatterv 8/8");
}

TEST_CASE(
    "an Alltoallv in place sends each rank what it receives from it, and a list of no use gives a mean") {
  TestTrace t(2);
  for (auto& r : t.ranks) {
    r.init().call("MPI_Alltoallv", 0, {0, List{}, List{}, 0, List{2, 4}, List{0, 2}, kInt, kWorld});
    // Of one rank, although two are members.
    r.call("MPI_Allgatherv", 0, {1, 3, kInt, List{3}, List{0}, kInt, kWorld}).finalize(0);
  }
  const auto reading = read(t);
  REQUIRE(reading.program);
  CHECK(inside(*reading.program) == Words{"MPI_Alltoallv 12/12 8 16", "MPI_Allgatherv 12/12"});
  CHECK(remark(reading, "length-mismatch").starts_with("2 records hold a list"));
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

TEST_CASE("calls that are not simulated are named once") {
  TestTrace t(2);
  for (auto& r : t.ranks)
    r.init()
        .call("MPI_File_open", 0, {kWorld, List{}, 0, 0, 1})
        .call("MPI_File_write", 0, {1, 1, kInt, StatusList{}})
        .call("MPI_File_close", 0, {1})
        .finalize(0);
  const auto reading = read(t);
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].code == "file-time");
  CHECK(reading.diagnostics[0].message ==
        "file calls take no time ('--keep io' keeps theirs): 2 MPI_File_open, 2 MPI_File_close, 2 "
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
        .call("MPI_Wait", 50, {7, StatusList{}})
        .finalize(50);
  }
  auto reading = read(t);
  REQUIRE(told(reading, "mpi-3"));
  CHECK(reading.diagnostics[0].message == "MPI-3 calls are not simulated and take no time: 2 MPI_Ibarrier");
  // 10 before the first call, 5 between them, 4 after the second.
  CHECK(inside(*reading.program) == Words{"compute 19000", "event 292=1", "compute 10000", "noop"});

  t.ranks[0].labels[0].second = "ANNOTATION: MPI-3: MPI_Mrecv";
  t.ranks[1] = TestRank();
  t.ranks[1].init().call("MPI_Send", 0, {1, kInt, 0, 5, kWorld}).finalize(0);
  reading = read(t);
  REQUIRE(!reading.program.has_value());
  CHECK(reading.program.error().message ==
        "1 MPI_Mrecv were made but not recorded, so these have no partner: 1 messages from rank 1 "
        "to rank 0 with tag 5 (communicator 0)");
}

TEST_CASE("file calls keep their traced time on request, whatever the CPU") {
  TestTrace t(1);
  t.ranks[0]
      .init()
      .call("MPI_File_open", 10, 40, {kWorld, List{}, 0, 0, 1})
      .call("MPI_File_seek", 50, 55, {1, 0, 1})
      .call("MPI_File_iwrite", 65, 75, {1, 1, kInt, 2})
      .call("MPI_Wait", 80, 130, {7, StatusList{}})  // the tracer numbers file requests apart
      .call("MPI_Wait", 140, 150, {8, StatusList{}})
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

TEST_CASE("an error in a record has its file, place and number") {
  TestTrace t(1);
  t.ranks[0].init().call("MPI_Send", 0, {-2, kInt, 0, 0, kWorld}).finalize(0);
  auto reading = read(t);
  REQUIRE(!reading.program.has_value());
  // 8 bytes of magic, 8 of biases, MPI_Init: 2 + 1 + 2 + 12 + 4.
  CHECK(to_string(reading.program.error()) ==
        (t.folder() / "t-0000.bin").string() +
            ":+37: MPI_Send record 2: the count is -2, expected 0 or more\n"
            "  the file is truncated, damaged or not of this trace; 'busline simulate --salvage' uses what "
            "is intact");

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
        "neither a record nor the file's table has the size of datatype 77");
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
  CHECK(program.error().message == "missing ranks: this file holds one rank of a job, and it can be read");
  t.write("t-0000.bin", t.ranks[0].bytes() + "x");
  program = read_dumpi(path, {}, diagnostics);
  REQUIRE(!program.has_value());
  CHECK(program.error().message == "1 bytes follow the index, which should end the file");
  // Recording was off when communicator 5 was made: the file itself is correct.
  TestTrace later(1);
  later.ranks[0].init().call("MPI_Comm_dup", 0, {5, 6}).finalize(0);
  later.write();
  program = read_dumpi((later.folder() / "t-0000.bin").string(), {}, diagnostics);
  REQUIRE(!program.has_value());
  CHECK(program.error().message ==
        "missing ranks: this file holds one rank of a job, and it can be read; but MPI_Comm_dup "
        "record 2: no recorded call made communicator 5");
}

TEST_CASE("a scale that is not a factor is a wrong option") {
  TestTrace t(1);
  DumpiOptions options;
  options.compute_scale = -1;
  const auto reading = read(t, options);
  REQUIRE(!reading.program.has_value());
  CHECK(to_string(reading.program.error()) == "compute_scale: is -1, expected a finite factor of 0 or more");
}
