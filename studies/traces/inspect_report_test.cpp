#include "studies/traces/inspect_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/program/program_builder.hpp"

using namespace busline;

namespace {

// Rank 0 computes 2 us, sends 1000 bytes and nothing at all to rank 1; both meet in a Barrier.
InspectReport inspected_pair() {
  ProgramBuilder b(2);
  const auto send = b.call_name("MPI_Send"), recv = b.call_name("MPI_Recv"),
             barrier = b.call_name("MPI_Barrier");
  for (const std::uint32_t rank : {0U, 1U}) {
    b.begin_strand(rank);
    if (rank == 0) b.compute(Duration::picoseconds(2'000'000));
    for (const auto size : {Bytes{1000}, Bytes{0}}) {
      b.begin_call(rank == 0 ? send : recv);
      if (rank == 0)
        b.send({1, 0, 0}, size);
      else
        b.recv({0, 0, 0}, size);
    }
    b.begin_call(barrier);
    b.collective({.kind = CollectiveKind::barrier});
  }
  b.set_traced_run_time(Duration::picoseconds(3'000'000));
  return {"pair.dim", "Dimemas trace", {}, statistics_of(b.build()), {}};
}

}  // namespace

TEST_CASE("a page of a workload shows calls, sizes, pairs and the spread over ranks") {
  CHECK(to_text(inspected_pair()) == R"(pair.dim: Dimemas trace of 2 ranks

traced run time      3 us
operations           7
messages             2, 1 kB
communicators        1, of 2 ranks

  calls                             number      per rank
  MPI_Barrier                            2           1.0
  MPI_Recv                               2           1.0
  MPI_Send                               2           1.0

  collectives, by rank              number   least bytes    most bytes
  MPI_Barrier                            2           0 B           0 B

  message size, bytes             messages        volume
  0                                      1           0 B
  512 to 1,023                           1          1 kB

  from rank to rank               messages        volume         share
  0 to 1                                 2          1 kB       100.0 %
  1 of 4 pairs of ranks exchange messages

  per rank                             min          mean           max
  operations                             3           3.5             4
  calls                                  3           3.0             3
  messages sent                          0           1.0             2
  bytes sent                             0         500.0         1,000
  bytes received                         0         500.0         1,000
  computing [us]                         0           1.0             2
)");
}

TEST_CASE("receives that take any message are counted") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.send({1, 0, 0}, Bytes{8});
  b.begin_strand(1);
  b.recv({kAnySource, 0, 0}, Bytes{8});
  const InspectReport report{"any.dim", "Dimemas trace", {}, statistics_of(b.build()), {}};
  CHECK(to_text(report).find("\nopen receives        1, from any source or with any tag\n") !=
        std::string::npos);
}

TEST_CASE("the document of a workload holds all pairs and ranks") {
  const auto j = to_json(inspected_pair());
  CHECK(j["schema"] == "busline/workload/1");
  CHECK(j["pairs"].dump() == R"([{"source":0,"destination":1,"messages":2,"bytes":1000}])");
  CHECK(j["ranks"][1]["bytes_received"] == 1000);
  CHECK(j["calls"][0]["name"] == "MPI_Barrier");
  CHECK(j["traced_run_time_ps"] == 3'000'000);
}

TEST_CASE("the page and the document of a Program file show its origin") {
  auto report = inspected_pair();
  report.format = "Program file";
  report.origin = {{"format", "DUMPI trace"}, {"source", "a.meta"}};
  CHECK(
      to_text(report).starts_with("pair.dim: Program file of 2 ranks\n"
                                  "  format: DUMPI trace\n"
                                  "  source: a.meta\n\n"));
  CHECK(to_json(report)["origin"][1] == nlohmann::ordered_json{{"key", "source"}, {"value", "a.meta"}});
  CHECK(!to_json(inspected_pair()).contains("origin"));
}
