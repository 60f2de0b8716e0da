// Which parts of a trace with damaged files are used, with DumpiOptions::salvage.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/dumpi/compile/read_dumpi.hpp"
#include "workloads/dumpi/format/test_trace.hpp"

namespace {

using namespace busline;
using namespace busline::dumpi;

struct Salvaged {
  Expected<Program> program;
  SalvageReport report;
  Diagnostics diagnostics;
};

Salvaged salvage(const TestTrace& trace) {
  DumpiOptions options;
  options.salvage = true;
  SalvageReport report;
  Diagnostics diagnostics;
  auto program = read_dumpi(trace.folder().string(), options, diagnostics, report);
  return {std::move(program), std::move(report), std::move(diagnostics)};
}

std::vector<OpKind> kinds(const Program& p, std::size_t rank) {
  std::vector<OpKind> all;
  for (const auto& op : p.operations(p.strands()[rank])) all.push_back(op.kind);
  return all;
}

std::vector<std::string> messages(const Salvaged& s) {
  std::vector<std::string> all;
  for (const auto& d : s.diagnostics)
    if (d.code == "salvaged") all.push_back(d.message);
  return all;
}

// Two ranks. Each sends to the other, then receives; then they meet.
struct ExchangeTrace : TestTrace {
  explicit ExchangeTrace(std::size_t messages) : TestTrace(2) {
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      auto& r = ranks[static_cast<std::size_t>(rank)];
      r.init();
      for (std::size_t i = 0; i < messages; ++i)
        r.call("MPI_Send", 0, {1, kInt, 1 - rank, 0, kWorld})
            .call("MPI_Recv", 0, {1, kInt, 1 - rank, 0, kWorld, std::vector<TestStatus>{}});
      r.call("MPI_Barrier", 0, {kWorld}).finalize(0);
    }
    write();
  }
};

constexpr auto kInit = OpKind::collective, kSend = OpKind::send, kReceive = OpKind::recv;
using Kinds = std::vector<OpKind>;

// Offset in a file of ExchangeTrace: 8 bytes of magic, 8 of biases, MPI_Init takes 21.
constexpr std::size_t kFirstSend = 37, kSendSize = 17 + 16, kReceiveSize = 17 + 20;

}  // namespace

TEST_CASE("salvaging a complete trace gives the same Program as reading it") {
  const ExchangeTrace t(2);
  const auto s = salvage(t);
  REQUIRE_MESSAGE(s.program.has_value(), to_string(s.program.error()));
  CHECK(s.report.whole());
  CHECK(s.diagnostics.empty());
  CHECK(s.program->traced_run_time());
  CHECK(s.program->operations().size() == 2 * 7);
}

TEST_CASE("the records before the end of a truncated file are used") {
  const ExchangeTrace t(3);
  const auto bytes = t.ranks[1].bytes();
  t.write("t-0001.bin", bytes.substr(0, kFirstSend + kSendSize + kReceiveSize + kSendSize + 5));
  const auto s = salvage(t);
  REQUIRE_MESSAGE(s.program.has_value(), to_string(s.program.error()));
  // Rank 1 sends twice and receives once. Rank 0 waits for the third message, and its second one is not
  // received.
  CHECK(kinds(*s.program, 1) == Kinds{kInit, kSend, kReceive, kSend});
  CHECK(kinds(*s.program, 0) == Kinds{kInit, kSend, kReceive, OpKind::noop, kReceive, OpKind::noop});
  CHECK(!s.program->traced_run_time());
  REQUIRE(s.report.files.size() == 1);
  CHECK(s.report.files[0].rank == 1);
  CHECK(s.report.files[0].records == 4);
  CHECK(!s.report.files[0].recorded);
  CHECK(s.report.files[0].offset == kFirstSend + 2 * kSendSize + kReceiveSize);
  CHECK(s.report.files[0].why == "MPI_Recv record 5: is truncated in its times");
  CHECK(s.report.unmatched == Unmatched{2, 0, 0, 0});
  CHECK(messages(s) ==
        std::vector<std::string>{"4 records of rank 1 are used: MPI_Recv record 5: is truncated in its times",
                                 "rank 0 ends before its call 7 (MPI_Recv), after 6 of 8 operations: it "
                                 "would wait for a message from "
                                 "rank 1, tag 0, communicator 0",
                                 "left out because their counterparts are not in the trace: 2 sends"});
}

TEST_CASE("the records before a damaged one are used, and the file says how many there should be") {
  const ExchangeTrace t(1);
  auto bytes = t.ranks[0].bytes();
  bytes[kFirstSend + kSendSize] = '\x7f';  // a function that does not exist
  t.write("t-0000.bin", bytes);
  const auto s = salvage(t);
  REQUIRE_MESSAGE(s.program.has_value(), to_string(s.program.error()));
  CHECK(kinds(*s.program, 0) == Kinds{kInit, kSend});
  CHECK(kinds(*s.program, 1) == Kinds{kInit, OpKind::noop, kReceive});
  REQUIRE(s.report.files.size() == 1);
  CHECK(s.report.files[0].records == 2);
  CHECK(s.report.files[0].recorded == 5U);
}

TEST_CASE("a rank without records is idle, whether its file is empty, missing or of another kind") {
  ExchangeTrace t(1);
  t.ranks[0] = TestRank();
  t.ranks[0].init().call("MPI_Send", 5, {1, kInt, 1, 0, kWorld}).finalize(9);
  for (const std::string& content : {std::string("\0", 0), std::string("text"), std::string("-")}) {
    t.write();
    if (content == "-")
      std::filesystem::remove(t.folder() / "t-0001.bin");
    else
      t.write("t-0001.bin", content);
    const auto s = salvage(t);
    REQUIRE_MESSAGE(s.program.has_value(), to_string(s.program.error()));
    CHECK(kinds(*s.program, 0) == Kinds{OpKind::compute, OpKind::noop, OpKind::compute});
    CHECK(kinds(*s.program, 1).empty());
    if (content == "-") CHECK(s.report.files.at(0).why == "it has no file");
    REQUIRE(s.report.files.size() == 1);
    CHECK(s.report.files[0].records == 0);
    CHECK(s.report.files[0].path.empty() == (content == "-"));
  }
}

TEST_CASE("salvaging a trace without usable operations is an error") {
  const ExchangeTrace t(1);
  for (const auto* name : {"t-0000.bin", "t-0001.bin"}) t.write(name, "");
  const auto s = salvage(t);
  REQUIRE(!s.program.has_value());
  CHECK(s.program.error().message == "nothing is left to replay; rank 0: the file is empty");
}

TEST_CASE("ranks end at the creation of a communicator that a truncated rank did not join") {
  TestTrace t(2);
  for (auto& r : t.ranks)
    r.init().call("MPI_Comm_dup", 0, {kWorld, 5}).call("MPI_Barrier", 0, {5}).finalize(0);
  t.write();
  t.write("t-0001.bin", t.ranks[1].bytes().substr(0, kFirstSend));
  const auto s = salvage(t);
  REQUIRE(!s.program.has_value());  // nothing but MPI_Init
  REQUIRE(s.report.early_ends.size() == 1);
  CHECK(s.report.early_ends[0].waits_for == "1 of the 2 ranks of communicator 0 to call MPI_Comm_dup");
}

TEST_CASE("ranks that disagree on a communicator give a warning, and stop where they use it") {
  TestTrace t(2);
  for (std::int64_t rank = 0; rank < 2; ++rank)
    t.ranks[static_cast<std::size_t>(rank)]
        .init()
        .call("MPI_Barrier", 0, {kWorld})
        .call("MPI_Cart_create", 0, {kWorld, 1, List{2 - rank}, List{0}, 0, 5})
        .call("MPI_Barrier", 0, {5})
        .finalize(0);
  t.write();
  const auto s = salvage(t);
  REQUIRE_MESSAGE(s.program.has_value(), to_string(s.program.error()));
  CHECK(kinds(*s.program, 0) == Kinds{kInit, OpKind::collective, OpKind::collective});
  REQUIRE(!s.diagnostics.empty());
  CHECK(s.diagnostics.front().code == "unknown-communicator");
  CHECK(s.diagnostics.front().message == "MPI_Cart_create record 3: rank 0 has different dimensions");
  CHECK(s.report.files.size() == 2);
}

TEST_CASE("unrecorded messages are skipped when a partial trace is salvaged") {
  TestTrace t(2);
  t.ranks[0].init().call("MPI_Send", 0, {1, kInt, 1, 0, kWorld}).ignore("MPI_Send", 1).finalize(0);
  t.ranks[1].init();
  for (int i = 0; i < 2; ++i)
    t.ranks[1].call("MPI_Recv", 0, {1, kInt, 0, 0, kWorld, std::vector<TestStatus>{}});
  t.ranks[1].finalize(0);
  t.write();
  const auto s = salvage(t);
  REQUIRE_MESSAGE(s.program.has_value(), to_string(s.program.error()));
  CHECK(s.report.files.empty());
  CHECK(s.report.early_ends.empty());
  CHECK(s.report.unmatched == Unmatched{0, 1, 0, 0});
  CHECK(kinds(*s.program, 1) == Kinds{kInit, kReceive, OpKind::noop, OpKind::collective});
}

TEST_CASE("a wrong footer leaves all records in use") {
  const ExchangeTrace t(1);
  auto bytes = t.ranks[0].bytes();
  const auto footer = bytes.find(std::string("\0\0\0\0\xf0\x07\xfe\xe7", 8));
  bytes[footer + 8 + 3] = '\x09';  // MPI_Send calls
  t.write("t-0000.bin", bytes);
  const auto s = salvage(t);
  REQUIRE_MESSAGE(s.program.has_value(), to_string(s.program.error()));
  CHECK(s.program->operations().size() == 2 * 5);
  REQUIRE(s.report.files.size() == 1);
  CHECK(s.report.files[0].records == 5);
  CHECK(s.report.files[0].why ==
        "footer: 9 MPI_Send calls were made and 0 of them not recorded, but there are 1 records");
}
