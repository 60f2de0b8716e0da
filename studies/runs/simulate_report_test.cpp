#include "studies/runs/simulate_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/base/durations.hpp"

using namespace busline;

namespace {

// Two ranks: 0 computes 6 ms and waits 4; 1 computes 8 ms and ends there. One bus that is busy for 5 ms
// of 10.
SimulateReport simulated_pair() {
  SimulateReport r;
  r.workload = "pair.dim";
  r.platform = "cluster";
  r.model = "dimemas";
  r.result.run_time = Time::at(ms(10));
  r.result.operations = 6;
  r.result.messages = 1;
  r.result.bytes = 2'000;
  RankResult first, second;
  first.end = Time::at(ms(10));
  first.times.compute = ms(6);
  first.times.wait = ms(4);
  second.node = 1;
  second.end = Time::at(ms(8));
  second.times.compute = ms(8);
  second.bus_wait = ms(1);
  second.messages_sent = 1;
  second.bytes_sent = 2'000;
  r.result.ranks = {first, second};
  r.result.resources = {{{ResourceKind::bus, ResourceId::kOnly}, 1, ms(5), ms(1), 1, 1},
                        {{ResourceKind::link_out, 0}, 2, ms(0), ms(0), 0, 0},
                        {{ResourceKind::link_out, 1}, 2, ms(5), ms(0), 1, 0}};
  return r;
}

}  // namespace

TEST_CASE("a page shows the run time and where it went") {
  auto report = simulated_pair();
  report.traced_run_time = ms(8);
  CHECK(to_text(report) == R"(pair.dim on cluster: 2 ranks, model dimemas (published)

predicted run time   10 ms
traced run time      8 ms  (predicted: +25.0 %)
parallel efficiency  0.700 = load balance 0.875 x communication 0.800
messages             1, 2 kB
operations           6

  time of a rank [ms]              min        mean         max     share
  compute                        6.000       7.000       8.000    70.0 %
  waiting for messages           0.000       2.000       4.000    20.0 %
  after its end                  0.000       1.000       2.000    10.0 %
  of messages sent
    waiting for a bus            0.000       0.500       1.000

  links and buses               number    mean use     max use  messages        waited   queue
  network/buses                      1      50.0 %      50.0 %         1          1 ms       1
  links out                      2 x 2      12.5 %      25.0 %         1           0 s       0
)");
}

TEST_CASE("a deadlock names what each rank waits for, and gives no predicted run time") {
  auto report = simulated_pair();
  report.result.status = Result::Status::deadlock;
  report.result.blocked = {{0, 12, "MPI_Recv", "a message from rank 1, tag 7, communicator 0"}};
  const auto text = to_text(report);
  CHECK(text.find("deadlock at 10 ms: 1 of 2 ranks cannot continue\n"
                  "  rank 0, call 12 (MPI_Recv) waits for a message from rank 1, tag 7, communicator 0\n") !=
        text.npos);
  CHECK(text.find("predicted run time") == text.npos);
  const auto j = to_json(report);
  CHECK(j["status"] == "deadlock");
  CHECK(
      j["blocked"].dump() ==
      R"([{"rank":0,"call_number":12,"call":"MPI_Recv","waits_for":"a message from rank 1, tag 7, communicator 0"}])");
}

TEST_CASE("only the first of many blocked ranks are shown") {
  auto report = simulated_pair();
  report.result.status = Result::Status::deadlock;
  for (std::uint32_t rank = 0; rank < 21; ++rank)
    report.result.blocked.push_back({rank, 1, "MPI_Barrier", "the others"});
  const auto text = to_text(report);
  CHECK(text.find(
            "  rank 19, call 1 (MPI_Barrier) waits for the others\n  and 1 rank more; --json lists all\n") !=
        text.npos);
}

TEST_CASE(
    "a run that was stopped, and one that is too long for the clock, are told apart from one that ended") {
  auto report = simulated_pair();
  report.result.status = Result::Status::interrupted;
  CHECK(to_text(report).find("interrupted at simulated time 10 ms; the results cover the run until then\n") !=
        std::string::npos);
  CHECK(to_json(report)["status"] == "interrupted");
  report.result.status = Result::Status::clock_overflow;
  const auto text = to_text(report);
  CHECK(text.find("the simulated time exceeds 106 days, the limit of the clock\n") != text.npos);
  CHECK(text.find("predicted run time") == text.npos);
  CHECK(to_json(report)["status"] == "clock-overflow");
}

TEST_CASE("messages that collectives are made of are counted apart") {
  auto report = simulated_pair();
  report.result.collective_messages = 1'200;
  report.result.collective_bytes = 9'600;
  CHECK(to_text(report).find("\nin collectives       1,200, 9.6 kB\n") != std::string::npos);
}

TEST_CASE("the document holds whole picoseconds, and a rank's times add up to its end") {
  const auto j = to_json(simulated_pair());
  CHECK(j["schema"] == "busline/result/1");
  CHECK(j["run_time_ps"] == 10'000'000'000);
  for (const auto& r : j["ranks"])
    CHECK(r["compute_ps"].get<std::int64_t>() + r["mpi_ps"].get<std::int64_t>() +
              r["cpu_wait_ps"].get<std::int64_t>() ==
          r["end_ps"].get<std::int64_t>());
  CHECK(j["resources"][0]["utilisation"] == 0.5);
  CHECK_FALSE(j.contains("traced_run_time_ps"));
  CHECK_FALSE(j.contains("blocked"));
  CHECK(j["diagnostics"].empty());
}

TEST_CASE("a region is shown after the whole run") {
  auto report = simulated_pair();
  report.region = "from MPI_Barrier 1 to MPI_Barrier 2";
  RankTimes inside;
  inside.compute = ms(3);
  report.result.region = RegionResult{ms(3), {inside, inside}};
  CHECK(to_text(report).find("\nfrom MPI_Barrier 1 to MPI_Barrier 2: 3 ms\n") != std::string::npos);
  CHECK(to_json(report)["region"]["ranks"][1]["compute_ps"] == 3'000'000'000);
}

TEST_CASE("a run that computes nothing has no efficiency") {
  Result idle;
  idle.ranks.resize(2);
  CHECK_FALSE(efficiency(idle));
  idle.run_time = Time::at(ms(1));
  CHECK_FALSE(efficiency(idle));
}

TEST_CASE("real runs are compared with the region, where the prediction is complete") {
  auto report = simulated_pair();
  report.region = "from MPI_Barrier:1 to MPI_Finalize";
  report.result.region = RegionResult{ms(6), {}};
  report.real = RealRuns{
      "cluster", {.runs = 2, .failed_runs = 1, .measured = {ms(4), ms(5), ms(6)}, .disturbed_runs = 1}};
  CHECK(to_text(report).find(
            "predicted region     6 ms  (from MPI_Barrier:1 to MPI_Finalize)\n"
            "real runs            5 ms  (predicted: +20.0 %)\n"
            "                     median of 2 runs from 4 ms to 6 ms; 1 disturbed; 1 run failed, on "
            "cluster\n") != std::string::npos);
  CHECK(to_json(report)["real_runs"]["error"] == ms(6).in_seconds() / ms(5).in_seconds() - 1);
  report.result.status = Result::Status::deadlock;
  CHECK(to_text(report).find("predicted region") == std::string::npos);
  CHECK_FALSE(to_json(report)["real_runs"].contains("error"));
  report.real->times.runs = 1;
  CHECK(to_text(report).find("real runs            5 ms\n"
                             "                     1 run; 1 disturbed; 1 run failed, on cluster\n") !=
        std::string::npos);
  CHECK_FALSE(to_json(report)["real_runs"].contains("spread"));
}
