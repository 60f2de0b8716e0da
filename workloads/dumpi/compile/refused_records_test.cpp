// Messages about impossible records, calls that do not fit together, and missing parts of a trace.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/dumpi/compile/test_reading.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

using Calls = std::function<void(TestRank&, std::int64_t)>;

Reading read_calls(std::size_t ranks, const Calls& calls) {
  TestTrace t(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    t.ranks[r].init();
    calls(t.ranks[r], static_cast<std::int64_t>(r));
    t.ranks[r].finalize(0);
  }
  return read(t);
}

std::string refused_calls(std::size_t ranks, const Calls& calls) {
  const auto reading = read_calls(ranks, calls);
  if (reading.program) return "they were read";
  const auto& e = reading.program.error();
  return e.where.empty() ? e.message : e.where + ": " + e.message;
}

// The error for one call in a job of one rank.
std::string refused_call(const char* name, const std::vector<TestArgument>& arguments) {
  return refused_calls(1, [&](TestRank& r, std::int64_t) { r.call(name, 0, arguments); });
}

}  // namespace

TEST_CASE("impossible arguments of messages are refused") {
  CHECK(refused_call("MPI_Recv", {1, kInt, 0, -7, kWorld, StatusList{}}) ==
        "MPI_Recv record 2: the tag is -7, expected 0 or more, or -1 for any");
  CHECK(refused_call("MPI_Recv", {1, kInt, kAny, 0, kWorld, StatusList{{4, 5, 0}}}) ==
        "MPI_Recv record 2: the received source is rank 5, expected 0 to 0");
  CHECK(refused_call("MPI_Waitany", {1, List{5}, 3, StatusList{}}) ==
        "MPI_Waitany record 2: completes request 3 of 1");
  CHECK(refused_call("MPI_Waitsome", {1, List{5}, 1, List{4}, StatusList{}}) ==
        "MPI_Waitsome record 2: completes request 4 of 1");
  CHECK(refused_call("MPI_Barrier", {1}) == "MPI_Barrier record 2: the communicator is MPI_COMM_NULL");
  CHECK(refused_calls(1, [](TestRank& r, std::int64_t) {
          r.call("MPI_Comm_join", 0, {3, 4}).call("MPI_Barrier", 0, {4});
        }) == "MPI_Barrier record 3: communicator 4 joins another job: dynamic processes are not simulated");
  CHECK(refused_calls(1, [](TestRank& r, std::int64_t) {
          r.call("MPI_Type_contiguous", 0, {0x7fff'ffff, kInt, 28});
          r.call("MPI_Send", 0, {0x7fff'ffff, 28, 0, 0, kWorld});
        }) == "MPI_Send record 3: 2147483647 elements of 8589934588 bytes are too many");
  const auto unknown =
      read_calls(1, [](TestRank& r, std::int64_t) { r.call("MPI_Barrier", 0, {77}); }).program;
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().hint ==
        "recording was off when it was made, or an MPI-3 call (MPI_Comm_split_type, ...), which leaves no "
        "record, made it; or the file is damaged");
  const auto type = read_calls(1, [](TestRank& r, std::int64_t) {
                      r.call("MPI_Send", 0, {1, 77, 0, 0, kWorld});
                    }).program;
  REQUIRE_FALSE(type);
  CHECK(type.error().hint == "the file is damaged, or an MPI-3 call, which leaves no record, made the type");
}

TEST_CASE("communicators with dynamic processes are refused, whichever call makes them") {
  const std::vector<std::pair<const char*, std::vector<TestArgument>>> calls{
      {"MPI_Comm_spawn", {0, 1, kWorld, 4}},
      {"MPI_Comm_spawn_multiple", {2, 0, 1, kWorld, 4}},
      {"MPI_Comm_accept", {List{'p'}, 1, 0, kWorld, 4}},
      {"MPI_Comm_connect", {List{'p'}, 1, 0, kWorld, 4}},
      {"MPI_Comm_get_parent", {4}},
  };
  for (const auto& call : calls) {
    CAPTURE(call.first);
    const auto refused = refused_calls(1, [&call](TestRank& r, std::int64_t) {
      r.call(call.first, 0, call.second).call("MPI_Send", 0, {1, kInt, 0, 0, 4});
    });
    CHECK(refused ==
          "MPI_Send record 3: communicator 4 joins another job: dynamic processes are not simulated");
  }
}

TEST_CASE("impossible datatypes are refused") {
  CHECK(refused_call("MPI_Type_create_struct", {2, List{1, 1}, List{0, 0}, List{kInt}, 29}) ==
        "MPI_Type_create_struct record 2: has 2 lengths and 1 types");
  CHECK(refused_call("MPI_Type_create_struct", {1, List{-1}, List{0}, List{kInt}, 29}) ==
        "MPI_Type_create_struct record 2: has a negative length, or a size that is too large");
  CHECK(refused_call("MPI_Type_contiguous", {-1, kInt, 28}) ==
        "MPI_Type_contiguous record 2: has a negative count, or a size that is too large");
  CHECK(refused_calls(1, [](TestRank& r, std::int64_t) {
          r.call("MPI_Type_contiguous", 0, {0x7fff'ffff, kInt, 28});
          r.call("MPI_Type_contiguous", 0, {0x7fff'ffff, 28, 29});
        }) == "MPI_Type_contiguous record 3: makes a type that is too large");
}

TEST_CASE("communicators on which the ranks' records contradict each other are refused") {
  const auto both = [](const char* name, const std::vector<TestArgument>& arguments) {
    return refused_calls(2, [&](TestRank& r, std::int64_t) { r.call(name, 0, arguments); });
  };
  CHECK(both("MPI_Cart_create", {kWorld, 1, List{9}, List{0}, 0, 4}) ==
        "MPI_Cart_create record 2: the dimensions do not fit on 2 ranks");
  CHECK(both("MPI_Graph_create", {0, kWorld, 9, List{}, List{}, 0, 4}) ==
        "MPI_Graph_create record 2: 9 nodes do not fit on 2 ranks");
  CHECK(both("MPI_Intercomm_merge", {kWorld, 0, 4}) ==
        "MPI_Intercomm_merge record 2: the communicator is not an inter-communicator");
  CHECK(both("MPI_Intercomm_create", {3, 5, kWorld, 1, 99, 4}) ==
        "MPI_Intercomm_create record 2: the leader is rank 5 of 1");
  CHECK(both("MPI_Intercomm_create", {3, 0, kWorld, 9, 99, 4}) ==
        "MPI_Intercomm_create record 2: the remote leader is rank 9 of 2");
  CHECK(both("MPI_Comm_split", {kWorld, kUndefined, 0, 4}) ==
        "MPI_Comm_split record 2: the rank got a communicator that should not hold it");
  CHECK(refused_calls(2, [](TestRank& r, std::int64_t rank) {
          r.call("MPI_Cart_create", 0, {kWorld, 1, List{rank + 1}, List{0}, 0, 4});
        }) == "MPI_Cart_create record 2: rank 0 has different dimensions");
  CHECK(refused_calls(2, [](TestRank& r, std::int64_t) {
          r.call("MPI_Cart_create", 0, {kWorld, 1, List{2}, List{0}, 0, 4});
          r.call("MPI_Cart_sub", 0, {2, 4, List{1, 1}, 5});
        }) == "MPI_Cart_sub record 3: names 2 dimensions of a communicator that has 1");
  // Group 5 holds only rank 0, but rank 1 also got a communicator of it.
  const auto create = [](bool both_get_one) {
    return refused_calls(2, [&](TestRank& r, std::int64_t rank) {
      r.call("MPI_Comm_group", 0, {kWorld, 4});
      r.call("MPI_Group_incl", 0, {4, 1, both_get_one ? List{0} : List{1}, 5});
      r.call("MPI_Comm_create", 0, {kWorld, 5, both_get_one || rank == 0 ? 6 : 1});
    });
  };
  CHECK(create(true) == "MPI_Comm_create record 4: the rank would be in two new communicators");
  CHECK(create(false) == "MPI_Comm_create record 4: the group holds rank 1, which got no communicator");
  const auto split = read_calls(2, [](TestRank& r, std::int64_t) {
    r.call("MPI_Intercomm_merge", 0, {kWorld, 0, 4});
  });
  CHECK(split.program.error().hint ==
        "the ranks' files do not belong together, or calls that make communicators were not recorded");
}

TEST_CASE("files of another rank, or with an impossible clock, are refused") {
  CHECK(refused_calls(2, [](TestRank& r, std::int64_t rank) {
          r.call("MPI_Comm_rank", 0, {kWorld, 1 - rank});
        }) == "MPI_Comm_rank record 2: the file holds rank 1, its name says 0");
  TestTrace t(1);
  t.ranks[0].init();
  for (int i = 0; i < 4000; ++i)
    for (const std::int64_t second : {65'000, 1})
      t.ranks[0].call("MPI_Barrier", second * 1'000'000'000, {kWorld});
  const auto back_and_forth = read(t);
  REQUIRE_FALSE(back_and_forth.program);
  CHECK(back_and_forth.program.error().message == "the rank's clock goes back again and again");
}

TEST_CASE("operations without a partner are an error if calls were not recorded") {
  CHECK(refused_calls(2,
                      [](TestRank& r, std::int64_t rank) {
                        if (rank == 0) r.call("MPI_Irecv", 0, {1, kInt, kAny, 5, kWorld, 7});
                        if (rank == 1) r.ignore("MPI_Send", 1);
                      }) ==
        "1 MPI_Send were made but not recorded, so these have no partner: 1 receives of rank 0 "
        "from "
        "any source");
  CHECK(refused_calls(2,
                      [](TestRank& r, std::int64_t rank) {
                        if (rank == 0) r.call("MPI_Barrier", 0, {kWorld});
                        if (rank == 1) r.ignore("MPI_Barrier", 1);
                      }) ==
        "1 MPI_Barrier were made but not recorded, so these have no partner: collectives on "
        "communicator 0: rank 0 calls 3, rank 1 calls 2");
  TestTrace t(1);
  t.ranks[0].labels = {{4096, "ANNOTATION: MPI-3: MPI_Mrecv"}};
  t.ranks[0].init().call("Function_enter", 0, {4096}).call("Function_exit", 0, {4096});
  t.ranks[0].call("MPI_Send", 0, {1, kInt, 0, 5, kWorld}).finalize(0);
  const auto mpi3 = read(t);
  REQUIRE_FALSE(mpi3.program);
  CHECK(mpi3.program.error().hint ==
        "the format has no records for MPI-3 calls; 'busline simulate --salvage' leaves out what lacks a "
        "partner");
}

TEST_CASE("missing data in a trace gives a warning and is assumed") {
  const auto told_of = [](const char* code, const Calls& calls) {
    return remark(read_calls(2, calls), code);
  };
  CHECK(told_of("not-simulated", [](TestRank& r, std::int64_t) {
          r.call("MPI_Comm_join", 0, {3, 4});
        }) == "in the trace, but not simulated: 2 MPI_Comm_join");
  CHECK(told_of("length-mismatch", [](TestRank& r, std::int64_t) {
          r.call("MPI_Waitall", 0, {2, List{7}, StatusList{}});
        }) == "2 records hold a list that is not as long as their count says");
  CHECK(told_of("assumed-cancelled", [](TestRank& r, std::int64_t) {
          r.call("MPI_Irecv", 0, {1, kInt, 0, 1, kWorld, 2}).call("MPI_Cancel", 0, {2});
          r.call("MPI_Wait", 0, {2, StatusList{}});
        }) == "2 receives were cancelled with an outcome that was not recorded; they are left out");
  TestTrace timeless(1);
  timeless.ranks[0].mask = 0x43;
  timeless.ranks[0].init().finalize(0);
  CHECK(remark(read(timeless), "no-times") ==
        "1 ranks were recorded without times: their computation takes no time");
  TestTrace endless(1);
  endless.ranks[0].init();
  CHECK(remark(read(endless), "missing-call") ==
        "rank 0 has no record of MPI_Finalize: the program ended early or recording was off");
}
