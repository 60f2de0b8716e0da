#include "workloads/dumpi/rewrite/rewrite.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/test_trace.hpp"
#include "workloads/files/test_folder.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;
namespace fs = std::filesystem;

// Ranks that initialise at 100 ns, split the world, send on it, and pass a barrier.
struct PairTrace : TestTrace {
  PairTrace();
};
PairTrace::PairTrace() : TestTrace(2) {
  for (const std::int64_t rank : {0, 1}) {
    auto& r = ranks[static_cast<std::size_t>(rank)];
    r.init(100).call("MPI_Comm_rank", 110, {kWorld, rank});
    r.call("MPI_Comm_dup", 120, 130, {kWorld, 4});
    if (rank == 0) r.call("MPI_Send", 200, 210, {1, kInt, 1, 7, 4});
    if (rank == 1) r.call("MPI_Recv", 205, 220, {1, kInt, 0, 7, 4, std::vector<TestStatus>{{4, 0, 7}}});
    r.call("MPI_Barrier", 300, 310, {4}).call("MPI_Comm_free", 400, {4}).finalize(500);
  }
}

std::vector<std::string> calls_of(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = TraceFile::open(path, diagnostics);
  REQUIRE(file.has_value());
  RecordReader records(*file);
  std::vector<std::string> all;
  while (const auto* r = records.next()) all.emplace_back(kFunctionTable[r->function].name);
  REQUIRE(!records.error());
  return all;
}

Expected<RewriteSummary> rewrite(const std::string& from, const fs::path& to,
                                 const RewriteOptions& options = {}) {
  Diagnostics diagnostics;
  return rewrite_trace(from, to.string(), options, diagnostics);
}

Error rewrite_error(const std::string& from, const fs::path& to, const RewriteOptions& options = {}) {
  const auto done = rewrite(from, to, options);
  REQUIRE(!done.has_value());
  return done.error();
}

}  // namespace

TEST_CASE("a trace rewritten in full has the same rank files") {
  const PairTrace t;
  const auto from = t.write();
  const auto to = t.folder() / "a" / "b";
  const auto done = rewrite(from, to);
  REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
  CHECK(done->meta == (to / "t.meta").string());
  CHECK(done->records == 14);
  CHECK(content_of(to / "t.meta") == "numprocs=2\nfileprefix=t\n");
  CHECK(content_of(to / "t-0000.bin") == t.ranks[0].bytes());
  CHECK(content_of(to / "t-0001.bin") == t.ranks[1].bytes());
  CHECK(std::distance(fs::directory_iterator(to), {}) == 3);
}

TEST_CASE("rewriting can be stopped after each rank, and then leaves nothing") {
  const PairTrace t;
  const auto from = t.write();
  Diagnostics diagnostics;
  std::vector<double> shares;
  const auto done = rewrite_trace(from, (t.folder() / "a").string(), {}, diagnostics, [&](double share) {
    shares.push_back(share);
    return false;
  });
  REQUIRE(done.has_value());
  CHECK(done->stopped);
  CHECK(shares == std::vector<double>{0.5});
  CHECK(fs::is_empty(t.folder() / "a"));
}

TEST_CASE("a metafile as target names the rank files") {
  const PairTrace t;
  const auto from = t.write();
  const auto done = rewrite(from, t.folder() / "other.meta");
  REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
  CHECK(content_of(t.folder() / "other.meta") == "numprocs=2\nfileprefix=other\n");
  CHECK(content_of(t.folder() / "other-0001.bin") == t.ranks[1].bytes());
}

TEST_CASE("selected ranks are written alone, and a reader says that the others are missing") {
  const PairTrace t;
  RewriteOptions options;
  options.ranks = {1, 1};
  const auto done = rewrite(t.write(), t.folder() / "part", options);
  REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
  CHECK(done->files == std::vector<std::string>{(t.folder() / "part" / "t-0001.bin").string()});
  Diagnostics diagnostics;
  const auto program = read_dumpi((t.folder() / "part").string(), {}, diagnostics);
  REQUIRE(!program.has_value());
  CHECK(program.error().message == "missing ranks: 1 of 2 have no file, rank 0");

  // The result can be rewritten again.
  const auto again = rewrite((t.folder() / "part").string(), t.folder() / "again");
  REQUIRE_MESSAGE(again.has_value(), to_string(again.error()));
  CHECK(content_of(t.folder() / "again" / "t-0001.bin") == t.ranks[1].bytes());
  options.ranks = {0};
  CHECK(rewrite_error((t.folder() / "part").string(), t.folder() / "x", options).message ==
        "the file of rank 0 is missing");
}

TEST_CASE("calls outside of the range are counted as not recorded; those that make handles stay") {
  const PairTrace t;
  RewriteOptions options;
  options.range = {100, 200};  // 200 ns to 300 ns of the clock
  const auto done = rewrite(t.write(), t.folder() / "part", options);
  REQUIRE_MESSAGE(done.has_value(), to_string(done.error()));
  CHECK(done->left_out == 2);
  const auto path = (t.folder() / "part" / "t-0000.bin").string();
  CHECK(calls_of(path) == std::vector<std::string>{"MPI_Init", "MPI_Comm_rank", "MPI_Comm_dup", "MPI_Send",
                                                   "MPI_Comm_free", "MPI_Finalize"});
  Diagnostics diagnostics;
  const auto file = TraceFile::open(path, diagnostics);
  REQUIRE(file.has_value());
  CHECK(file->called()[function_id("MPI_Barrier")] == 1);
  CHECK(file->ignored()[function_id("MPI_Barrier")] == 1);
  CHECK(file->ignored()[kCountedFunctions] == 1);
  CHECK(file->called()[kCountedFunctions] == 7);
  // All ranks left out the same barrier, so that the rest still fits together.
  const auto program = read_dumpi((t.folder() / "part").string(), {}, diagnostics);
  REQUIRE_MESSAGE(program.has_value(), to_string(program.error()));
  CHECK(diagnostics.back().message == "calls that were made but not recorded: 2 MPI_Barrier");
}

TEST_CASE("a range goes by entry times: its begin is included, its end is not") {
  const PairTrace t;
  const auto from = t.write();
  const auto sends = [&](std::int64_t begin, std::int64_t end) {
    RewriteOptions options;
    options.ranks = {0};
    options.range = {begin, end};
    REQUIRE(rewrite(from, t.folder() / "part", options).has_value());
    const auto calls = calls_of((t.folder() / "part" / "t-0000.bin").string());
    return std::count(calls.begin(), calls.end(), "MPI_Send");
  };
  CHECK(sends(100, 101) == 1);
  CHECK(sends(101, 200) == 0);
  CHECK(sends(0, 100) == 0);
  CHECK(sends(-TimeRange::kAlways, 101) == 1);
}

TEST_CASE("a range works across the clock's rollover, and a gap that is too long gives a warning") {
  constexpr std::int64_t kSecond = 1'000'000'000;
  TestTrace t(1);
  t.ranks[0].init(60'000 * kSecond);
  for (std::int64_t s = 60'000; s < 100'000; s += 1'000) t.ranks[0].call("MPI_Wtime", s * kSecond, {});
  t.ranks[0].finalize(100'000 * kSecond);
  const auto from = t.write();
  RewriteOptions options;
  options.range = {10'000 * kSecond, 12'000 * kSecond};
  Diagnostics diagnostics;
  const auto done = rewrite_trace(from, (t.folder() / "part").string(), options, diagnostics);
  REQUIRE(done.has_value());
  CHECK(done->records == 4);
  CHECK(diagnostics.empty());
  options.range = {39'000 * kSecond, 40'000 * kSecond};
  REQUIRE(rewrite_trace(from, (t.folder() / "part").string(), options, diagnostics).has_value());
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "long-gap");
}

TEST_CASE("a trace that cannot be rewritten is refused before anything is written") {
  const PairTrace t;
  const auto from = t.write();
  RewriteOptions options;
  options.ranks = {2};
  CHECK(rewrite_error(from, t.folder() / "x", options).message == "has no rank 2: its ranks are 0 to 1");
  options = {};
  options.range = {5, 5};
  CHECK(to_string(rewrite_error(from, t.folder() / "x", options)) == "the time range ends before it begins");
  const auto itself = rewrite_error(from, t.folder());
  CHECK(itself.message == "is the trace being read");
  CHECK(itself.hint == "write to another folder or name");
  CHECK(rewrite_error(from, t.folder() / "x.meta.gz").message ==
        "compressed traces are read, but not written");
  t.write("x-0002.bin.gz", "");
  CHECK(rewrite_error(from, t.folder() / "x.meta").message ==
        "is in the way: it would count as a rank of the new trace");
  t.write("file", "");
  CHECK(rewrite_error(from, t.folder() / "file").kind == Error::Kind::unreadable);
  CHECK(!fs::exists(t.folder() / "x-0000.bin"));
}

TEST_CASE("a range of a trace without times is refused") {
  TestTrace t(1);
  t.ranks[0].mask = 0x43;
  t.ranks[0].init().finalize(5);
  RewriteOptions options;
  options.range = {0, 5};
  CHECK(rewrite_error(t.write(), t.folder() / "x", options).message ==
        "holds no times, so no time range can be selected");
  CHECK(!fs::exists(t.folder() / "x" / "t-0000.bin"));
}

TEST_CASE("a damaged rank leaves no file") {
  const PairTrace t;
  const auto from = t.write();
  auto bytes = t.ranks[1].bytes();
  bytes[60] = '\x7f';
  t.write("t-0001.bin", bytes);
  CHECK(rewrite_error(from, t.folder() / "x").kind == Error::Kind::bad_input);
  CHECK(fs::is_empty(t.folder() / "x"));
}
