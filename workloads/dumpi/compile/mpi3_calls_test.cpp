// Calls of MPI-3 and later whose records lie in annotations.
#include "workloads/dumpi/compile/test_reading.hpp"

using namespace busline;
using namespace busline::dumpi;

namespace {

constexpr std::int64_t kDoubles = 14, kAdd = 3, kFirstMade = 4, kNullDatatype = 1, kNoNeighbour = -2;

template <class Fill>
Reading mpi3_reading(std::size_t ranks, Fill fill) {
  TestTrace t(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    t.ranks[r].init();
    fill(t.ranks[r], static_cast<std::int64_t>(r));
    t.ranks[r].finalize(1000);
  }
  return read(t);
}

template <class Fill>
Words mpi3_words(std::size_t ranks, Fill fill, std::uint32_t strand = 0) {
  auto reading = mpi3_reading(ranks, fill);
  REQUIRE_MESSAGE(reading.program.has_value(), to_string(reading.program.error()));
  for (const auto& d : reading.diagnostics) CHECK_MESSAGE(false, d.message);
  return inside(*reading.program, strand);
}

// The words without computation, which the times of the records give.
Words without_compute(Words all) {
  std::erase_if(all, [](const std::string& word) { return word.starts_with("compute"); });
  return all;
}

}  // namespace

TEST_CASE("a non-blocking collective starts where it was called and is waited for where its request was") {
  auto reading = mpi3_reading(2, [](TestRank& r, std::int64_t) {
    r.call("MPI_Iallreduce", 10, 15, {100, kDoubles, kAdd, kWorld, 7});
    r.call("MPI_Wait", 40, {7, StatusList{}});
  });
  REQUIRE(reading.program.has_value());
  CHECK(reading.diagnostics.empty());
  const auto& program = *reading.program;
  // 10 ns before the call and 25 from its end to the wait; 960 after it, before MPI_Finalize.
  CHECK(inside(program) == Words{"compute 10000", "MPI_Allreduce 800/800", "compute 25000",
                                 "MPI_Allreduce 800/800", "compute 960000"});
  const auto operations = program.operations(program.strands()[0]);
  CHECK(operations[2].kind == OpKind::collective_start);
  CHECK(operations[4].kind == OpKind::collective_wait);
  CHECK(operations[2].request == operations[4].request);
  CHECK(program.call_names()[operations[2].call] == "MPI_Iallreduce");
}

TEST_CASE("the sizes of a non-blocking collective are those of the blocking one") {
  const auto one = [](const char* name, std::vector<TestArgument> arguments, std::uint32_t rank = 0) {
    arguments.emplace_back(std::int64_t{7});
    return mpi3_words(
               2,
               [&](TestRank& r, std::int64_t) {
                 r.call(name, 0, arguments).call("MPI_Wait", 0, {7, StatusList{}});
               },
               rank)
        .front();
  };
  CHECK(one("MPI_Ibarrier", {kWorld}) == "MPI_Barrier 0/0");
  CHECK(one("MPI_Ibcast", {3, kInt, 1, kWorld}, 1) == "MPI_Bcast 12/12 root");
  CHECK(one("MPI_Iallgather", {3, kInt, 3, kInt, kWorld}) == "MPI_Allgather 12/12");
  CHECK(one("MPI_Iallgatherv", {2, 3, kInt, List{3, 5}, List{0, 0}, kInt, kWorld}) ==
        "MPI_Allgatherv 16/16 12 20");
  CHECK(one("MPI_Ialltoall", {3, kInt, 3, kInt, kWorld}) == "MPI_Alltoall 12/12");
  CHECK(one("MPI_Ialltoallv", {2, List{3, 5}, List{0, 0}, kInt, List{1, 1}, List{0, 0}, kInt, kWorld}) ==
        "MPI_Alltoallv 16/4 12 20");
  CHECK(one("MPI_Ialltoallw", {2, List{3, 5}, List{0, 0}, List{kInt, kDoubles}, List{1, 1}, List{0, 0},
                               List{kInt, kInt}, kWorld}) == "MPI_Alltoallw 26/4 12 40");
  CHECK(one("MPI_Ireduce", {3, kInt, kAdd, 0, kWorld}) == "MPI_Reduce 12/12 root");
  CHECK(one("MPI_Ireduce_scatter", {2, List{3, 5}, kInt, kAdd, kWorld}) == "MPI_Reduce_scatter 32/16 12 20");
  CHECK(one("MPI_Ireduce_scatter_block", {3, kInt, kAdd, kWorld}) == "MPI_Reduce_scatter_block 24/12");
  CHECK(one("MPI_Iscan", {3, kInt, kAdd, kWorld}) == "MPI_Scan 12/12");
  CHECK(one("MPI_Iexscan", {3, kInt, kAdd, kWorld}) == "MPI_Exscan 12/12");
  const auto blocking = mpi3_words(2, [](TestRank& r, std::int64_t) {
    r.call("MPI_Reduce_scatter_block", 0, {3, kInt, kAdd, kWorld});
  });
  CHECK(blocking.front() == "MPI_Reduce_scatter_block 24/12");
}

TEST_CASE("only the root of a non-blocking gather and scatter records the sizes of all") {
  for (const std::int64_t rank : {0, 1}) {
    const auto words = mpi3_words(
        2,
        [](TestRank& r, std::int64_t me) {
          if (me == 0) {
            r.call("MPI_Igatherv", 0, {0, 2, 3, kInt, 0, kWorld, List{3, 5}, List{0, 3}, kInt, 7});
            r.call("MPI_Iscatter", 0, {0, 2, kInt, 0, kWorld, 2, kInt, 8});
          } else {
            r.call("MPI_Igatherv", 0, {1, 2, 5, kInt, 0, kWorld, kNullDatatype, 7});
            r.call("MPI_Iscatter", 0, {1, 2, kInt, 0, kWorld, 8});
          }
          r.call("MPI_Waitall", 1000, {2, List{7, 8}, StatusList{}});
        },
        static_cast<std::uint32_t>(rank));
    CHECK(words[0] == (rank == 0 ? "MPI_Gatherv 16/16 root 12 20" : "MPI_Gatherv 20/20"));
    CHECK(words[1] == (rank == 0 ? "MPI_Scatter 8/8 root" : "MPI_Scatter 8/8"));
  }
}

TEST_CASE("a persistent collective meets at each start") {
  CHECK(without_compute(mpi3_words(2, [](TestRank& r, std::int64_t) {
          r.call("MPI_Bcast_init", 0, {2, kInt, 0, kWorld, 5});
          for (int i = 0; i < 2; ++i) r.call("MPI_Start", 10, {5}).call("MPI_Wait", 10, {5, StatusList{}});
          r.call("MPI_Request_free", 30, {5});
        })) == Words{"MPI_Bcast 8/8 root", "MPI_Bcast 8/8 root", "MPI_Bcast 8/8 root", "MPI_Bcast 8/8 root"});
}

TEST_CASE("communicators of MPI-3 have the members that their annotations list") {
  const auto words = [](std::uint32_t rank) {
    return without_compute(mpi3_words(
        3,
        [](TestRank& r, std::int64_t me) {
          r.call("MPI_Comm_idup", 0, {kWorld, kFirstMade, 9}).call("MPI_Wait", 0, {9, StatusList{}});
          r.call("MPI_Comm_dup_with_info", 0, {kFirstMade, kFirstMade + 1});
          r.call("MPI_Comm_split_type", 0,
                 {kFirstMade + 1, 1, 0, kFirstMade + 2, me == 2 ? List{2} : List{1, 0}});
          if (me < 2) {
            r.call("MPI_Comm_create_group", 0, {kWorld, 3, 0, kFirstMade + 3, List{0, 1}});
            r.call("MPI_Send", 0,
                   {1, kInt, 1 - me, 0, kFirstMade + 2});  // ranks are reversed: to itself, as it were
            r.call("MPI_Recv", 0, {1, kInt, 1 - me, 0, kFirstMade + 2, StatusList{}});
            r.call("MPI_Barrier", 0, {kFirstMade + 3});
          }
          r.call("MPI_Dist_graph_create_adjacent", 0,
                 {kWorld, 0, kFirstMade + 4, List{0, 1, 2}, List{(me + 2) % 3}, List{(me + 1) % 3}});
          r.call("MPI_Neighbor_alltoall", 0,
                 {1, kInt, 1, kInt, kFirstMade + 4, List{(me + 2) % 3}, List{(me + 1) % 3}});
        },
        rank));
  };
  // The new communicator of ranks 0 and 1 has them the other way round, so rank 1 of it is rank 0.
  CHECK(words(0) == Words{"MPI_Comm_dup 0/0", "MPI_Comm_dup 0/0", "MPI_Comm_dup 0/0", "MPI_Comm_split 0/0",
                          "MPI_Comm_create 0/0", "send 0:0 4", "recv 0:0 4", "MPI_Barrier 0/0",
                          "MPI_Graph_create 0/0", "irecv 2:0 4", "isend 1:0 4", "wait_recv 2:0 4",
                          "wait_send"});
  CHECK(words(2) == Words{"MPI_Comm_dup 0/0", "MPI_Comm_dup 0/0", "MPI_Comm_dup 0/0", "MPI_Comm_split 0/0",
                          "MPI_Graph_create 0/0", "irecv 1:0 4", "isend 0:0 4", "wait_recv 1:0 4",
                          "wait_send"});
}

TEST_CASE("members of a new communicator must agree on who is in it") {
  auto reading = mpi3_reading(2, [](TestRank& r, std::int64_t me) {
    r.call("MPI_Comm_split_type", 0, {kWorld, 1, 0, kFirstMade, me == 0 ? List{0, 1} : List{1}});
  });
  REQUIRE(!reading.program);
  CHECK(reading.program.error().message ==
        "the members hold rank 1 of the old communicator, whose call names others or the same twice");
}

TEST_CASE("a neighbourhood collective exchanges messages with the neighbours that are there") {
  // A line of two ranks: none before the first and behind the second.
  const auto words = mpi3_words(2, [](TestRank& r, std::int64_t me) {
    const List both = me == 0 ? List{kNoNeighbour, 1} : List{0, kNoNeighbour};
    r.call("MPI_Cart_create", 0, {kWorld, 1, List{2}, List{0}, 0, kFirstMade});
    r.call("MPI_Ineighbor_alltoallv", 0, {List{1, 2}, kInt, List{2, 1}, kInt, kFirstMade, both, both, 7});
    r.call("MPI_Barrier", 1000, {kWorld});
    r.call("MPI_Wait", 1000, {7, StatusList{}});
  });
  CHECK(words == Words{"MPI_Cart_create 0/0", "irecv 1:0 4", "isend 1:0 8", "compute 1000000",
                       "MPI_Barrier 0/0", "wait_recv 1:0 4", "wait_send"});
  // Nobody to wait for.
  CHECK(mpi3_words(1, [](TestRank& r, std::int64_t) {
          r.call("MPI_Neighbor_allgather", 1000, {1, kInt, 1, kInt, kWorld, List{kNoNeighbour}, List{}});
        }) == Words{"compute 1000000", "noop"});
}

TEST_CASE("a matched receive takes the message that its probe found") {
  const auto fill = [](TestRank& r, std::int64_t me) {
    if (me == 1) {
      r.call("MPI_Send", 0, {3, kInt, 0, 5, kWorld}).call("MPI_Send", 0, {3, kInt, 0, 6, kWorld});
      return;
    }
    r.call("MPI_Mprobe", 0, {kAny, kAny, kWorld, 11, StatusList{{.bytes = 12, .source = 1, .tag = 5}}});
    r.call("MPI_Improbe", 0, {kAny, 6, kWorld, 0, 1, StatusList{}});  // found none
    r.call("MPI_Improbe", 0, {kAny, 6, kWorld, 1, 12, StatusList{{.bytes = 12, .source = 1, .tag = 6}}});
    r.call("MPI_Imrecv", 0, {3, kInt, 12, 7}).call("MPI_Mrecv", 0, {3, kInt, 11, StatusList{}});
    r.call("MPI_Wait", 1000, {7, StatusList{}});
  };
  CHECK(mpi3_words(2, fill) == Words{"probe 1:5", "probe 1:6", "irecv 1:6 12", "recv 1:5 12",
                                     "compute 1000000", "wait_recv 1:6 12"});
}

TEST_CASE("transfers in an epoch with all targets move at a flush or at its end") {
  const auto fill = [](TestRank& r, std::int64_t me) {
    r.call("MPI_Win_allocate", 0, {64, 1, 0, kWorld, 1});
    if (me == 0) {
      r.call("MPI_Win_lock_all", 0, {0, 1});
      r.call("MPI_Put", 0, {2, kInt, 1, 0, 2, kInt, 1});
      r.call("MPI_Get", 0, {3, kInt, 2, 0, 3, kInt, 1});
      r.call("MPI_Win_flush", 0, {1, 1});
      r.call("MPI_Fetch_and_op", 0, {kInt, 2, 0, kAdd, 1});
      r.call("MPI_Win_unlock_all", 0, {1});
    }
    r.call("MPI_Win_free", 1000, {1});
  };
  CHECK(mpi3_words(3, fill) == Words{"MPI_Win_create 0/0", "noop", "noop", "noop", "put 1:-2 8", "wait_send",
                                     "noop", "get 2:-2 12", "get 2:-2 4", "put 2:-2 4", "wait_send",
                                     "wait_send", "wait_send", "compute 1000000", "MPI_Win_free 0/0"});
}

TEST_CASE("a transfer with a request moves at once, and its wait waits for it") {
  const auto fill = [](TestRank& r, std::int64_t me) {
    r.call("MPI_Win_create_dynamic", 0, {0, kWorld, 1});
    if (me == 0) {
      r.call("MPI_Win_lock_all", 0, {0, 1});
      r.call("MPI_Rput", 0, {2, kInt, 1, 0, 2, kInt, 1, 7});
      r.call("MPI_Rget", 0, {2, kInt, kNoNeighbour, 0, 2, kInt, 1, 8});
      r.call("MPI_Waitall", 1000, {2, List{7, 8}, StatusList{}});
      r.call("MPI_Win_unlock_all", 1000, {1});
    }
    r.call("MPI_Win_free", 1000, {1});
  };
  CHECK(mpi3_words(2, fill) == Words{"MPI_Win_create 0/0", "noop", "put 1:-2 8", "noop", "compute 1000000",
                                     "wait_send", "noop", "MPI_Win_free 0/0"});
}

TEST_CASE("an annotated record of a newer layout or an unknown call is passed over, and the call is named") {
  const auto with_parts = [](std::uint64_t head, std::uint64_t part) {
    return mpi3_reading(1, [&](TestRank& r, std::int64_t) {
      r.labels = {{4096, "ANNOTATION: MPI-3: MPI_Iwonder"}};
      r.call("Function_enter", 10, {4096}).part(head).part(part).call("Function_exit", 20, {4096});
    });
  };
  for (const auto& reading : {with_parts(0x4d50'3302'0000'0007, 0x012c'4012'3456'7800),
                              with_parts(0x4d50'3301'0000'0005, 0x7000'4012'3400'0000)}) {
    REQUIRE(reading.program.has_value());
    CHECK(remark(reading, "mpi-3") == "MPI-3 calls are not simulated and take no time: 1 MPI_Iwonder");
    CHECK(inside(*reading.program) == Words{"compute 990000"});
  }
}

TEST_CASE("a damaged annotated record is an error with its place") {
  const auto error_of = [](std::uint64_t head, std::vector<std::uint64_t> parts) {
    auto reading = mpi3_reading(1, [&](TestRank& r, std::int64_t) {
      r.part(head);
      for (const auto part : parts) r.part(part);
    });
    REQUIRE(!reading.program);
    CHECK(reading.program.error().where == "annotated record 2");
    return reading.program.error().message;
  };
  constexpr std::uint64_t kHead = 0x4d50'3301'0000'0000;
  CHECK(error_of(kHead + 12, {0x012c'0000'0200'0000}) == "has 1 parts, expected 2");
  CHECK(error_of(kHead + 1, {0x0100'0000'0000'0000}) == "holds record 1: is truncated");
  CHECK(error_of(kHead, {}) == "holds no record");
  // MPI_Ibarrier (300) on communicator 2 with request 7, and a byte more.
  CHECK(error_of(kHead + 10, {0x012c'0000'0200'0000, 0x0700'0000'0000'0000}) ==
        "holds 10 bytes, of which MPI_Ibarrier has 9");
  CHECK(error_of(kHead + 8, {0x012c'0000'0200'0000}) == "holds MPI_Ibarrier record 1: is truncated");
  CHECK(error_of(kHead + 5, {0x0000'0000'0200'0000}) ==
        "holds record 1: is of function 0, expected one that leaves records, or 293 at the end");
}

TEST_CASE("a trace in whose annotated records any byte is changed is read, or refused with a message") {
  TestTrace t(1);
  t.ranks[0]
      .init()
      .call("MPI_Igatherv", 0, {0, 1, 3, kInt, 0, kWorld, List{3}, List{0}, kInt, 7})
      .call("MPI_Wait", 10, {7, StatusList{}})
      .call("MPI_Comm_create_group", 20, {kWorld, 3, 0, kFirstMade, List{0}})
      .call("MPI_Ineighbor_alltoallw", 30,
            {List{1}, List{kInt}, List{1}, List{kInt}, kFirstMade, List{0}, List{0}, 7})
      .call("MPI_Wait", 40, {7, StatusList{}})
      .call("MPI_Win_allocate", 50, {64, 1, 0, kWorld, 1})
      .call("MPI_Rget_accumulate", 60, {1, kInt, 0, 1, kInt, 0, 1, kInt, kAdd, 1, 8})
      .call("MPI_Wait", 70, {8, StatusList{}})
      .finalize(80);
  const auto folder = t.write();
  const auto intact = t.ranks[0].bytes();
  const auto is_read = [&](const std::string& bytes, bool salvage) {
    t.write("t-0000.bin", bytes);
    Diagnostics diagnostics;
    DumpiOptions options;
    options.salvage = salvage;
    const auto program = read_dumpi(folder, options, diagnostics);
    CHECK((program || !program.error().message.empty()));
    return program.has_value();
  };
  REQUIRE(is_read(intact, false));
  const auto footer = intact.find("\xf0\x07\xfe\xe7");
  REQUIRE(footer != intact.npos);
  std::size_t refused = 0;
  for (std::size_t at = 16; at < footer; ++at)  // from behind the mark and the clocks
    for (const int bits : {0x01, 0xff}) {
      auto bytes = intact;
      bytes[at] = static_cast<char>(bytes[at] ^ bits);
      if (!is_read(bytes, false)) ++refused;
      is_read(bytes, true);
    }
  CHECK(refused > footer / 2);
}
