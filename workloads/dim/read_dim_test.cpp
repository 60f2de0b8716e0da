#include "workloads/dim/read_dim.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

using namespace busline;

namespace {

const std::string kHeader2 = "#DIMEMAS:\"t\":0:2(1,1),1\nd:1:1:2:0:1\n";

Program dim_program(const std::string& text) {
  Diagnostics diagnostics;
  auto p = read_dim_text(text, "t.dim", diagnostics);
  INFO(text);
  if (!p) FAIL(to_string(p.error()));
  CHECK(diagnostics.empty());
  return *std::move(p);
}

std::string dim_error(const std::string& text) {
  Diagnostics diagnostics;
  const auto p = read_dim_text(text, "t.dim", diagnostics);
  return p ? "no error" : to_string(p.error());
}

// A trace of two tasks in which task 0 has these records; the second line of records is line 4.
std::string error_of_records(const std::string& records) {
  return dim_error(kHeader2 + records);
}

std::span<const Operation> operations_of(const Program& p, std::uint32_t rank) {
  return p.operations(p.strands()[rank]);
}

std::vector<OpKind> kinds_of(const Program& p, std::uint32_t rank) {
  std::vector<OpKind> kinds;
  for (const auto& op : operations_of(p, rank)) kinds.push_back(op.kind);
  return kinds;
}

std::string call_of(const Program& p, const Operation& op) {
  return p.call_names()[op.call];
}

std::int64_t burst(const std::string& seconds) {
  return operations_of(dim_program(kHeader2 + "1:0:0:" + seconds + "\n"), 0)[0].amount;
}

}  // namespace

TEST_CASE("a burst is exact to the picosecond however it is written") {
  CHECK(burst("0.001000000") == 1'000'000'000);
  CHECK(burst("0") == 0);
  CHECK(burst("3") == 3'000'000'000'000);
  CHECK(burst(".5") == 500'000'000'000);
  CHECK(burst("7.") == 7'000'000'000'000);
  CHECK(burst("1e-06") == 1'000'000);
  CHECK(burst("2.5E-3") == 2'500'000'000);
  CHECK(burst("0.000000000001") == 1);
  CHECK(burst("0.0000000000014") == 1);
  CHECK(burst("0.0000000000015") == 2);
  CHECK(burst("0.9999999999999") == 1'000'000'000'000);
  CHECK(burst("-0.0") == 0);
  // A double of this many seconds is 0.9 ns apart from the next one; the digits count.
  CHECK(burst("9000000.123456789012") == 9'000'000'123'456'789'012);
}

TEST_CASE("a burst that is not a time is refused with its line") {
  const auto expected = [](const std::string& text) {
    return fmt::format(
        "t.dim:3:7: burst record: seconds is '{}', expected seconds: 0 or more, below 106 days", text);
  };
  for (const std::string text : {"-0.1", "nan", "inf", "1e300", "9223372", "", ".", "0x1", "1.2.3", "1,5",
                                 "1e", "99999999999999999999"})
    CHECK(error_of_records("1:0:0:" + text + "\n") == expected(text));
}

TEST_CASE("sends carry their mode, receives their request") {
  const auto p = dim_program(
      kHeader2 +
      "2:0:0:1:10:3:1:0\n2:0:0:1:11:3:1:1\n2:0:0:1:12:3:1:2\n2:0:0:1:13:3:1:3\n"
      "3:1:0:0:10:3:1:0\n3:1:0:0:11:3:1:1\n3:1:0:0:12:3:1:1\n3:1:0:0:11:3:1:2\n3:1:0:0:12:3:1:2\n");
  CHECK(p.ranks() == 2);
  const auto s = operations_of(p, 0), r = operations_of(p, 1);
  CHECK(kinds_of(p, 0) == std::vector{OpKind::send, OpKind::send, OpKind::isend, OpKind::isend});
  CHECK((s[0].flags & Operation::synchronous) == 0);
  CHECK((s[1].flags & Operation::synchronous) != 0);
  CHECK((s[2].flags & Operation::synchronous) == 0);
  CHECK((s[3].flags & Operation::synchronous) != 0);
  CHECK(s[2].request == kNoRequest);
  CHECK(s[3].amount == 13);
  CHECK(call_of(p, s[0]) == "MPI_Send");
  CHECK(call_of(p, s[1]) == "MPI_Ssend");
  CHECK(call_of(p, s[2]) == "MPI_Isend");
  CHECK(call_of(p, s[3]) == "MPI_Issend");

  CHECK(kinds_of(p, 1) ==
        std::vector{OpKind::recv, OpKind::irecv, OpKind::irecv, OpKind::wait_recv, OpKind::wait_recv});
  CHECK(r[0].detail == s[0].detail);
  CHECK(r[3].request == r[1].request);  // the oldest of two with the same source, tag and communicator
  CHECK(r[4].request == r[2].request);
  CHECK(call_of(p, r[3]) == "MPI_Wait");
  const auto& channel = p.channels()[s[0].detail];
  CHECK(channel.source == 0);
  CHECK(channel.destination == 1);
  CHECK(channel.tag == 3);
}

TEST_CASE("a wait is bound by source, tag and communicator, not by order alone") {
  const auto p = dim_program(
      "#DIMEMAS:\"t\":0:3(1,1,1),2\nd:1:1:3:0:1:2\nd:1:2:3:0:1:2\n"
      "3:0:0:1:8:0:1:1\n3:0:0:2:8:0:1:1\n3:0:0:1:8:5:1:1\n3:0:0:1:8:0:2:1\n"
      "3:0:0:1:8:0:2:2\n3:0:0:1:8:5:1:2\n3:0:0:2:8:0:1:2\n3:0:0:1:8:0:1:2\n");
  const auto ops = operations_of(p, 0);
  for (std::size_t i = 0; i < 4; ++i) CHECK(ops[i].request == ops[7 - i].request);
}

TEST_CASE("a wait without an outstanding Irecv receives a message") {
  const auto p =
      dim_program(kHeader2 + "3:0:0:1:8:0:1:2\n3:0:0:1:8:1:1:1\n3:0:0:1:8:1:1:2\n3:0:0:1:8:1:1:2\n");
  CHECK(kinds_of(p, 0) == std::vector{OpKind::recv, OpKind::irecv, OpKind::wait_recv, OpKind::recv});
}

TEST_CASE("a receive with source -1 or tag -1 is open") {
  const auto p = dim_program(kHeader2 + "3:0:0:-1:8:0:1:0\n3:0:0:1:8:-1:1:1\n3:0:0:1:8:-1:1:2\n");
  const auto ops = operations_of(p, 0);
  CHECK(ops[0].peer == kAnySource);
  CHECK((ops[0].detail & kAnyChannel) != 0);
  CHECK(p.wildcards()[1].tag == kAnyTag);
  CHECK(ops[2].kind == OpKind::wait_recv);
}

TEST_CASE("the other side's thread may be given, as -1 or -2") {
  const auto p = dim_program(kHeader2 + "2:0:0:1:-1:10:3:1:2\n3:1:0:0:-2:10:3:1:0\n");
  CHECK(operations_of(p, 0)[0].amount == 10);
  CHECK(operations_of(p, 1)[0].kind == OpKind::recv);
  CHECK(error_of_records("2:0:0:1:0:10:3:1:2\n") ==
        "t.dim:3:9: send record: a dependency on thread 0; only messages are simulated, which have -1 here");
}

TEST_CASE("collectives keep operation, sizes and root; Reduce names its root's task") {
  const auto p = dim_program(kHeader2 +
                             "10:0:0:1:1:1:0:100:200\n10:0:0:10:1:1:0:8:9:1\n10:0:0:10:1:1:0:8:9:3\n"
                             "10:1:0:1:1:0:0:100:200\n10:1:0:10:1:1:0:8:9:1\n10:1:0:10:1:1:0:8:9:3\n");
  const auto args = [&](std::uint32_t rank, std::size_t i) {
    return p.collectives()[operations_of(p, rank)[i].detail];
  };
  CHECK(args(0, 0).kind == CollectiveKind::bcast);
  CHECK(args(0, 0).is_root);
  CHECK_FALSE(args(1, 0).is_root);
  CHECK(args(0, 0).send_bytes == 100);
  CHECK(args(0, 0).recv_bytes == 200);
  CHECK(args(0, 0).sync == CollectiveArgs::Sync::blocking);
  CHECK_FALSE(args(0, 1).is_root);
  CHECK(args(1, 1).is_root);
  CHECK(args(0, 2).sync == CollectiveArgs::Sync::root_synchronised);
  CHECK(args(0, 2).root == 1);
  CHECK(call_of(p, operations_of(p, 0)[0]) == "MPI_Bcast");
}

TEST_CASE("operations 16 to 31 are 0 to 15, not blocking; waits take the oldest of their communicator") {
  const auto p = dim_program(
      "#DIMEMAS:\"t\":0:1(1),2\nd:1:1:1:0\nd:1:9:1:0\n"
      "10:0:0:27:1:0:0:8:8:0\n10:0:0:11:9:1:0:8:8:0\n10:0:0:27:1:0:0:8:8:0\n"
      "10:0:0:11:9:1:0:8:8:2\n10:0:0:27:1:0:0:8:8:2\n10:0:0:27:1:0:0:8:8:2\n");
  const auto ops = operations_of(p, 0);
  CHECK(ops[0].kind == OpKind::collective_start);
  CHECK(p.collectives()[ops[0].detail].kind == CollectiveKind::allreduce);
  CHECK(p.collectives()[ops[0].detail].sync == CollectiveArgs::Sync::nonblocking);
  CHECK(call_of(p, ops[0]) == "MPI_Iallreduce");
  CHECK(ops[3].kind == OpKind::collective_wait);
  CHECK(ops[3].request == ops[1].request);
  CHECK(ops[4].request == ops[0].request);
  CHECK(ops[5].request == ops[2].request);
}

TEST_CASE("pseudo-operations on communicator 0 or below are left out") {
  CHECK(kinds_of(dim_program(kHeader2 + "10:0:0:0:0:0:0:0:0:1\n10:0:0:0:-1:0:0:0:0:1\n0:0:0\n"), 0) ==
        std::vector{OpKind::noop});
}

TEST_CASE("events carry type and value") {
  const auto p = dim_program(kHeader2 + "20:0:0:50000001:31\n20:0:0:50000001:0\n");
  CHECK(operations_of(p, 0)[0].detail == 50000001);
  CHECK(operations_of(p, 0)[0].amount == 31);
}

TEST_CASE("every task has a strand, records or not") {
  const auto p = dim_program("#DIMEMAS:\"t\":0:5(1,1,1,1,1),0\n1:1:0:1\n1:3:0:1\n");
  REQUIRE(p.strands().size() == 5);
  CHECK(kinds_of(p, 0).empty());
  CHECK(kinds_of(p, 1).size() == 1);
  CHECK(kinds_of(p, 2).empty());
  CHECK(kinds_of(p, 3).size() == 1);
  CHECK(kinds_of(p, 4).empty());
}

TEST_CASE("an offset table, line ends of DOS and blank lines change nothing") {
  const std::string with_table =
      "#DIMEMAS:\"a:b\":1,000123:1(1),1,0,0     "
      "\r\nd:1:1:1:0\r\n\r\n1:0:0:1.5\r\n0:0:0\r\ns:0:99\r\n";
  CHECK(kinds_of(dim_program(with_table), 0) == std::vector{OpKind::compute, OpKind::noop});
  CHECK(kinds_of(dim_program("#DIMEMAS:name:1,5:1(1),0\n1:0:0:1\ns:0:99"), 0).size() == 1);
}

TEST_CASE("threads of a task are strands of its rank, with a warning") {
  Diagnostics diagnostics;
  const auto p =
      read_dim_text("#DIMEMAS:\"t\":0:2(2,4),0\n1:0:0:1\n1:0:1:2\n1:1:0:3\n", "t.dim", diagnostics);
  REQUIRE(p);
  REQUIRE(p->strands().size() == 3);
  CHECK(p->strands()[1].rank == 0);
  CHECK(p->strands()[2].rank == 1);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "threads");
  CHECK(diagnostics[0].message ==
        "tasks have several threads with records; they share their rank's CPUs and are not synchronised with "
        "one "
        "another");
  CHECK(diagnostics[0].line == 3);
}

TEST_CASE("messages on a communicator that is not defined match, with a warning") {
  Diagnostics diagnostics;
  const auto p = read_dim_text(kHeader2 + "2:0:0:1:8:0:7:0\n3:1:0:0:8:0:7:0\n", "t.dim", diagnostics);
  REQUIRE(p);
  CHECK(operations_of(*p, 0)[0].detail == operations_of(*p, 1)[0].detail);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "undefined-communicator");
  CHECK(
      diagnostics[0].message ==
      "messages use communicator 7, which is not defined (others may follow); they still match one another");
}

TEST_CASE("a trace of a program that uses OpenMP is read, with a warning") {
  Diagnostics diagnostics;
  REQUIRE(read_dim_text("#DIMEMAS:\"t\":0:1(1),0,0,1(1)\n1:0:0:1\n", "t.dim", diagnostics));
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "openmp");
  CHECK(diagnostics[0].message == "1 tasks use OpenMP, whose synchronisation is not simulated");
}

TEST_CASE("a truncated trace is an error with the place and the missing part") {
  const std::string cut = "\n  the file is probably truncated: copy it or translate the trace again";
  CHECK(dim_error("#DIMEMAS:\"t\":1,57:2(1,1),1\nd:1:1:2:0:1\n1:0:0:0.001\n3:1:0:") ==
        "t.dim:4:7: receive record: source is '', expected a whole number" + cut);
  CHECK(dim_error("#DIMEMAS:\"t\":1,57:2(1,1),1\nd:1:1:2:0:1\n1:0:0:0.001\n3:1:0:0:10") ==
        "t.dim:4:1: receive record: the line has 5 fields, expected "
        "3:task:thread:source[:source thread]:size:tag:communicator:mode" +
            cut);
  CHECK(dim_error("#DIMEMAS:\"t\":1,57:2(1,1),1\nd:1:1:2:0:1\n1:0:0:0.001\n") ==
        "t.dim:3: the trace ends here, without the offset table that its header announces" + cut);
  CHECK(error_of_records("1:0:0:0.00") ==
        "t.dim:3:7: burst record: the line has no end, so its last number may be incomplete\n"
        "  copy the trace again, or end the line if the trace is complete");
  CHECK(dim_error("#DIMEMAS:\"t\":0:2(1,1),1\nd:1:1:2:0") ==
        "t.dim:2:7: definition: size is '2', expected 1, the number of tasks listed" + cut);
  // A trace with an offset table that is truncated before its table never passes for a complete one.
  const std::string whole =
      "#DIMEMAS:\"t\":1,57:2(1,1),1\nd:1:1:2:0:1\n1:0:0:0.001\n2:0:0:1:10:1:1:0\n10:0:0:0:1:1:0:0:0:1\n"
      "1:1:0:0.001\n3:1:0:0:10:1:1:0\n10:1:0:0:1:0:0:0:0:1\ns:0:57\ns:1:99\n";
  for (std::size_t n = 0; n < whole.find("s:0"); ++n) CHECK(dim_error(whole.substr(0, n)) != "no error");
  CHECK(dim_error(whole) == "no error");
}

TEST_CASE("invalid headers are refused with the column") {
  CHECK(dim_error("") ==
        "t.dim:1:1: header: not a Dimemas trace: the file does not begin with \"#DIMEMAS:\"");
  CHECK(dim_error("#Paraver (x)\n") ==
        "t.dim:1:1: header: not a Dimemas trace: the file does not begin with \"#DIMEMAS:\"");
  CHECK(dim_error("#DIMEMAS:\"t\":1,XXXXXXXXXXXXXXX:2(1,1),1\n") ==
        "t.dim:1:16: header: the offset table's position was never filled in\n"
        "  the translator that wrote this trace did not finish; run prv2dim again");
  const auto same = [](const std::string& header, const std::string& error) {
    CHECK(dim_error("#DIMEMAS:" + header + "\n") == "t.dim:1:" + error);
  };
  same("t", "10: header: expected the trace's name and a colon, as in #DIMEMAS:\"name\":1,");
  same("t:1,x", "14: header: expected the byte offset of the offset table, a whole number");
  same("t:0,5", "15: header: expected a colon and the number of tasks");
  same("t:0:1", "15: header: expected the number of threads of each task, as in 2(1,1)");
  same("t:0:1(x)", "16: header: expected a number of threads");
  same("t:0:1(1", "17: header: expected a comma or the ) that ends the list of threads");
  same("t:0:1(1)", "18: header: expected a comma and the number of communicators");
  same("t:0:1(1),x", "19: header: expected the number of communicators, a whole number");
  same("t:0:1(1),1,x", "21: header: expected the number of accelerator tasks, a whole number");
  same("t:0:1(1),1,0(1", "23: header: expected the list of accelerator tasks, as in (0,1)");
  same("t:0:1(1),1,0,x", "23: header: expected the number of OpenMP tasks, a whole number");
  same("t:0:1(1),1,0,1(1", "25: header: expected the list of OpenMP tasks, as in (0,1)");
  CHECK(dim_error("#DIMEMAS:\"t\":0:3(1,1),1\n") ==
        "t.dim:1:16: header: 3 tasks, but the list of threads has 2 entries");
  CHECK(dim_error("#DIMEMAS:\"t\":0:0(),1\n") ==
        "t.dim:1:17: header: expected the number of tasks, 1 or more");
  CHECK(dim_error("#DIMEMAS:\"t\":0:1(1),1,1(0)\n") ==
        "t.dim:1:24: header: 1 accelerator tasks; accelerators are not simulated\n"
        "  translate the trace without CUDA and OpenCL records");
  CHECK(dim_error("#DIMEMAS:\"t\":2:1(1),1\n") ==
        "t.dim:1:15: header: expected 1 or 0: whether an offset table follows the records");
  CHECK(dim_error("#DIMEMAS:\"t\":0:99999999999(1),1\n") ==
        "t.dim:1:16: header: 99999999999 tasks, but the list of threads has 1 entries");
  CHECK(dim_error("#DIMEMAS:\"t\":0:1(1),1,0,0 x\n") == "t.dim:1:27: header: expected the end of the line");
}

TEST_CASE("wrong records are refused with line, column, field and what was expected") {
  const auto same = [](const std::string& record, const std::string& error) {
    CHECK(error_of_records("0:0:0\n" + record + "\n") == "t.dim:4:" + error);
  };
  same("7:0:0:1", "1: record: record number is '7', expected 0, 1, 2, 3, 10 or 20");
  same("x", "1: record number is 'x', expected the number of a record, d (definition) or s (offset)");
  same("11:0:0:0.5",
       "1: accelerator burst record: accelerators are not simulated\n"
       "  translate the trace without CUDA and OpenCL records");
  same("1:2:0:1", "3: burst record: task is '2', expected a task, 0 to 1");
  same("1:-1:0:1", "3: burst record: task is '-1', expected a task, 0 to 1");
  same("1:0:1:1", "5: burst record: thread is '1', expected a thread below 1, as the header says for task 0");
  same("1:0:0", "1: burst record: the line has 3 fields, expected 1:task:thread:seconds");
  same("0:0:0:1", "1: no-op record: the line has 4 fields, expected 0:task:thread");
  same("2:0:0:2:8:0:1:0", "7: send record: destination is '2', expected a task, 0 to 1");
  same("2:0:0:-1:8:0:1:0", "7: send record: destination is '-1', expected a task, 0 to 1");
  same("3:0:0:-2:8:0:1:0", "7: receive record: source is '-2', expected a task, 0 to 1, or -1 (any)");
  same("2:0:0:1:-8:0:1:0", "9: send record: size is '-8', expected bytes, 0 to 1152921504606846976");
  same("2:0:0:1:8x:0:1:0", "9: send record: size is '8x', expected a whole number");
  same("2:0:0:1:99999999999999999999:0:1:0",
       "9: send record: size is '99999999999999999999', expected a whole number");
  same("2:0:0:1:8:-1:1:0", "11: send record: tag is '-1', expected a tag, 0 to 2147483647");
  same("2:0:0:1:-1:8:-1:1:0", "14: send record: tag is '-1', expected a tag, 0 to 2147483647");
  same("2:0:0:1:8:0:1:4",
       "15: send record: mode is '4', expected 0 (Send), 1 (rendezvous), 2 (Isend) or 3 (immediate "
       "rendezvous)");
  same("3:0:0:1:8:0:1:3", "15: receive record: mode 3 (Waitall) is not simulated");
  same("3:0:0:1:8:0:1:4", "15: receive record: mode is '4', expected 0 (Recv), 1 (Irecv) or 2 (Wait)");
  same("2:0:0:1:8:0:1",
       "1: send record: the line has 7 fields, expected "
       "2:task:thread:destination[:destination thread]:size:tag:communicator:mode");
  same("10:0:0:32:1:0:0:0:0:1", "8: collective record: operation is '32', expected 0 to 31");
  same("10:0:0:0:2:0:0:0:0:1",
       "10: collective record: communicator is '2', expected a communicator that a line d:1:... defines");
  same("10:0:0:0:1:2:0:0:0:1", "12: collective record: root is '2', expected 1 on the root, 0 on others");
  same("10:0:0:10:1:2:0:0:0:1",
       "13: collective record: root is '2', expected the root's task, since this is a "
       "Reduce: a member of the communicator");
  same("10:0:0:0:1:0:0:0:0:4",
       "20: collective record: synchronisation is '4', expected 0 (start), 1 (blocking), "
       "2 (wait) or 3 (Reduce synchronised at its root)");
  same("10:0:0:0:1:0:0:0:0:3",
       "20: collective record: synchronisation is '3', expected 0, 1 or 2: 3 is for operation 10 (Reduce)");
  same("10:0:0:16:1:0:0:0:0:1",
       "21: collective record: synchronisation is '1', expected 0 (start) or 2 (wait), "
       "since operations 16 to 31 are the non-blocking ones");
  same("10:0:0:0:1:0:0:0:0:2",
       "10: collective record: a wait on a communicator that has no started collective to wait for");
  same("10:0:0:0:1:0:0:0:0:1:1:1",
       "1: collective record: the line has 12 fields, expected "
       "10:task:thread:operation:communicator:root:root thread:send size:receive "
       "size[:synchronisation]");
  same("20:0:0:4294967296:1", "8: event record: type is '4294967296', expected 0 to 4294967295");
  same("d:1:2:1:0", "1: definition: a definition after the first record");
}

TEST_CASE("wrong definitions are refused") {
  const auto definition = [](const std::string& line) {
    return dim_error("#DIMEMAS:\"t\":0:2(1,1),1\n" + line + "\n1:0:0:1\n");
  };
  CHECK(definition("d:1:1:2:0") ==
        "t.dim:2:7: definition: size is '2', expected 1, the number of tasks listed");
  CHECK(definition("d:1:1:2:0:2") == "t.dim:2:11: definition: task is '2', expected a task, 0 to 1");
  CHECK(definition("d:1:1:2:0:0") == "t.dim:2:9: definition: task 0 is listed twice");
  CHECK(definition("d:1:1:3:0:1:1") == "t.dim:2:7: definition: size is '3', expected 1 to 2 tasks");
  CHECK(definition("d:4:1:1:0") ==
        "t.dim:2:3: definition: kind is '4', expected 1 (communicator), 2 (file) or 3 (window)");
  CHECK(definition("d:1") == "t.dim:2:4: definition: number is '', expected a whole number");
  CHECK(definition("d:1:1:1:0\nd:1:1:1:0") ==
        "t.dim:3:5: definition: number is '1', expected a number that is not defined yet");
  CHECK(definition("d:2:anything") == "no error");
  CHECK(definition("d:1:1:1:1\n10:0:0:0:1:0:0:0:0:1") ==
        "t.dim:3:10: collective record: communicator is '1', expected a communicator with task 0");
}

TEST_CASE("records out of order are refused") {
  CHECK(error_of_records("1:1:0:1\n1:0:0:1\n") ==
        "t.dim:4:3: burst record: task 0 thread 0 comes after task 1 thread 0; records must be grouped by "
        "task, "
        "then thread");
  CHECK(error_of_records("1:0:0:1\ns:0:1\n1:0:0:1\n") ==
        "t.dim:5:1: burst record: a record after the offset table");
}

TEST_CASE("a file that does not exist is unreadable") {
  Diagnostics diagnostics;
  const auto p = read_dim("/nonexistent/t.dim", diagnostics);
  REQUIRE_FALSE(p);
  CHECK(p.error().kind == Error::Kind::unreadable);
  CHECK(to_string(p.error()) == "/nonexistent/t.dim: cannot be read: No such file or directory");
}
