// One-sided communication: the operations made from each kind of epoch. All ranks of a communicator make a
// window together.
#include <doctest/doctest.h>

#include "workloads/dumpi/compile/test_reading.hpp"

using namespace busline;
using namespace busline::dumpi;

namespace {

constexpr std::int64_t kWindow = 1, kNoAssertion = 255;

TestRank& make_window(TestRank& r, std::int64_t id = kWindow) {
  return r.call("MPI_Win_create", 0, {64, 1, 0, kWorld, id});
}
TestRank& fence(TestRank& r, std::int64_t id = kWindow) {
  return r.call("MPI_Win_fence", 0, {kNoAssertion, id});
}
TestRank& access(TestRank& r, const char* call, std::int64_t n, std::int64_t target,
                 std::int64_t id = kWindow) {
  if (std::string(call) == "MPI_Accumulate") return r.call(call, 0, {n, kInt, target, 0, n, kInt, 3, id});
  return r.call(call, 0, {n, kInt, target, 0, n, kInt, id});
}
// The group of one rank of the world, as group `made`.
TestRank& group_of(TestRank& r, std::int64_t rank, std::int64_t made) {
  return r.call("MPI_Comm_group", 0, {kWorld, 3}).call("MPI_Group_incl", 0, {3, 1, List{rank}, made});
}

}  // namespace

TEST_CASE("the bytes of a fence epoch move at the fence that ends it, all at once") {
  TestTrace t(2);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    auto& r = t.ranks[static_cast<std::size_t>(rank)];
    fence(make_window(r.init()));
    access(access(access(r, "MPI_Put", 5, 1 - rank), "MPI_Get", 6, 1 - rank), "MPI_Accumulate", 7, rank);
    access(r, "MPI_Put", 5, -2);  // MPI_PROC_NULL
    fence(fence(r)).call("MPI_Win_free", 0, {kWindow}).finalize(0);
  }
  const auto p = read_well(t);
  CHECK(inside(p) == Words{"MPI_Win_create 0/0", "MPI_Win_fence 0/0", "noop", "noop", "noop", "noop",
                           "put 1:-2 20", "get 1:-2 24", "put 0:-2 28", "wait_send", "wait_send", "wait_send",
                           "MPI_Win_fence 0/0", "MPI_Win_fence 0/0", "MPI_Win_free 0/0"});
}

TEST_CASE("post and start, complete and wait exchange messages without data that no program can receive") {
  TestTrace t(3);
  t.ranks[0].init();
  group_of(make_window(t.ranks[0]), 1, 4).call("MPI_Win_start", 0, {4, kNoAssertion, kWindow});
  access(t.ranks[0], "MPI_Put", 5, 1).call("MPI_Win_complete", 0, {kWindow}).finalize(0);
  t.ranks[1].init();
  make_window(t.ranks[1])
      .call("MPI_Comm_group", 0, {kWorld, 3})
      .call("MPI_Group_excl", 0, {3, 1, List{1}, 4});
  t.ranks[1]
      .call("MPI_Win_post", 0, {4, kNoAssertion, kWindow})
      .call("MPI_Win_test", 0, {kWindow, 0})
      .call("MPI_Win_test", 0, {kWindow, 1})
      .finalize(0);
  t.ranks[2].init();
  group_of(make_window(t.ranks[2]), 1, 5).call("MPI_Win_start", 0, {5, kNoAssertion, kWindow});
  access(t.ranks[2], "MPI_Get", 5, 1).call("MPI_Win_complete", 0, {kWindow}).finalize(0);
  const auto p = read_well(t);
  CHECK(inside(p, 0) ==
        Words{"MPI_Win_create 0/0", "recv 1:-3 0", "noop", "put 1:-2 20", "wait_send", "isend 1:-4 0"});
  CHECK(inside(p, 1) ==
        Words{"MPI_Win_create 0/0", "isend 0:-3 0", "isend 2:-3 0", "recv 0:-4 0", "recv 2:-4 0"});
  CHECK(inside(p, 2) ==
        Words{"MPI_Win_create 0/0", "recv 1:-3 0", "noop", "get 1:-2 20", "wait_send", "isend 1:-4 0"});
  const auto& post = p.operations()[p.strands()[1].begin + 2];
  CHECK((post.flags & Operation::buffered) != 0);  // MPI_Win_post does not wait
}

TEST_CASE("the bytes of a lock epoch move when its target is unlocked, and the target has no part in it") {
  TestTrace t(3);
  for (auto& r : t.ranks) make_window(r.init());
  auto& r = t.ranks[0];
  for (std::int64_t target = 0; target < 3; ++target) r.call("MPI_Win_lock", 0, {2, target, 0, kWindow});
  access(access(access(access(r, "MPI_Put", 1, 1), "MPI_Get", 2, 2), "MPI_Put", 3, 1), "MPI_Put", 4, 0);
  for (const std::int64_t target : {2, 1, 0}) r.call("MPI_Win_unlock", 0, {target, kWindow});
  for (auto& each : t.ranks) each.call("MPI_Win_free", 0, {kWindow}).finalize(0);
  const auto p = read_well(t);
  const auto all = inside(p);
  CHECK(Words(all.begin() + 1, all.begin() + 8) == Words(7, "noop"));
  CHECK(Words(all.begin() + 8, all.end()) == Words{"get 2:-2 8", "wait_send", "put 1:-2 4", "put 1:-2 12",
                                                   "wait_send", "wait_send", "put 0:-2 16", "wait_send",
                                                   "MPI_Win_free 0/0"});
  CHECK(inside(p, 1) == Words{"MPI_Win_create 0/0", "MPI_Win_free 0/0"});
}

TEST_CASE("windows are matched across ranks by the order of their creation, not by their ids") {
  TestTrace t(2);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    auto& r = t.ranks[static_cast<std::size_t>(rank)];
    const auto first = 1 + rank, second = 2 - rank;  // ids of rank 0: 1 and 2; of rank 1: 2 and 1
    make_window(make_window(r.init(), first), second);
    access(access(r, "MPI_Put", 1, 1 - rank, first), "MPI_Put", 2, 1 - rank, second);
    fence(r, first).call("MPI_Win_free", 0, {first});
    make_window(r, first);  // the id of a freed window is used again
    access(r, "MPI_Put", 3, 1 - rank, first);
    fence(fence(r, first), second).finalize(0);
  }
  const auto p = read_well(t);
  CHECK(inside(p, 0)[4] == "put 1:-2 4");
  CHECK(inside(p, 1)[4] == "put 0:-2 4");
  for (const std::uint32_t rank : {0U, 1U}) {
    const auto all = inside(p, rank);
    const auto other = std::to_string(1 - rank);
    CHECK(std::count(all.begin(), all.end(), "put " + other + ":-8 12") == 1);  // of the third window
    CHECK(std::count(all.begin(), all.end(), "put " + other + ":-5 8") == 1);   // of the second
  }
}

TEST_CASE("transfers that no recorded call completes move when their window is freed, with a warning") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  make_window(make_window(r.init()), 2);
  access(access(r, "MPI_Put", 1, 0), "MPI_Put", 2, 0, 2).call("MPI_Win_free", 0, {kWindow}).finalize(0);
  const auto reading = read(t);
  REQUIRE(told(reading, "open-epoch"));
  const auto all = words(*reading.program, 0);
  CHECK(Words(all.begin() + 5, all.end()) ==
        Words{"put 0:-2 4", "wait_send", "MPI_Win_free 0/0", "put 0:-5 8", "wait_send", "MPI_Finalize 0/0"});
}

TEST_CASE("calls on windows that no recorded call made are not simulated, and named") {
  TestTrace t(1);
  auto& r = t.ranks[0];
  access(access(fence(r.init()), "MPI_Put", 1, 0), "MPI_Put", 1, 0).call("MPI_Win_free", 0, {kWindow});
  r.call("MPI_Win_post", 0, {7, 0, kWindow}).finalize(0);
  const auto reading = read(t);
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].code == "unknown-window");
  CHECK(reading.diagnostics[0].message.ends_with(
      "not simulated: 2 MPI_Put, 1 MPI_Win_fence, 1 MPI_Win_free, 1 MPI_Win_post"));
  CHECK(inside(*reading.program).empty());
}

TEST_CASE("one-sided calls that name no rank of their window, or an unknown group, are errors") {
  TestTrace far(1);
  access(make_window(far.ranks[0].init()), "MPI_Put", 1, 1).finalize(0);
  auto reading = read(far);
  REQUIRE(!reading.program.has_value());
  CHECK(reading.program.error().message == "the target is rank 1, expected 0 to 0");

  TestTrace no_group(1);
  make_window(no_group.ranks[0].init()).call("MPI_Win_post", 0, {7, 0, kWindow}).finalize(0);
  reading = read(no_group);
  REQUIRE(!reading.program.has_value());
  CHECK(reading.program.error().message == "the members of the group are not known from the recorded calls");
}
