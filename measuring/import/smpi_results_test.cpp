#include "measuring/import/smpi_results.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "workloads/kernels/operations.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

Measurement parsed_smpi(std::string_view text) {
  Diagnostics diagnostics;
  auto m = parse_smpi(text, "calls.csv", {}, diagnostics);
  REQUIRE_MESSAGE(m.has_value(), to_string(m.error()));
  CHECK(diagnostics.empty());
  return *std::move(m);
}

std::string smpi_error(std::string_view text) {
  Diagnostics diagnostics;
  const auto m = parse_smpi(text, "calls.csv", {}, diagnostics);
  REQUIRE_FALSE(m.has_value());
  return to_string(m.error());
}

// Two calls a step of `operation` by the ranks that `joined` says take part: the k-th call of rank r in step
// x lasts 10 x + r + k ms.
template <class Joined>
std::string load_rows(std::string_view operation, int ranks, int steps, Joined joined) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank)
    for (int step = 1; step <= steps; ++step)
      for (int call = 0; call < 2 && joined(rank, step); ++call)
        text += fmt::format("{},{},4000000,{}.0,{}\n", rank, operation, step, 10 * step + rank + call);
  return text;
}

std::string pairs_of_four(std::string_view operation) {
  return load_rows(operation, 4, 2, [](int rank, int step) { return rank % 2 < step; });
}

constexpr std::string_view kPingPong =
    "MPI_Send,8,0.1,2.0e-06\nMPI_Recv,8,0.1,2.6e-05\nMPI_Send,1,0.2,1.0e-06\nMPI_Recv,1,0.2,2.7e-05\n"
    "MPI_Send,8,0.3,4.0e-06\nMPI_Recv,8,0.3,2.8e-05\n";

}  // namespace

TEST_CASE("rows of a send and of the answer are a round trip, and the sends are calls") {
  CHECK(looks_like_smpi(kPingPong));
  const auto m = parsed_smpi(kPingPong);
  CHECK(m.testbed == TestbedKind::mpi);
  REQUIRE(m.suites.size() == 2);
  const auto& trips = m.suites[0];
  CHECK(trips.name == "pingpong-inter");
  CHECK(trips.operation == "MPI_Send-MPI_Recv");
  CHECK(trips.pattern == Pattern::pingpong);
  CHECK(trips.time == TimeOf::round_trip);
  CHECK(trips.lead_in == LeadIn::none);
  REQUIRE(trips.points.size() == 2);
  CHECK(trips.points[0].argument == 1);
  CHECK(trips.points[0].samples == std::vector{Duration::picoseconds(28'000'000)});
  CHECK(trips.points[1].argument == 8);
  CHECK(trips.points[1].samples ==
        std::vector{Duration::picoseconds(28'000'000), Duration::picoseconds(32'000'000)});
  const auto& calls = m.suites[1];
  CHECK(calls.name == "send-inter");
  CHECK(calls.pattern == Pattern::overhead);
  CHECK(calls.time == TimeOf::call);
  CHECK(calls.points[1].samples ==
        std::vector{Duration::picoseconds(2'000'000), Duration::picoseconds(4'000'000)});
}

TEST_CASE("each kind of call is a suite of its own") {
  const auto suite = [](std::string_view text) {
    const auto m = parsed_smpi(text);
    REQUIRE(m.suites.size() == 1);
    return m.suites.front();
  };
  CHECK(suite("MPI_Isend,8,0.1,2e-06\n").name == "isend-inter");
  CHECK(suite("MPI_Recv,8,0.1,2e-06\n").name == "recv-inter");
  const auto wtime = suite("MPI_Wtime,1000,0.1,4e-05\n");  // 40 ns each
  CHECK(wtime.pattern == Pattern::local);
  CHECK(wtime.ranks == std::vector<std::uint32_t>{0});
  CHECK(wtime.points.front().samples == std::vector{Duration::picoseconds(40'000)});
  CHECK(suite("MPI_Test,8,0.1,2e-07\nMPI_Test,16,0.1,4e-07\n").points.front().samples.size() == 2);
}

TEST_CASE("ranks that join step by step are pairs at once, with the mean call of each number") {
  const auto text = pairs_of_four("MPI_Send");
  CHECK(looks_like_smpi(text));
  const auto m = parsed_smpi(text);
  REQUIRE(m.suites.size() == 1);
  const auto& s = m.suites.front();
  CHECK(s.name == "pairs-one-way");
  CHECK(s.varies == Varies::pairs);
  CHECK(s.time == TimeOf::mean_call);
  CHECK(s.bytes == 4'000'000);
  CHECK(s.ranks == std::vector<std::uint32_t>{0, 2, 1, 3});
  REQUIRE(s.points.size() == 2);
  // Ranks 0 and 2 in step 1, all in step 2: 10 + 1 + k and 20 + 1.5 + k ms.
  CHECK(s.points[0].samples ==
        std::vector{Duration::picoseconds(11'000'000'000), Duration::picoseconds(12'000'000'000)});
  CHECK(s.points[1].samples ==
        std::vector{Duration::picoseconds(21'500'000'000), Duration::picoseconds(22'500'000'000)});
  CHECK(parsed_smpi(pairs_of_four("MPI_Sendrecv")).suites.front().name == "pairs-both-ways");
}

TEST_CASE("an Alltoall of more and more ranks is a collective over ranks") {
  const auto m =
      parsed_smpi(load_rows("MPI_Alltoall", 4, 2, [](int rank, int step) { return rank < 2 * step; }));
  REQUIRE(m.suites.size() == 1);
  const auto& s = m.suites.front();
  CHECK(s.pattern == Pattern::collective);
  CHECK(s.varies == Varies::ranks);
  REQUIRE(s.points.size() == 2);
  CHECK(s.points[0].argument == 2);
  CHECK(s.points[1].argument == 4);
}

TEST_CASE("pairs that exchange with two partners are no pairs, and nothing is predicted for them") {
  const auto m =
      parsed_smpi(load_rows("MPI_Sendrecv", 8, 2, [](int rank, int step) { return rank % 4 < 2 * step; }));
  REQUIRE(m.suites.size() == 1);
  CHECK(m.suites.front().pattern == Pattern::ring);
  CHECK(find_operation(m.suites.front().operation) == nullptr);
}

TEST_CASE("a damaged row is an error with its line and what was expected") {
  CHECK(smpi_error("MPI_Send,8,0.1,2e-06\nMPI_Send,8,0.1,2e-06\n") ==
        "calls.csv:2: a row of MPI_Send, expected MPI_Recv: rows of both alternate");
  CHECK(smpi_error("MPI_Send,8,0.1,2e-06\nMPI_Recv,9,0.1,2e-06\n") ==
        "calls.csv:2: the answer has 9 bytes, expected 8 as the message");
  CHECK(smpi_error("MPI_Send,8,0.1,2e-06\n")
            .starts_with("calls.csv:1: the answer to this message is missing, expected a row of MPI_Recv\n"));
  const auto in_second_row = [](std::string_view row) {
    return smpi_error(fmt::format("MPI_Isend,8,0.1,2e-06\n{}\n", row));
  };
  CHECK(in_second_row("MPI_Isend,8,0.1") == "calls.csv:2: a row of 3 columns, expected 4");
  CHECK(in_second_row("MPI_Isend,8,0.1,0") ==
        "calls.csv:2: expected a duration above 0 and up to 11 days, found '0'");
  CHECK(in_second_row("MPI_Isend,8,0.1,-1e-6") ==
        "calls.csv:2: expected a duration above 0 and up to 11 days, found '-1e-6'");
  CHECK(in_second_row("MPI_Isend,8,0.1,nan").find("expected a duration") != std::string::npos);
  CHECK(in_second_row("MPI_Isend,8,?,1e-6") == "calls.csv:2: expected the time of the start, found '?'");
  CHECK(in_second_row("MPI_Isend,1099511627777,0.1,1e-6") ==
        "calls.csv:2: expected a whole number of bytes up to 2^40, found '1099511627777'");
  CHECK(in_second_row("Isend,8,0.1,1e-6") == "calls.csv:2: expected a call such as MPI_Send, found 'Isend'");
  CHECK(in_second_row("MPI_Recv,8,0.1,1e-6") ==
        "calls.csv:2: a row of MPI_Recv among rows of MPI_Isend, expected files of one kind each");
  CHECK(smpi_error("MPI_Isend,8,0.1,2e-06\nMPI_Isend,8,0.").find("appears to be truncated") !=
        std::string::npos);
}

TEST_CASE("ranks without all calls of their steps are an error") {
  auto text = pairs_of_four("MPI_Send");
  CHECK(smpi_error(text + "x,MPI_Send,4000000,1,1\n").find(":13: expected a rank, found 'x'") !=
        std::string::npos);
  CHECK(smpi_error(text + "1,MPI_Send,8,1,1\n")
            .find("a row of MPI_Send with 8 bytes, expected MPI_Send with 4000000 as in the first row") !=
        std::string::npos);
  CHECK(smpi_error(text + "9,MPI_Send,4000000,1,1\n").find("rows of 5 ranks, but one of rank 9") !=
        std::string::npos);
  text.resize(text.rfind('\n', text.size() - 2) + 1);  // rank 3 has one call, rank 1 two
  CHECK(smpi_error(text) ==
        "calls.csv:11: rank 0 made 4 calls of MPI_Send, expected 2: 1 a step from step 1 to 2\n"
        "  the file appears to be incomplete");
}

TEST_CASE("operations that the model lacks are skipped with a warning") {
  Diagnostics diagnostics;
  const auto m = parse_smpi("MPI_Bcast,8,0.1,2e-06\n", "calls.csv", {}, diagnostics);
  REQUIRE(m);
  CHECK(m->suites.empty());
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics.front().code == "not-imported");
}

TEST_CASE("other texts are not taken for rows of calls") {
  for (const char* text : {"", "\n", "a,b,c,d\n", "MPI_,8,0.1,1\n", "MPI_Send,8,0.1\n", "x,MPI_Send,8,1,1\n",
                           "# OSU MPI Latency Test v5.6\n"})
    CHECK_FALSE(looks_like_smpi(text));
}
