// Messages, requests and threads: the operations made from the calls of one rank.
#include <doctest/doctest.h>

#include "workloads/dumpi/compile/test_reading.hpp"

using namespace busline;
using namespace busline::dumpi;

TEST_CASE("messages to and from MPI_PROC_NULL do nothing, in the numbers of every MPI library") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init()
      .call("MPI_Send", 0, {1, kInt, -2, 5, kWorld})
      .call("MPI_Recv", 0, {1, kInt, -2, 5, kWorld, StatusList{}});
  // MPICH's value equals MPI_ANY_SOURCE; only the status differs.
  r.call("MPI_Recv", 0, {1, kInt, -1, 5, kWorld, StatusList{{0, -1, -1}}});
  r.call("MPI_Irecv", 0, {1, kInt, -1, 5, kWorld, 2}).call("MPI_Isend", 0, {1, kInt, -1, 5, kWorld, 2});
  r.call("MPI_Waitall", 0, {2, List{2, 2}, StatusList{{0, -1, -1}, {0, 7, 7}}}).finalize(0);
  CHECK(inside(read_well(t)) == Words(6, "noop"));
}

TEST_CASE(
    "without statuses, a receive from -1 is from MPI_PROC_NULL if that is a destination and nobody sends") {
  TestTrace t(2);
  for (std::int64_t rank = 0; rank < 2; ++rank) {  // a line of two ranks, as MPICH records it
    auto& r = t.ranks[static_cast<std::size_t>(rank)];
    r.init().call("MPI_Irecv", 0, {1, kInt, rank - 1, 5, kWorld, 2});
    r.call("MPI_Send", 0, {1, kInt, rank == 0 ? 1 : -1, 5, kWorld}).call("MPI_Wait", 0, {2, StatusList{}});
    r.call("MPI_Recv", 0, {1, kInt, rank == 0 ? 1 : -1, 6, kWorld, StatusList{}});
    r.call("MPI_Send", 0, {1, kInt, rank - 1, 6, kWorld}).finalize(0);
  }
  const auto p = read_well(t);
  CHECK(inside(p, 0) == Words{"noop", "send 1:5 4", "noop", "recv 1:6 4", "noop"});
  CHECK(inside(p, 1) == Words{"irecv 0:5 4", "noop", "wait_recv 0:5 4", "noop", "send 0:6 4"});
  // Where -1 is not a destination, it is MPI_ANY_SOURCE.
  TestTrace open(1);
  open.ranks[0].init().call("MPI_Recv", 0, {1, kInt, -1, 5, kWorld, StatusList{}}).finalize(0);
  CHECK(inside(read_well(open)) == Words{"recv any:5 4"});
}

TEST_CASE("two operations with one request id complete in the order in which they began") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init()
      .call("MPI_Irecv", 0, {2, kInt, 0, 1, kWorld, -5})
      .call("MPI_Isend", 0, {2, kInt, 0, 1, kWorld, -5});
  r.call("MPI_Wait", 0, {-5, StatusList{}}).call("MPI_Wait", 0, {-5, StatusList{}});
  r.call("MPI_Wait", 0, {1, StatusList{}}).finalize(0);
  CHECK(inside(read_well(t)) == Words{"irecv 0:1 8", "isend 0:1 8", "wait_recv 0:1 8", "wait_send", "noop"});
}

TEST_CASE("Wait and Test complete exactly the recorded requests") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init();
  for (std::int64_t tag = 10; tag < 16; ++tag) r.call("MPI_Irecv", 0, {1, kInt, 0, tag, kWorld, tag});
  r.call("MPI_Test", 0, {10, 0, StatusList{}}).call("MPI_Testall", 0, {2, List{10, 11}, 0, StatusList{}});
  r.call("MPI_Waitany", 0, {3, List{10, 11, 12}, 2, StatusList{}});
  r.call("MPI_Testany", 0, {2, List{10, 11}, kUndefined, 0, StatusList{}});
  r.call("MPI_Testany", 0, {2, List{10, 11}, 1, 1, StatusList{}});
  r.call("MPI_Waitsome", 0, {3, List{13, 14, 15}, 2, List{2, 0}, StatusList{}});
  r.call("MPI_Testsome", 0, {1, List{1}, kUndefined, List{}, StatusList{}});
  r.call("MPI_Test", 0, {14, 1, StatusList{}})
      .call("MPI_Testall", 0, {2, List{10, 1}, 1, StatusList{}})
      .finalize(0);
  const auto all = inside(read_well(t));
  CHECK(Words(all.begin() + 6, all.end()) == Words{"wait_recv 0:12 4", "wait_recv 0:11 4", "wait_recv 0:15 4",
                                                   "wait_recv 0:13 4", "wait_recv 0:14 4",
                                                   "wait_recv 0:10 4"});
}

TEST_CASE("an open receive gets its recorded source and tag, unless it is to be rematched") {
  TestTrace t(2);
  auto& r = t.ranks[0];
  r.init().call("MPI_Recv", 0, {9, kInt, kAny, kAny, kWorld, StatusList{{4, 1, 8}}});
  r.call("MPI_Irecv", 0, {9, kInt, kAny, 3, kWorld, 2}).call("MPI_Wait", 0, {2, StatusList{{4, 1, 3}}});
  r.call("MPI_Probe", 0, {kAny, kAny, kWorld, StatusList{{4, 1, 6}}});
  r.call("MPI_Iprobe", 0, {kAny, kAny, kWorld, 0, StatusList{}});
  r.call("MPI_Recv", 0, {9, kInt, kAny, kAny, kWorld, StatusList{}}).finalize(0);
  t.ranks[1].init().finalize(0);
  CHECK(inside(read_well(t)) ==
        Words{"recv 1:8 36", "irecv 1:3 36", "wait_recv 1:3 36", "probe 1:6", "recv any:any 36"});
  DumpiOptions open;
  open.rematch_wildcards = true;
  CHECK(inside(read_well(t, open)) ==
        Words{"recv any:any 36", "irecv any:3 36", "wait_recv any:3 36", "probe any:any", "recv any:any 36"});
}

TEST_CASE("each of several completed open receives gets the source and tag of its own status") {
  TestTrace t(3);
  auto& r = t.ranks[0];
  r.init();
  r.call("MPI_Irecv", 0, {1, kInt, kAny, 1, kWorld, 2}).call("MPI_Irecv", 0, {1, kInt, kAny, 2, kWorld, 3});
  r.call("MPI_Irecv", 0, {1, kInt, kAny, 3, kWorld, 4})
      .call("MPI_Recv_init", 0, {1, kInt, kAny, 4, kWorld, 5});
  r.call("MPI_Waitsome", 0, {3, List{2, 3, 4}, 2, List{2, 0}, StatusList{{4, 2, 3}, {4, 1, 1}}});
  r.call("MPI_Testany", 0, {3, List{1, 3, 1}, 1, 1, StatusList{{4, 0, 2}}});
  for (const std::int32_t source : {2, 1})  // a persistent request may receive from another rank each time
    r.call("MPI_Start", 0, {5}).call("MPI_Wait", 0, {5, StatusList{{4, source, 4}}});
  r.finalize(0);
  for (const std::size_t rank : {1U, 2U}) t.ranks[rank].init().finalize(0);
  CHECK(inside(read_well(t)) == Words{"irecv 1:1 4", "irecv 0:2 4", "irecv 2:3 4", "wait_recv 2:3 4",
                                      "wait_recv 1:1 4", "wait_recv 0:2 4", "irecv 2:4 4", "wait_recv 2:4 4",
                                      "irecv 1:4 4", "wait_recv 1:4 4"});
}

TEST_CASE("a cancelled receive is left out, one whose cancellation came too late is not") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init().call("MPI_Irecv", 0, {1, kInt, 0, 1, kWorld, 2}).call("MPI_Irecv", 0, {1, kInt, 0, 2, kWorld, 3});
  r.call("MPI_Cancel", 0, {2}).call("MPI_Cancel", 0, {3});
  r.call("MPI_Wait", 0, {2, StatusList{{0, 0, 0, true}}})
      .call("MPI_Wait", 0, {3, StatusList{{4, 0, 2, false}}});
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
    r.call("MPI_Startall", 0, {2, List{2, 3}}).call("MPI_Waitall", 0, {2, List{2, 3}, StatusList{}});
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
  t.ranks[0].init().call("MPI_Sendrecv", 0, {1, kInt, 0, 4, 2, kInt, 0, 4, kWorld, StatusList{}});
  t.ranks[0].call("MPI_Sendrecv", 0, {1, kInt, -2, 4, 2, kInt, -2, 4, kWorld, StatusList{}});
  t.ranks[0].call("MPI_Sendrecv_replace", 0, {3, kInt, 0, 5, -2, 5, kWorld, StatusList{}});
  t.ranks[0].call("MPI_Sendrecv_replace", 0, {3, kInt, -2, 5, 0, 5, kWorld, StatusList{}}).finalize(0);
  CHECK(inside(read_well(t)) == Words{"irecv 0:4 8", "isend 0:4 4", "wait_recv 0:4 8", "wait_send", "noop",
                                      "isend 0:5 12", "wait_send", "irecv 0:5 12", "wait_recv 0:5 12"});
}

TEST_CASE("records of several threads become strands, and a request may be completed by another thread") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init().call("MPI_Irecv", 10, {1, kInt, 0, 1, kWorld, 2});
  r.thread = 1;
  r.call("MPI_Send", 30, 40, {1, kInt, 0, 1, kWorld}).call("MPI_Wait", 40, {2, StatusList{}});
  r.thread = 0;
  r.call("MPI_Barrier", 50, {kWorld}).finalize(60);
  const auto p = read_well(t);
  REQUIRE(p.strands().size() == 2);
  CHECK(inside(p, 0) ==
        Words{"compute 10000", "irecv 0:1 4", "compute 40000", "MPI_Barrier 0/0", "compute 10000"});
  CHECK(words(p, 1) == Words{"compute 30000", "send 0:1 4", "wait_recv 0:1 4"});
}

TEST_CASE("a thread may wait for an operation of a thread that appears later") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  r.init();
  r.thread = 1;
  r.call("MPI_Irecv", 10, {1, kInt, 0, 1, kWorld, 2}).call("MPI_Isend", 10, {1, kInt, -2, 1, kWorld, 3});
  r.call("MPI_Send", 20, {1, kInt, 0, 1, kWorld});
  r.thread = 0;
  r.call("MPI_Waitall", 30, {2, List{2, 3}, StatusList{}}).finalize(30);
  const auto p = read_well(t);
  REQUIRE(p.strands().size() == 2);
  // The place of the wait for the send to MPI_PROC_NULL stays.
  CHECK(inside(p, 0) == Words{"compute 30000", "wait_recv 0:1 4", "noop"});
  CHECK(words(p, 1) == Words{"compute 10000", "irecv 0:1 4", "noop", "compute 10000", "send 0:1 4"});
  const auto& wait = p.operations()[p.strands()[0].begin + 2];
  CHECK(wait.request == p.operations()[p.strands()[1].begin + 1].request);
}
