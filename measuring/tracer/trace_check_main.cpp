// What a trace that the tracer made of sample_main.cpp on 3 ranks must hold. The environment variable
// BUSLINE_TRACED_RUN names its folder.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "workloads/dumpi/format/call_reader.hpp"
#include "workloads/dumpi/format/meta_file.hpp"
#include "workloads/dumpi/format/record_counts.hpp"
#include "workloads/dumpi/format/trace_file.hpp"

using namespace busline;
using namespace busline::dumpi;

namespace {

constexpr std::int64_t kInt = 9, kWorld = 2, kFirstUserType = 28, kNullType = 1, kFirstCommunicator = 4;

// The file of a rank, opened.
TraceFile file_of(std::size_t rank) {
  const char* const folder = std::getenv("BUSLINE_TRACED_RUN");
  REQUIRE(folder != nullptr);
  Diagnostics diagnostics;
  const auto files = find_trace_files(folder, diagnostics);
  REQUIRE(files);
  REQUIRE(files->ranks.size() == 3);
  auto file = TraceFile::open(files->ranks[rank], diagnostics);
  REQUIRE(file);
  CHECK(diagnostics.empty());
  return std::move(*file);
}

// What a rank's records of a function say, one after the other.
template <class Check>
std::size_t each_record(std::size_t rank, std::uint16_t function, Check check) {
  const auto file = file_of(rank);
  CallReader records(file);
  std::size_t n = 0;
  while (const auto* const record = records.next())
    if (record->function == function) check(*record, n++);
  CHECK(!records.error());
  return n;
}

std::size_t count(std::size_t rank, std::uint16_t function) {
  return each_record(rank, function, [](const Record&, std::size_t) {});
}

}  // namespace

TEST_CASE("each file's records are those that its footer counts, in the order in which calls returned") {
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const auto file = file_of(rank);
    CallReader records(file);
    RecordCounts counts{};
    std::pair<unsigned, std::uint32_t> last{};
    while (const auto* const r = records.next()) {
      ++counts[r->function];
      CHECK(r->mask == 0x4f);
      CHECK(r->thread == 0);
      const std::pair<unsigned, std::uint32_t> entry(r->wall.entry_seconds, r->wall.entry_nanoseconds);
      const std::pair<unsigned, std::uint32_t> exit(r->wall.exit_seconds, r->wall.exit_nanoseconds);
      if (r->function < kFirstMpi3) CHECK(last <= entry);  // behind an annotation that marks its begin
      CHECK(entry <= exit);
      last = exit;
    }
    CHECK(!records.error());
    CHECK(!check_record_counts(file, counts));
    CHECK(counts[function_id("MPI_Initialized")] == 1);  // before MPI_Init
    CHECK(counts[function_id("MPI_Finalize")] == 1);
    CHECK(file.ignored()[function_id("MPI_Barrier")] == 1);  // while recording was off
    CHECK(file.ignored()[kCountedFunctions] == 1);
  }
}

TEST_CASE("MPI_Init has no length: its stamps are the common instant behind a barrier") {
  const auto n = each_record(0, function_id("MPI_Init"), [](const Record& r, std::size_t) {
    CHECK(r.wall.entry_seconds == r.wall.exit_seconds);
    CHECK(r.wall.entry_nanoseconds == r.wall.exit_nanoseconds);
  });
  CHECK(n == 1);
}

TEST_CASE("a receive from anybody tells from whom it was, though the program did not ask") {
  std::set<std::pair<int, int>> messages;  // source and bytes
  const auto n = each_record(0, function_id("MPI_Recv"), [&](const Record& r, std::size_t) {
    CHECK(r[argument("MPI_Recv", "source")] == -1);
    CHECK(r[argument("MPI_Recv", "tag")] == -1);
    CHECK(r[argument("MPI_Recv", "comm")] == kWorld);
    constexpr auto kStatus = argument("MPI_Recv", "status");
    REQUIRE(r.statuses(kStatus) == 1);
    const auto status = r.status(kStatus);
    CHECK(status.tag == 10 * status.source);
    messages.emplace(status.source, status.bytes);
  });
  CHECK(n == 2);
  CHECK(messages == std::set<std::pair<int, int>>{{1, 4}, {2, 8}});
}

TEST_CASE("MPI_PROC_NULL is -2 under every MPI library, and no test finds a message that is not there") {
  each_record(0, function_id("MPI_Isend"), [](const Record& r, std::size_t i) {
    CHECK(r[argument("MPI_Isend", "dest")] == (i == 0 ? -2 : 1));
  });
  const auto waits = each_record(1, function_id("MPI_Waitall"), [](const Record& r, std::size_t) {
    CHECK(r[argument("MPI_Waitall", "count")] == 4);
    const auto requests = r.list(argument("MPI_Waitall", "requests"));
    REQUIRE(requests.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(requests[i] >= 2);  // none is null before the call
    constexpr auto kStatuses = argument("MPI_Waitall", "statuses");
    REQUIRE(r.statuses(kStatuses) == 4);
    CHECK(r.status(kStatuses, 0).source == 0);
    CHECK(r.status(kStatuses, 1).source == 2);
    CHECK(r.status(kStatuses, 1).bytes == 8);
  });
  CHECK(waits == 1);
  each_record(1, function_id("MPI_Iprobe"), [](const Record& r, std::size_t) {
    CHECK(r[argument("MPI_Iprobe", "flag")] == 0);
    CHECK(r.statuses(argument("MPI_Iprobe", "status")) == 0);
  });
}

TEST_CASE("a datatype gets a number of its own and its size, also where its handle was used before") {
  std::vector<std::int64_t> types;
  each_record(1, function_id("MPI_Type_vector"), [&](const Record& r, std::size_t) {
    CHECK(r[argument("MPI_Type_vector", "oldtype")] == kInt);
    types.push_back(r[argument("MPI_Type_vector", "newtype")]);
  });
  CHECK(types == std::vector<std::int64_t>{kFirstUserType, kFirstUserType + 1});
  each_record(1, function_id("MPI_Type_free"), [&](const Record& r, std::size_t i) {
    CHECK(r[argument("MPI_Type_free", "datatype")] == types[i]);
  });
  const auto file = file_of(1);
  const auto sizes = file.type_sizes();
  REQUIRE(sizes.size() == 30);
  CHECK(sizes[kInt] == 4);
  CHECK(sizes[28] == 2 * 4);
  CHECK(sizes[29] == 4 * 4);
}

TEST_CASE("what MPI does not look at is not recorded: in place, and counts of ranks that are not the root") {
  each_record(0, function_id("MPI_Gatherv"), [](const Record& r, std::size_t) {
    CHECK(r[argument("MPI_Gatherv", "sendcount")] == 0);
    CHECK(r[argument("MPI_Gatherv", "sendtype")] == kNullType);
    CHECK(r[argument("MPI_Gatherv", "recvtype")] == kInt);
    const auto counts = r.list(argument("MPI_Gatherv", "recvcounts"));
    REQUIRE(counts.size() == 3);
    CHECK(counts[2] == 3);
  });
  each_record(2, function_id("MPI_Gatherv"), [](const Record& r, std::size_t) {
    CHECK(r[argument("MPI_Gatherv", "commrank")] == 2);
    CHECK(r[argument("MPI_Gatherv", "commsize")] == 3);
    CHECK(r[argument("MPI_Gatherv", "sendcount")] == 3);
    CHECK(!r.present(argument("MPI_Gatherv", "recvcounts")));
  });
}

TEST_CASE("communicators are numbered from 4, and MPI_COMM_NULL is 1") {
  for (std::size_t rank = 0; rank < 3; ++rank)
    each_record(rank, function_id("MPI_Comm_split"), [rank](const Record& r, std::size_t) {
      CHECK(r[argument("MPI_Comm_split", "newcomm")] == (rank == 2 ? 1 : kFirstCommunicator));
    });
  CHECK(count(0, function_id("MPI_Bcast")) == 1);
  CHECK(count(2, function_id("MPI_Bcast")) == 0);
}

TEST_CASE("calls of MPI-3 have records with their arguments") {
  for (std::size_t rank = 0; rank < 3; ++rank) {
    std::int64_t request = 0;
    const auto barriers = each_record(rank, function_id("MPI_Ibarrier"), [&](const Record& r, std::size_t) {
      CHECK(r[argument("MPI_Ibarrier", "comm")] == kWorld);
      request = r[argument("MPI_Ibarrier", "request")];
    });
    CHECK(barriers == 1);
    std::size_t waits = 0;
    each_record(rank, function_id("MPI_Wait"), [&](const Record& r, std::size_t) {
      if (r[0] == request) ++waits;
    });
    CHECK(waits == 1);
  }
}

TEST_CASE("a call of MPI-3 and an annotation are marked by an entry and an exit with their label") {
  std::vector<std::int64_t> entered, left;
  each_record(2, function_id("Function_enter"),
              [&](const Record& r, std::size_t) { entered.push_back(r[0]); });
  each_record(2, function_id("Function_exit"), [&](const Record& r, std::size_t) { left.push_back(r[0]); });
  CHECK(entered.size() == 2);
  CHECK(entered == left);
  const auto file = file_of(2);
  std::vector<std::string> texts;
  for (const auto key : entered)
    for (const auto& label : file.labels())
      if (static_cast<std::int64_t>(label.key) == key) texts.emplace_back(label.text);
  CHECK(texts == std::vector<std::string>{"ANNOTATION: MPI-3: MPI_Ibarrier", "ANNOTATION: phase 7"});
}
