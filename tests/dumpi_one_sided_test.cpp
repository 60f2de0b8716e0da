// One-sided communication of DUMPI traces, with times worked out by hand: 2 ranks on a node each, latency
// L = 5 us on the CPUs, 1 GB/s, so that 1 MB takes 1000 us; a fence or MPI_Win_create of 2 ranks costs a
// latency in and a latency out, 10 us.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "validation/simulated/textbook.hpp"
#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/format/test_trace.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;
using namespace busline::textbook;

constexpr std::int64_t kByte = 5, kWindow = 1, kMicrosecond = 1000;  // ns
constexpr std::int64_t kSize = 1'000'000;
constexpr std::int64_t kGroupOfWorld = 3, kGroup = 4;

// Two ranks that have made a window; times of calls in microseconds of their own.
class OneSidedRun {
 public:
  OneSidedRun() : trace_(2) {
    for (auto& r : trace_.ranks) r.init().call("MPI_Win_create", 0, {64, 1, 0, kWorld, kWindow});
  }
  void call(std::size_t rank, const char* name, std::int64_t at, std::vector<TestArgument> arguments) {
    trace_.ranks[rank].call(name, at * kMicrosecond, std::move(arguments));
  }
  void access(const char* name, std::int64_t bytes, std::int64_t at = 0) {  // by rank 0, of rank 1
    call(0, name, at, {bytes, kByte, 1, 0, bytes, kByte, kWindow});
  }
  void fence() {
    for (const std::size_t rank : {0U, 1U}) call(rank, "MPI_Win_fence", 0, {255, kWindow});
  }
  /// For each rank, in microseconds.
  std::vector<std::int64_t> ends(const std::string& model) const {
    Diagnostics diagnostics;
    const auto program = read_dumpi(trace_.write(), {}, diagnostics);
    REQUIRE_MESSAGE(program.has_value(), to_string(program.error()));
    auto p = machine(2);
    p.machines[0].network.latency = us(5);
    p.machines[0].network.bandwidth = Bandwidth::bytes_per_second(1e9);
    const auto result = simulated(*program, p, model);
    REQUIRE_MESSAGE(result.has_value(), to_string(result.error()));
    CHECK(result->status == Result::Status::complete);
    std::vector<std::int64_t> all;
    for (const auto& r : result->ranks) all.push_back(r.end.count() / us(1).count());
    return all;
  }

 private:
  TestTrace trace_;
};

using Ends = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a fence takes the transfers of its epoch and then a barrier") {
  for (const std::string model : {"ideal", "dimemas"})
    for (const auto* access : {"MPI_Put", "MPI_Get"}) {
      CAPTURE(model);
      CAPTURE(access);
      OneSidedRun one;
      one.fence();
      one.access(access, kSize);
      one.fence();
      // Win_create 10, fence 10, L + 1000, fence 10.
      CHECK(one.ends(model) == Ends{1035, 1035});

      OneSidedRun two;  // started one after the other, in progress at once
      two.fence();
      two.access(access, kSize);
      two.access(access, kSize);
      two.fence();
      CHECK(two.ends(model) == Ends{1040, 1040});
    }
}

TEST_CASE("a start waits for the post, and the target's wait for the origin's complete") {
  for (const std::int64_t computed_meanwhile : {100, 2000}) {
    CAPTURE(computed_meanwhile);
    OneSidedRun run;
    for (const std::size_t rank : {0U, 1U}) {
      run.call(rank, "MPI_Comm_group", 0, {kWorld, kGroupOfWorld});
      run.call(rank, "MPI_Group_incl", 0, {kGroupOfWorld, 1, List{rank == 0 ? 1 : 0}, kGroup});
    }
    run.call(0, "MPI_Win_start", 0, {kGroup, 255, kWindow});
    run.access("MPI_Put", kSize);
    run.call(0, "MPI_Win_complete", 0, {kWindow});
    run.call(1, "MPI_Win_post", 300, {kGroup, 255, kWindow});
    run.call(1, "MPI_Win_wait", 300 + computed_meanwhile, {kWindow});
    // Rank 1 posts at 10 + 300 + L = 315, for which rank 0 waits; the bytes are there L + 1000 later, at
    // 1320; rank 0 says so at 1325. Rank 1 computes from 315 on, and its wait pays L.
    CHECK(run.ends("ideal") == Ends{1325, computed_meanwhile == 100 ? 1325 : 2320});
    CHECK(run.ends("dimemas") == run.ends("ideal"));
  }
}

TEST_CASE("an unlock returns when the bytes have arrived, although the target's only CPU is busy") {
  for (const std::string model : {"ideal", "dimemas"}) {
    CAPTURE(model);
    OneSidedRun run;
    run.call(0, "MPI_Win_lock", 0, {2, 1, 0, kWindow});
    run.access("MPI_Put", kSize);
    run.access("MPI_Get", kSize);
    run.call(0, "MPI_Win_unlock", 0, {1, kWindow});
    run.call(1, "MPI_Comm_rank", 5000, {kWorld, 1});
    // Win_create 10, 2 L, 1000; the other rank computes for 5000.
    CHECK(run.ends(model) == Ends{1020, 5010});
  }
}
