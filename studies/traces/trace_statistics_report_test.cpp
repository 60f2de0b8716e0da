#include "studies/traces/trace_statistics_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace busline;

namespace {

// Two ranks run for 1 ms, of which rank 0 spends 0.4 ms in an Allreduce of 8 bytes and in sending 100 bytes.
TraceStatisticsReport statistics_of_pair() {
  TraceStatisticsReport report;
  report.trace = "pair";
  report.without_job = "why";
  auto& s = report.calls;
  s.calls = 4;
  s.messages = 1;
  s.bytes = 100;
  s.ranks_with_wall = s.ranks_with_cpu = 2;
  CallStatistics::Function allreduce{"MPI_Allreduce", 2, 3, 500'000, 400'000, 300'000, 500'000, true, {}};
  allreduce.sizes = {2, 0, 16, 8, 8};
  CallStatistics::Function send{"MPI_Send", 1, 0, 100'000, 100'000, 50'000, 100'000, false, {}};
  send.sizes = {1, 1, 100, 100, 100};
  CallStatistics::Function recv{"MPI_Recv", 1, 0, 0, 0, 0, 0, false, {}};
  recv.sizes.unknown = 1;
  s.functions = {allreduce, send, recv};
  s.ranks.resize(2);
  s.ranks[0] = {"p-0000.bin",
                2,
                1,
                1'000'000'000,
                1'002'000'000,
                1'000'000,
                400'000,
                600'000,
                900'000,
                300'000,
                1,
                100,
                0,
                0,
                0};
  s.ranks[1] = {"p-0001.bin", 2, 2, 0, 2'000'000, 1'000'000, 0, 1'000'000, 0, 0, 0, 0, 1, 0, 1};
  s.message_sizes = {{64, 1, 100}};
  s.communicators = {{"MPI_COMM_WORLD", 0, 1, 2, 116}, {"", 0, 0, 0, 0}};
  s.datatypes = {{"MPI_Type_vector", 1, 100, 100, 100}, {"", 2, 16, 8, 8}};
  return report;
}

}  // namespace

TEST_CASE("a page of a trace shows what was recorded and what is not known") {
  CHECK(to_text(statistics_of_pair(), false) == R"(pair: DUMPI trace of 2 ranks

calls                4
run                  1 ms
time in MPI          20.0 %, 400 us of 2 ms of all ranks
threads              3
messages             1, 100 B
not recorded         3 calls

  function       calls  time [us]  mean [us]  max [us]  of run  CPU [us]    bytes
  MPI_Allreduce      2    500.000    250.000   400.000  25.0 %   300.000     16 B
  MPI_Send           1    100.000    100.000   100.000   5.0 %    50.000  > 100 B
  MPI_Recv           1      0.000      0.000     0.000       -     0.000        ?

  called, but not recorded  calls  recorded
  MPI_Allreduce                 3         2

  data of collectives, by rank  calls  least  mean  most
  MPI_Allreduce                     2    8 B   8 B   8 B

  message size, bytes             messages        volume
  64 to 127                              1         100 B

  communicator, or the call that made it  made  messages  collectives  bytes
  MPI_COMM_WORLD                             -         1            2  116 B
  (no recorded call)                         -         0            0    0 B

  datatype, or the call that made it  calls  bytes  smallest  largest
  MPI_Type_vector                         1  100 B     100 B    100 B
  (no recorded call)                      2   16 B       8 B      8 B

  rank, times in ms    run  in MPI  outside   share    CPU  CPU in MPI  first [s]  last [s]
  0                  1.000   0.400    0.600  40.0 %  0.900       0.300   1.000000  1.002000
  1                  1.000   0.000    1.000       -  0.000       0.000   0.000000  0.002000

  rank  calls  messages sent  bytes sent  messages received  bytes received
  0         2              1       100 B                  0             0 B
  1         2              0         0 B                  1               ?

it is not known which ranks communicate: why
)");
}

TEST_CASE("only the first of many ranks are shown unless all are requested") {
  auto report = statistics_of_pair();
  report.calls.ranks.resize(20);
  CHECK(to_text(report, false).find("  16 of 20 ranks; --full shows all\n") != std::string::npos);
  CHECK(to_text(report, true).find("--full") == std::string::npos);
}

TEST_CASE("a trace without times shows none") {
  auto report = statistics_of_pair();
  report.calls.ranks_with_wall = report.calls.ranks_with_cpu = 0;
  const auto text = to_text(report, false);
  CHECK(text.find("run                  not known: the trace has no wall times\n") != std::string::npos);
  CHECK(text.find("times in") == std::string::npos);
}

TEST_CASE("the file of one rank is not said to be rank 0") {
  auto report = statistics_of_pair();
  report.one_file = true;
  report.calls.ranks.resize(1);
  CHECK(to_text(report, false).starts_with("pair: DUMPI file of one rank\n"));
  CHECK(to_json(report)["ranks"][0]["rank"].is_null());
}

TEST_CASE("the data sent to a rank is known from the other ranks, if all are there") {
  auto report = statistics_of_pair();
  WorkloadStatistics job;
  job.ranks = 2;
  job.messages = 1;
  job.bytes = 100;
  job.per_rank.resize(2);
  job.per_rank[1].messages_received = 1;
  job.per_rank[1].bytes_received = 100;
  job.pairs = {{0, 1, 1, 100}};
  report.job = job;
  const auto text = to_text(report, false);
  CHECK(text.find("  1         2              0         0 B                  1           100 B\n") !=
        std::string::npos);
  CHECK(text.find("  0 to 1                                 1         100 B       100.0 %\n") !=
        std::string::npos);
  const auto j = to_json(report);
  CHECK(j["job"]["pairs"].dump() == R"([{"source":0,"destination":1,"messages":1,"bytes":100}])");
  CHECK(j["job"]["ranks"][1]["bytes_received"] == 100);
}

TEST_CASE("one-sided transfers that are messages of the job are not received by calls") {
  auto report = statistics_of_pair();
  WorkloadStatistics job;
  job.ranks = 2;
  job.messages = 3;
  job.bytes = 300;
  job.per_rank.resize(2);
  job.per_rank[1].bytes_received = 300;
  report.job = job;
  CHECK(to_text(report, false)
            .find("  1         2              0         0 B                  1               ?\n") !=
        std::string::npos);
}

TEST_CASE("the document of a trace holds all that was counted, in nanoseconds and bytes") {
  const auto j = to_json(statistics_of_pair());
  CHECK(j["schema"] == "busline/trace-statistics/1");
  CHECK(
      j["functions"][0].dump() ==
      R"({"name":"MPI_Allreduce","calls":2,"not_recorded":3,"wall_ns":500000,"longest_ns":400000,"run_ns":500000,"cpu_ns":300000,"collective":true,"sized_calls":2,"unsized_calls":0,"bytes":16,"least_bytes":8,"most_bytes":8})");
  CHECK(j["ranks"][1]["rank"] == 1);
  CHECK(j["ranks"][1]["threads"] == 2);
  CHECK(j["ranks"][0]["first_ns"] == 1'000'000'000);
  CHECK(j["without_job"] == "why");
  CHECK(j["communicators"][0]["made_by"] == "MPI_COMM_WORLD");
  CHECK(j["datatypes"][1]["least_element_bytes"] == 8);
}
