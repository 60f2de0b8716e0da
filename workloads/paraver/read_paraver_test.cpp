#include "workloads/paraver/read_paraver.hpp"

#include <string>
#include <vector>

#include "workloads/files/test_folder.hpp"
#include "workloads/load_workload.hpp"
#include "workloads/paraver/test_trace.hpp"

namespace busline::paraver {
namespace {

const std::string kBorders = call(1, 100, 110, 3, 31) + call(2, 100, 120, 3, 31);

}  // namespace

TEST_CASE("computation is the time between calls, from 0 to the thread's last record") {
  // Local calls are no operations, and no computation either: 200 - 110 and 300 - 220 ns add up.
  const auto t = read_prv(kTwoTasks + kBorders + call(1, 200, 220, 3, 19) + call(1, 300, 310, 2, 8) +
                          call(2, 300, 310, 2, 8) + "1:1:1:1:1:310:400:1\n1:1:1:1:1:400:900:0\n");
  CHECK(t.rank(0) == "c100 MPI_Init:coll0/0/0 c170 MPI_Barrier:coll0/0/0 c90");
  CHECK(t.rank(1) == "c100 MPI_Init:coll0/0/0 c180 MPI_Barrier:coll0/0/0");
  CHECK(t.program.traced_run_time() == Duration::picoseconds(1'000'000));
  CHECK(t.codes().empty());
}

TEST_CASE("a paraver trace without _ns counts microseconds, and its lines may end as on other systems") {
  const auto t = read_prv(
      "#Paraver (01/02/2024 at 10:00):10:1(2):1:1(1:1)\r\nc:1:1:1:1\r\n2:1:1:1:1:3:50000003:31\r\n"
      "2:1:1:1:1:4:50000003:0\r\n\r\n# a comment\r\n");
  CHECK(t.rank(0) == "c3000 MPI_Init:coll0/0/0");
  CHECK(t.program.traced_run_time() == Duration::picoseconds(10'000'000));
}

TEST_CASE("messages belong to the calls whose begins and ends they name") {
  const auto t = read_prv(kTwoTasks + kBorders +                   //
                          mpi(1, 200, 1, 1) +                      // Send, and at its end an Isend begins
                          mpi(2, 200, 1, 4) + mpi(2, 205, 1, 0) +  // Irecv
                          mpi(2, 205, 1, 2) +                      // Recv of the message of the Send
                          message(1, 200, 205, 230, 10) + mpi(1, 220, 1, 0) + mpi(1, 220, 1, 3) +
                          message(1, 220, 205, 260, 20, 4) + mpi(1, 225, 1, 0) + mpi(2, 230, 1, 0) +
                          call(2, 240, 260, 1, 6) + call(1, 300, 310, 1, 5));
  CHECK(t.rank(0) == "c100 MPI_Init:coll0/0/0 c90 MPI_Send:send10 MPI_Isend:isend20 c75 MPI_Wait:noop");
  CHECK(t.rank(1) == "c100 MPI_Init:coll0/0/0 c80 MPI_Irecv:irecv20 MPI_Recv:recv10 c10 MPI_Waitall:wr20");
}

TEST_CASE("a Sendrecv has both its halves at once, or only the one with a record") {
  const auto t =
      read_prv(kTwoTasks + kBorders + mpi(1, 200, 1, 41) + mpi(2, 201, 1, 42) +
               message(1, 200, 201, 220, 10) + message(2, 201, 200, 230, 20) + mpi(2, 220, 1, 0) +
               mpi(1, 230, 1, 0) + mpi(1, 240, 1, 41) + message(1, 240, 250, 260, 30) + mpi(1, 245, 1, 0) +
               mpi(2, 250, 1, 41) + mpi(2, 260, 1, 0) + call(1, 270, 280, 1, 41));
  CHECK(t.rank(0) ==
        "c100 MPI_Init:coll0/0/0 c90 MPI_Sendrecv:irecv20 isend10 ws wr20 c10 MPI_Sendrecv:isend30 ws c25 "
        "MPI_Sendrecv:noop");
  CHECK(t.rank(1) ==
        "c100 MPI_Init:coll0/0/0 c81 MPI_Sendrecv_replace:irecv10 isend20 ws wr10 c30 MPI_Sendrecv:irecv30 "
        "wr30");
  CHECK(t.codes() == "without-message");
}

TEST_CASE(
    "a receive that is complete inside its own call is waited for there, others where their request ends") {
  const auto t =
      read_prv(kTwoTasks + kBorders + call(1, 130, 131, 1, 3) + call(1, 140, 141, 1, 3) +
               message(1, 130, 160, 160, 1) + message(1, 140, 170, 200, 2, 4) + call(2, 150, 160, 1, 4) +
               call(2, 165, 170, 1, 4) + call(2, 175, 180, 1, 39) + call(2, 190, 200, 1, 39));
  CHECK(t.rank(1) ==
        "c100 MPI_Init:coll0/0/0 c30 MPI_Irecv:irecv1 wr1 c5 MPI_Irecv:irecv2 c5 MPI_Test:noop c10 "
        "MPI_Test:wr2");
}

TEST_CASE("the mode of a send follows from the call") {
  const auto t = read_prv(kTwoTasks + kBorders + message(1, 200, 300, 310) + call(1, 200, 201, 1, 34) +
                          message(1, 202, 320, 330) + call(1, 202, 203, 1, 33) + call(2, 300, 310, 1, 2) +
                          call(2, 320, 330, 1, 2));
  std::vector<int> flags;
  for (const auto& op : t.program.operations(t.program.strands()[0]))
    if (op.kind == OpKind::send) flags.push_back(op.flags & (Operation::synchronous | Operation::buffered));
  CHECK(flags == std::vector<int>{Operation::synchronous, Operation::buffered});
}

TEST_CASE(
    "collectives have their communicator, root and sizes; non-blocking ones end at a wait without message") {
  const std::string three =
      "#Paraver (01/02/2024 at 10:00):1000_ns:1(2):1:3(1:1,1:1,1:1),2\nc:1:7:3:1:2:3\nc:1:9:2:3:1\n";
  const auto bcast = [](int task, const std::string& values) {
    const auto t = std::to_string(task);
    return "2:" + t + ":1:" + t + ":1:200:50000002:7:" + values + ":42000050:11\n" + mpi(task, 210, 2, 0);
  };
  const auto ibarrier = [](int task) {
    return call(task, 300, 310, 2, 156) + call(task, 320, 330, 1, 5) + call(task, 340, 350, 1, 5);
  };
  const auto t = read_prv(three + bcast(1, "50100001:0:50100002:64:50100004:9") +
                          bcast(3, "50100001:64:50100002:0:50100004:9:50100003:1") + ibarrier(1) +
                          ibarrier(2) + ibarrier(3));
  CHECK(t.rank(0) ==
        "c200 MPI_Bcast:coll1/64/64 c90 MPI_Ibarrier:coll0/0/0 c10 MPI_Wait:wc c10 MPI_Wait:noop");
  CHECK(t.rank(2).starts_with("c200 MPI_Bcast:coll1/64/64/root c90"));
  CHECK(t.program.communicators()[1].members == std::vector<std::uint32_t>{2, 0});
}

TEST_CASE("a communicator that no line defines has the ranks that use it") {
  const auto allreduce = [](int task, const std::string& communicator) {
    const auto t = std::to_string(task);
    return "2:" + t + ":1:" + t + ":1:200:50000002:10:50100001:8:50100002:8:50100004:" + communicator + "\n" +
           mpi(task, 210, 2, 0);
  };
  const auto t = read_prv(kTwoTasks + kBorders + allreduce(1, "44") + allreduce(2, "55"));
  CHECK(t.program.communicators()[1].members == std::vector<std::uint32_t>{0});
  CHECK(t.program.communicators()[2].members == std::vector<std::uint32_t>{1});
  CHECK(t.codes() == "undefined-communicator");
  CHECK(prv_error(kTwoTasks + "c:1:5:1:2\n" + allreduce(1, "5")) ==
        "t.prv: task 1: the call MPI_Allreduce at 200 is on communicator 5, which the task is not in");
}

TEST_CASE("calls that make communicators synchronise nobody unless their communicator is recorded") {
  const auto recorded = [](int task) {
    const auto t = std::to_string(task);
    return "2:" + t + ":1:" + t + ":1:300:50000003:22:50100004:1\n" + mpi(task, 310, 3, 0);
  };
  const auto t = read_prv(kTwoTasks + kBorders + call(1, 200, 250, 3, 22) + recorded(1) + recorded(2));
  CHECK(t.rank(0) == "c100 MPI_Init:coll0/0/0 c90 MPI_Comm_dup:noop c50 MPI_Comm_dup:coll0/0/0");
  CHECK(t.rank(1) == "c100 MPI_Init:coll0/0/0 c180 MPI_Comm_dup:coll0/0/0");
  CHECK(t.codes() == "not-synchronised");
  // Not all ranks have an MPI_Init.
  CHECK(read_prv(kTwoTasks + call(1, 100, 110, 3, 31)).rank(0) == "c100 MPI_Init:noop");
}

TEST_CASE("the names of a .pcf file go before Extrae's numbers") {
  const auto prv = kTwoTasks + call(1, 100, 110, 3, 31) + call(2, 100, 110, 3, 31) +
                   call(1, 200, 210, 2, 700) + call(2, 200, 210, 2, 700) +
                   "2:1:1:1:1:300:1000:5\n2:1:1:1:1:320:1000:0:42000050:7\n" + call(1, 400, 410, 2, 701);
  const auto* const pcf =
      "EVENT_TYPE\n9   50000002    MPI Collective Comm\nVALUES\n700   MPI_Exscan\n701 "
      "MPI_Neighbor_alltoall\n0   "
      "End\n\n\nEVENT_TYPE\n6 1000 Phase\nVALUES\n0 End\n5   solve\n\n";
  const auto t = read_all({prv, pcf, {}});
  CHECK(t.rank(0) == "c100 MPI_Init:coll0/0/0 c90 MPI_Exscan:coll0/0/0 c90 event1000=5 c20 event1000=0 c80");
  REQUIRE(t.program.event_labels().size() == 2);
  CHECK(t.program.event_labels()[1].text == "solve");
  CHECK(t.codes() == "without-size not-simulated");
}

TEST_CASE(
    "time when the tracer wrote its buffer or was off is no computation, but after the last call it is") {
  const auto flush = [](int begin, int end) {
    return "2:1:1:1:1:" + std::to_string(begin) + ":40000003:1\n2:1:1:1:1:" + std::to_string(end) +
           ":40000003:0\n";
  };
  const auto t = read_prv("#Paraver (01/02/2024 at 10:00):1000_ns:1(2):1:1(1:1)\n" + call(1, 10, 20, 3, 31) +
                          flush(100, 150) + call(1, 200, 210, 3, 19) + "1:1:1:1:1:300:400:14\n" +
                          "2:1:1:1:1:350:40000012:0\n2:1:1:1:1:420:40000012:1\n" + call(1, 500, 510, 3, 32) +
                          flush(600, 700));
  // 190 - 10 - 50, and 290 - 120 ns; then 190.
  CHECK(t.rank(0) == "c10 MPI_Init:coll0/0/0 c300 MPI_Finalize:noop c190");
  CHECK(t.codes() == "flushes late-flushes tracing-off");
  CHECK(t.told[0].message ==
        "1 time when the tracer wrote its buffer, 0.000000 s in all, are no computation");
}

TEST_CASE("threads with calls are strands, others are counted") {
  const std::string header = "#Paraver (01/02/2024 at 10:00):1000_ns:1(2):1:2(3:1,1:1)\n";
  const auto prv =
      header + "2:1:1:1:1:100:50000001:1\n3:1:1:1:1:100:100:1:1:2:1:140:150:8:3\n2:1:1:1:1:110:50000001:0\n" +
      "2:1:1:1:2:120:50000001:1\n3:1:1:1:2:120:120:1:1:2:1:120:130:9:3\n" +
      "2:1:1:2:1:120:50000001:2\n2:1:1:1:2:130:50000001:0\n2:1:1:2:1:130:50000001:0\n" +
      "2:1:1:2:1:140:50000001:2\n2:1:1:2:1:150:50000001:0\n1:1:1:1:3:0:500:1\n";
  const auto t =
      read_all({prv, {}, "LEVEL THREAD SIZE 4\nTHREAD 1.1.1\nTHREAD 1.1.2\nworker\nTHREAD 1.2.1\n"});
  REQUIRE(t.program.strands().size() == 3);
  CHECK(t.rank(0) == "c100 MPI_Send:send8 c120 MPI_Send:send9");
  CHECK(t.rank(1) == "c120 MPI_Recv:recv9 c10 MPI_Recv:recv8");
  CHECK(t.codes() == "threads-left-out threads cut");
  CHECK(t.told[0].message ==
        "without MPI calls: 1 thread, such as worker; only the threads with calls are replayed");
}

TEST_CASE("messages whose receives are in another order than their sends keep their partners") {
  const auto t = read_prv(kTwoTasks + kBorders + message(1, 200, 320, 330, 1) + call(1, 200, 210, 1, 3) +
                          message(1, 220, 300, 310, 2) + call(1, 220, 230, 1, 3) + call(2, 300, 310, 1, 2) +
                          call(2, 320, 330, 1, 2));
  CHECK(t.rank(1) == "c100 MPI_Init:coll0/0/0 c180 MPI_Recv:recv2 c10 MPI_Recv:recv1");
  std::vector<std::uint32_t> communicators;
  for (const auto& c : t.program.channels()) communicators.push_back(c.communicator);
  CHECK(communicators == std::vector<std::uint32_t>{0, 1});
  CHECK(t.codes() == "order");
}

TEST_CASE("a cut trace keeps its whole calls and messages") {
  // Task 1 was in a call where the trace begins, and is in one where it ends.
  const auto t = read_prv(kTwoTasks + mpi(1, 5, 1, 0) + call(1, 50, 60, 1, 3) + call(1, 100, 110, 1, 1) +
                          message(1, 100, 100, 115, 8) + call(2, 100, 115, 1, 2) + mpi(1, 500, 2, 10));
  CHECK(t.rank(0) == "c50 MPI_Isend:noop c40 MPI_Send:send8 c390");
  CHECK(t.rank(1) == "c100 MPI_Recv:recv8");
  REQUIRE(t.codes() == "cut");
  CHECK(t.told[0].message ==
        "not all ranks begin with MPI_Init: the trace is a part of a run; there are 1 end of calls without a "
        "begin, 1 "
        "call without an end, and 1 call without a message");
}

TEST_CASE("ends of messages outside of calls happen at their times") {
  const auto t = read_prv(kTwoTasks + kBorders + message(1, 200, 250, 300) + "1:1:1:1:1:110:400:1\n" +
                          call(2, 310, 320, 1, 5));
  CHECK(t.rank(0) == "c100 MPI_Init:coll0/0/0 c90 MPI_Isend:isend8 c200");
  CHECK(t.rank(1) == "c100 MPI_Init:coll0/0/0 c130 MPI_Irecv:irecv8 c60 MPI_Wait:wr8");
  CHECK(t.codes() == "outside-of-calls");
}

TEST_CASE("of calls inside a call the outer one counts") {
  const auto t = read_prv(kTwoTasks + kBorders + mpi(1, 200, 2, 8) + call(1, 210, 220, 2, 10) +
                          call(1, 225, 228, 1, 1) + mpi(1, 230, 2, 0) + call(2, 200, 230, 2, 8));
  CHECK(t.rank(0) == "c100 MPI_Init:coll0/0/0 c90 MPI_Barrier:coll0/0/0");
  CHECK(prv_error(kTwoTasks + mpi(1, 200, 2, 8) + mpi(1, 210, 2, 10) + mpi(1, 220, 2, 0)) ==
        "t.prv: task 1: the call MPI_Barrier that begins at 200 has no end, but 1 call begins inside it");
  CHECK(t.codes() == "nested");
}

TEST_CASE(
    "of several applications the one with calls is read, and which one must be said if several have some") {
  const std::string header =
      "#Paraver (21/01/2022 at 16:37):1000_ns:1(20):2:2(1:1,1:1),1(1:1),3\nc:1:1:1:1\nc:1:3:2:1:2\n";
  const auto first = call(1, 100, 110, 2, 8) + call(2, 100, 110, 2, 8);
  const auto t = read_prv(header + first + "2:3:2:1:1:500:30000000:3\n");
  CHECK(t.program.ranks() == 2);
  CHECK(t.rank(0) == "c100 MPI_Barrier:coll0/0/0");
  const auto second = first + "2:3:2:1:1:300:50000002:8:50100004:1\n2:3:2:1:1:310:50000002:0\n";
  CHECK(prv_error(header + second) ==
        "t.prv: has 2 applications with MPI calls: 1, 2\n  choose one with --application N");
  ParaverOptions options;
  options.application = 2;
  CHECK(read_prv(header + second, options).rank(0) == "c300 MPI_Barrier:coll0/0/0");
  options.application = 3;
  CHECK(prv_error(header + second, options) == "--application: is 3, but t.prv has applications 1 to 2");
  options.application = 2;
  CHECK(prv_error(header + "3:1:1:1:1:5:5:3:2:1:1:6:7:8:0\n", options) ==
        "t.prv:4: the message is between two applications\n  applications are replayed one by one");
  CHECK(prv_error(header + "1:1:1:1:1:0:5:1\n") ==
        "t.prv: has 2 applications, none with MPI calls\n  choose one with --application N");
}

TEST_CASE("one-sided transfers are refused, since no record has their size") {
  CHECK(prv_error(kTwoTasks + call(1, 10, 20, 4, 65)) ==
        "t.prv: task 1: the call MPI_Put at 10 is one-sided: the trace does not say what it moves, so it "
        "cannot be "
        "replayed");
}

TEST_CASE("wrong headers and records are errors with line and column") {
  const auto header = [](const std::string& text) { return prv_error(text + "\n"); };
  CHECK(header("#Paraver 09/10/2019:5:1:1:1(1:1)") ==
        "t.prv:1:10: header: expected a date in parentheses, as in (09/10/2019 at 16:10)");
  CHECK(header("#Paraver (d):5_ns:1:2:1(1:1)") ==
        "t.prv:1:29: header: the header says 2 applications, but describes 1");
  CHECK(header("#Paraver (d):5_ns:1:1:2(1:1)") == "t.prv:1:23: header: 2 tasks, but the list has 1 entries");
  CHECK(header("#Paraver (d):5_ns:1:1:1(99999999:1)") ==
        "t.prv:1:35: header: more than 200002 threads, too many for a file of its size");
  CHECK(header("#Paraver (d):9999999999999999999:1:1:1(1:1)") ==
        "t.prv:1:33: header: the trace's end is 9999999999999999999, expected at most 4611686018427");
  CHECK(prv_error("#Paraver (d):5_ns:1:1:1(1:1)").starts_with("t.prv:1:1: the line has no end"));
  CHECK(prv_error(kTwoTasks + "2:1:1:3:1:0:1:1\n") ==
        "t.prv:3:7: event record: the task is 3, expected 1 to 2");
  CHECK(prv_error(kTwoTasks + "2:1:1:1:1:0:1\n") ==
        "t.prv:3:14: event record: expected a colon after an event's type");
  CHECK(prv_error(kTwoTasks + "2:1:1:1:1:-4:1:1\n") ==
        "t.prv:3:11: event record: a time is -4, expected 0 to 4611686018427387");
  CHECK(prv_error(kTwoTasks + "3:1:1:1:1:0:0:1:1:2:1:0:0:-1:0\n") ==
        "t.prv:3:27: message record: the size is -1, expected bytes, 0 to 1152921504606846976");
  CHECK(prv_error(kTwoTasks + "4:1\n") ==
        "t.prv:3:1: the line is no record: expected 1: (state), 2: (events), 3: (message), c: (communicator) "
        "or #");
  CHECK(prv_error(kTwoTasks + "c:1:2:2:1\n") ==
        "t.prv:3:1: communicator: the communicator has 2 tasks, but lists 1");
  CHECK(prv_error(kTwoTasks + call(1, 50, 40, 3, 19)) ==
        "t.prv:4:1: event record: the time is 40, but the thread's last event was at 50\n  Paraver's records "
        "are "
        "ordered by time: sort the trace");
}

TEST_CASE("values of events may have all 64 bits, with or without a sign") {
  const auto t = read_prv(kTwoTasks + "2:1:1:1:1:5:42000050:18446744073709551615:1000:-9:50000003:31\n" +
                          mpi(1, 9, 3, 0) + call(2, 5, 9, 3, 31));
  CHECK(t.rank(0) == "c5 event1000=-9 MPI_Init:coll0/0/0");
}

TEST_CASE("a truncated trace is an error, and its whole lines are used with salvage") {
  const auto whole = kTwoTasks + kBorders + message(1, 200, 200, 230) + mpi(1, 200, 1, 1) +
                     mpi(2, 200, 1, 2) + mpi(1, 220, 1, 0) + mpi(2, 230, 1, 0) + mpi(2, 250, 2, 8) +
                     mpi(2, 260, 2, 0);
  const auto cut = whole + "2:1:1:1:1:2";
  CHECK(prv_error(cut) ==
        "t.prv:14:1: the line has no end, so its last number may be incomplete\n  the file is probably "
        "truncated: "
        "copy it again, or use what is there with --salvage");
  ParaverOptions options;
  options.salvage = true;
  const auto t = read_prv(cut, options);
  CHECK(t.rank(0) == "c100 MPI_Init:coll0/0/0 c90 MPI_Send:send8");
  // The barrier of task 2 would wait for task 1 forever.
  CHECK(t.rank(1) == "c100 MPI_Init:coll0/0/0 c80 MPI_Recv:recv8 c20");
  CHECK(t.salvaged.early_ends.size() == 1);
  CHECK(t.codes() == "salvaged salvaged");
  CHECK_FALSE(t.program.traced_run_time());
}

TEST_CASE("a trace that gives the ends of receives is read as a simulator's") {
  // Both receives have arrived before their waits end. Nobody says which request a wait completes.
  const auto line = [](int at, int end, int arrived, int bytes) {
    return "3:1:1:1:1:" + std::to_string(at) + ":" + std::to_string(at) + ":2:1:2:1:" + std::to_string(end) +
           ":" + std::to_string(arrived) + ":" + std::to_string(bytes) + ":3\n";
  };
  const auto t = read_prv(kTwoTasks + kBorders + call(2, 140, 141, 1, 4) + call(2, 150, 151, 1, 4) +
                          mpi(1, 200, 1, 1) + line(205, 300, 250, 10) + mpi(1, 210, 1, 0) +
                          call(1, 210, 220, 1, 3) + line(220, 310, 290, 20) + mpi(2, 280, 1, 6) +
                          mpi(2, 310, 1, 0) + "3:1:1:1:1:330:330:2:1:2:1:340:340:5:2147483647\n" +
                          call(1, 320, 350, 2, 8) + call(2, 320, 350, 2, 8));
  CHECK(t.rank(0) ==
        "c100 MPI_Init:coll0/0/0 c90 MPI_Send:send10 MPI_Isend:isend20 c100 MPI_Barrier:coll0/0/0");
  CHECK(t.rank(1) ==
        "c100 MPI_Init:coll0/0/0 c20 MPI_Irecv:irecv10 c9 MPI_Irecv:irecv20 c129 MPI_Waitall:wr10 wr20 c10 "
        "MPI_Barrier:coll0/0/0");
  CHECK(t.codes() == "parts");
}

TEST_CASE("the names beside a compressed paraver trace are found, and none are needed") {
  const TestFolder folder;
  folder.write("a/run.prv", kTwoTasks + kBorders);
  CHECK(paraver_files(folder.file("a/run.prv")).size() == 1);
  folder.write("a/run.pcf", "EVENT_TYPE\n9 50000003 MPI Other\nVALUES\n31 MPI_Init_thread\n");
  folder.write("a/run.row", "");
  const auto files = paraver_files(folder.file("a/run.prv.gz"));
  REQUIRE(files.size() == 3);
  CHECK(files[1] == folder.file("a/run.pcf"));
  Diagnostics told;
  const auto trace = read_paraver(folder.file("a/run.prv"), {}, told);
  REQUIRE(trace);
  CHECK(trace->program.find_call("MPI_Init_thread"));
  CHECK(trace->header.front().value == "01/02/2024 at 10:00");
}

TEST_CASE("a paraver trace is a workload by its first bytes, and a folder with one stands for it") {
  const TestFolder folder;
  folder.write("a/run.prv", kTwoTasks + kBorders);
  folder.write("a/run.row", "");
  CHECK(workload_format(folder.file("a")) == kParaverTrace);
  Diagnostics told;
  const auto workload = load_workload(folder.file("a"), {}, told);
  REQUIRE(workload);
  CHECK(workload->format == kParaverTrace);
  CHECK(workload->program.ranks() == 2);
  CHECK(workload->files == std::vector<std::string>{folder.file("a/run.prv"), folder.file("a/run.row")});
  CHECK(workload->origin[1].value == folder.file("a/run.prv"));
}

}  // namespace busline::paraver
