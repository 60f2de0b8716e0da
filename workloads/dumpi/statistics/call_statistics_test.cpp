#include "workloads/dumpi/statistics/call_statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "workloads/dumpi/format/test_trace.hpp"

using namespace busline;
using namespace busline::dumpi;

namespace {

constexpr std::int64_t kDouble = 14, kNullRank = -2;

CallStatistics statistics_of(const TestTrace& trace) {
  const auto folder = trace.write();
  std::vector<std::string> files;
  for (std::size_t r = 0; r < trace.ranks.size(); ++r)
    files.push_back(folder + "/t-000" + std::to_string(r) + ".bin");
  Diagnostics diagnostics;
  const auto statistics = read_call_statistics(files, false, diagnostics);
  REQUIRE_MESSAGE(statistics.has_value(), to_string(statistics.error()));
  return *statistics;
}

CallStatistics::Function function(const CallStatistics& s, std::string_view name) {
  for (const auto& f : s.functions)
    if (f.name == name) return f;
  FAIL("no such function: ", name);
  return {};
}

}  // namespace

TEST_CASE(
    "the run lasts from the end of MPI_Init to the begin of MPI_Finalize, and its time is inside or "
    "outside") {
  TestTrace trace(1);
  trace.ranks[0]
      .call("MPI_Initialized", 5, 10, {0})
      .call("MPI_Init", 100, 110, {List{}})
      .call("MPI_Barrier", 130, 150, {kWorld})
      .call("MPI_Barrier", 150, 155, {kWorld})
      .call("MPI_Finalize", 200, 500, {});
  const auto s = statistics_of(trace);
  const auto& rank = s.ranks[0];
  CHECK(rank.run_ns == 90);
  CHECK(rank.mpi_ns == 25);
  CHECK(rank.outside_ns == 65);
  CHECK(rank.first_ns == 5);
  CHECK(rank.last_ns == 500);
  CHECK(function(s, "MPI_Barrier").wall_ns == 25);
  CHECK(function(s, "MPI_Barrier").longest_ns == 20);
  CHECK(function(s, "MPI_Finalize").wall_ns == 300);
  CHECK(function(s, "MPI_Finalize").run_ns == 0);
  CHECK(function(s, "MPI_Initialized").run_ns == 0);
  CHECK(s.calls == 5);
}

TEST_CASE("without records of MPI_Init and MPI_Finalize the run is from the first call to the last") {
  TestTrace trace(1);
  trace.ranks[0].call("MPI_Barrier", 10, 20, {kWorld}).call("MPI_Barrier", 50, 60, {kWorld});
  const auto rank = statistics_of(trace).ranks[0];
  CHECK(rank.run_ns == 50);
  CHECK(rank.mpi_ns == 20);
  CHECK(rank.outside_ns == 30);
}

TEST_CASE("times of a rank's threads are added") {
  TestTrace trace(1);
  auto& r = trace.ranks[0];
  r.init(0).call("MPI_Barrier", 10, 30, {kWorld});
  r.thread = 1;
  r.call("MPI_Barrier", 20, 40, {kWorld});
  r.thread = 0;
  r.finalize(100);
  const auto rank = statistics_of(trace).ranks[0];
  CHECK(rank.threads == 2);
  CHECK(rank.mpi_ns == 40);
  CHECK(rank.outside_ns == 10 + 70 + 20);
}

TEST_CASE("messages to MPI_PROC_NULL do not count, and a persistent one counts at each start") {
  TestTrace trace(1);
  trace.ranks[0]
      .init()
      .call("MPI_Send", 10, {3, kInt, 1, 7, kWorld})
      .call("MPI_Send", 20, {3, kInt, kNullRank, 7, kWorld})
      .call("MPI_Send_init", 30, {2, kDouble, 1, 7, kWorld, 5})
      .call("MPI_Start", 40, {5})
      .call("MPI_Wait", 41, {5, StatusList{{}}})
      .call("MPI_Startall", 50, {1, List{5}})
      .call("MPI_Waitall", 51, {1, List{5}, StatusList{{}}})
      .finalize(100);
  const auto s = statistics_of(trace);
  CHECK(s.messages == 3);
  CHECK(s.bytes == 12 + 16 + 16);
  CHECK(s.ranks[0].messages_received == 0);
  CHECK(function(s, "MPI_Send").sizes.calls == 1);
  CHECK(function(s, "MPI_Start").sizes.bytes == 16);
  CHECK(function(s, "MPI_Send_init").sizes.calls == 0);
  REQUIRE(s.message_sizes.size() == 2);
  CHECK(s.message_sizes[0].from == 8);
  CHECK(s.message_sizes[1].from == 16);
  CHECK(s.message_sizes[1].messages == 2);
}

TEST_CASE("a receive has the size in its status, wherever that is recorded") {
  TestTrace trace(1);
  trace.ranks[0]
      .init()
      .call("MPI_Recv", 10, {100, kInt, -1, -1, kWorld, StatusList{{44, 1, 7}}})
      .call("MPI_Irecv", 20, {100, kInt, 1, 7, kWorld, 2})
      .call("MPI_Isend", 21, {1, kInt, 1, 7, kWorld, 3})
      .call("MPI_Waitall", 30, {2, List{2, 3}, StatusList{{8, 1, 7}, {999, 9, 9}}})
      .call("MPI_Recv", 40, {100, kInt, kNullRank, 7, kWorld, StatusList{{0, kNullRank, -1}}})
      .call("MPI_Sendrecv", 50, {1, kInt, 1, 7, 50, kInt, 1, 7, kWorld, StatusList{{20, 1, 7}}})
      .call("MPI_Recv", 60, {100, kInt, 1, 7, kWorld, StatusList{}})
      .finalize(100);
  const auto s = statistics_of(trace);
  const auto& rank = s.ranks[0];
  CHECK(rank.messages_received == 4);
  CHECK(rank.bytes_received == 44 + 8 + 20);
  CHECK(rank.receives_without_size == 1);
  CHECK(function(s, "MPI_Recv").sizes.bytes == 44);
  CHECK(function(s, "MPI_Recv").sizes.unknown == 1);
  CHECK(function(s, "MPI_Irecv").sizes.bytes == 8);
  CHECK(function(s, "MPI_Sendrecv").sizes.bytes == 4);
}

TEST_CASE("a collective has the size of the data that the rank sends, or else receives") {
  TestTrace trace(1);
  trace.ranks[0]
      .init()
      .call("MPI_Allreduce", 10, {2, kDouble, 3, kWorld})
      .call("MPI_Scatter", 20, {1, 5, kInt, 0, kWorld})       // not the root: takes 5
      .call("MPI_Gather", 30, {0, 0, 1, 0, kWorld, 3, kInt})  // the root, in place: takes 3
      .call("MPI_Alltoallv", 40, {2, List{1, 2}, List{0, 0}, kInt, List{7, 7}, List{0, 0}, kInt, kWorld})
      .call(
          "MPI_Alltoallw", 50,
          {2, List{1, 2}, List{0, 0}, List{kInt, kDouble}, List{7, 7}, List{0, 0}, List{kInt, kInt}, kWorld})
      .call("MPI_Put", 60, {10, kInt, 0, 0, 10, kInt, 1})
      .finalize(100);
  const auto s = statistics_of(trace);
  CHECK(function(s, "MPI_Allreduce").sizes.bytes == 16);
  CHECK(function(s, "MPI_Scatter").sizes.bytes == 20);
  CHECK(function(s, "MPI_Gather").sizes.bytes == 12);
  CHECK(function(s, "MPI_Alltoallv").sizes.bytes == 12);
  CHECK(function(s, "MPI_Alltoallw").sizes.bytes == 20);
  CHECK(function(s, "MPI_Put").sizes.bytes == 40);
  CHECK(function(s, "MPI_Allreduce").collective);
  CHECK_FALSE(function(s, "MPI_Put").collective);
  CHECK(s.bytes == 0);
}

TEST_CASE("sizes without a record are counted as unknown") {
  TestTrace trace(1);
  trace.ranks[0]
      .init()
      .call("MPI_Send", 10, {1, 40, 1, 7, kWorld})
      .call("MPI_Send", 20, {-3, kInt, 1, 7, kWorld})
      .call("MPI_Send", 30, {0, 40, 1, 7, kWorld})
      .finalize(100);
  const auto s = statistics_of(trace);
  CHECK(function(s, "MPI_Send").sizes.unknown == 2);
  CHECK(function(s, "MPI_Send").sizes.calls == 1);
  CHECK(s.messages == 3);
  CHECK(s.bytes == 0);
}

TEST_CASE("communicators and datatypes are identified by the call that made them, although ids are reused") {
  TestTrace trace(1);
  trace.ranks[0]
      .init()
      .call("MPI_Comm_dup", 10, {kWorld, 4})
      .call("MPI_Type_contiguous", 11, {4, kInt, 28})
      .call("MPI_Send", 12, {1, 28, 1, 7, 4})
      .call("MPI_Type_free", 13, {28})
      .call("MPI_Comm_free", 14, {4})
      .call("MPI_Comm_split", 15, {kWorld, 0, 0, 4})
      .call("MPI_Type_vector", 16, {2, 1, 5, kDouble, 28})
      .call("MPI_Send", 17, {2, 28, 1, 7, 4})
      .call("MPI_Send", 18, {1, kInt, 1, 7, 9})
      .finalize(100);
  const auto s = statistics_of(trace);
  const auto& c = s.communicators;
  const auto made_by = [&](std::string_view name) {
    const auto at = std::find_if(c.begin(), c.end(), [&](const auto& x) { return x.made_by == name; });
    REQUIRE(at != c.end());
    return *at;
  };
  CHECK(made_by("MPI_Comm_dup").bytes == 16);
  CHECK(made_by("MPI_Comm_dup").made == 1);
  CHECK(made_by("MPI_Comm_split").bytes == 32);
  CHECK(made_by("MPI_COMM_WORLD").collectives == 2);
  CHECK(made_by("").messages == 1);
  REQUIRE(s.datatypes.size() == 3);
  CHECK(s.datatypes[0].made_by == "MPI_Type_vector");
  CHECK(s.datatypes[0].most_size == 16);
  CHECK(s.datatypes[1].made_by == "MPI_Type_contiguous");
  CHECK(s.datatypes[2].made_by == "MPI_INT");
}

TEST_CASE("calls that were not recorded are counted by function") {
  TestTrace trace(2);
  for (auto& r : trace.ranks) r.init().finalize(10).ignore("MPI_Isend", 3);
  const auto s = statistics_of(trace);
  CHECK(function(s, "MPI_Isend").not_recorded == 6);
  CHECK(function(s, "MPI_Isend").calls == 0);
}

TEST_CASE("a trace without times has none") {
  TestTrace trace(1);
  trace.ranks[0].mask = 0x43;
  trace.ranks[0].init().call("MPI_Barrier", 0, {kWorld}).finalize(0);
  const auto s = statistics_of(trace);
  CHECK(s.ranks_with_wall == 0);
  CHECK(s.ranks_with_cpu == 0);
  CHECK(s.ranks[0].run_ns == 0);
}

TEST_CASE("a damaged file gives an error, not statistics") {
  TestTrace trace(1);
  trace.ranks[0].init().call("MPI_Waitall", 0, {1, List{2}, StatusList{}}).finalize(0);
  const auto folder = trace.write();
  auto bytes = trace.ranks[0].bytes();
  bytes[8 + 8] = '\xff';  // the first record's function
  trace.write("t-0000.bin", bytes);
  Diagnostics diagnostics;
  const auto s = read_call_statistics({folder + "/t-0000.bin"}, false, diagnostics);
  REQUIRE_FALSE(s.has_value());
  CHECK(s.error().where == "record 1");
}

TEST_CASE("a file with fewer records than its footer counts is an error") {
  TestTrace trace(1);
  trace.ranks[0].init().call("MPI_Barrier", 0, {kWorld}).finalize(0);
  const auto folder = trace.write();
  auto bytes = trace.ranks[0].bytes();
  bytes.replace(bytes.find(std::string("\x00\x34\x4b", 3)), 2,
                "\x01\x25");  // a Barrier becomes the end of the records
  trace.write("t-0000.bin", bytes);
  Diagnostics diagnostics;
  const auto s = read_call_statistics({folder + "/t-0000.bin"}, false, diagnostics);
  REQUIRE_FALSE(s.has_value());
  CHECK(s.error().message ==
        "1 MPI_Barrier calls were made and 0 of them not recorded, but there are 0 records");
}

TEST_CASE("the intact parts of damaged and missing files can be counted, with a warning for each") {
  TestTrace trace(2);
  for (auto& r : trace.ranks) r.init(0).call("MPI_Barrier", 10, 20, {kWorld}).finalize(30);
  const auto folder = trace.write();
  trace.write("t-0000.bin", trace.ranks[0].bytes().substr(0, 60));
  Diagnostics diagnostics;
  const std::vector<std::string> files{folder + "/t-0000.bin", folder + "/t-0001.bin", ""};
  const auto s = read_call_statistics(files, true, diagnostics);
  REQUIRE(s.has_value());
  REQUIRE(s->ranks.size() == 3);
  CHECK(s->ranks[0].calls == 2);
  CHECK(s->ranks[1].calls == 3);
  CHECK(s->ranks[2].calls == 0);
  const auto said = [&](std::string_view text) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [&](const Diagnostic& d) { return d.message.find(text) != std::string::npos; });
  };
  CHECK(said("rank 2 has no file"));
  CHECK(said("the records before it count"));
}
