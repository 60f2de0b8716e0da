#include "measuring/import/osu_results.hpp"

#include <doctest/doctest.h>

using namespace busline;
using namespace busline::measure;

namespace {

Measurement parsed_osu(std::string_view text, const ImportOptions& options = {}) {
  Diagnostics diagnostics;
  auto m = parse_osu(text, "osu.txt", options, diagnostics);
  REQUIRE_MESSAGE(m.has_value(), to_string(m.error()));
  CHECK(diagnostics.empty());
  return *std::move(m);
}

std::string osu_error(std::string_view text, const ImportOptions& options = {}) {
  Diagnostics diagnostics;
  const auto m = parse_osu(text, "osu.txt", options, diagnostics);
  REQUIRE_FALSE(m.has_value());
  return to_string(m.error());
}

constexpr std::string_view kOsuLatency =
    "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n0                       1.25\n8            "
    "   "
    "        1.50\n";

}  // namespace

TEST_CASE("osu_latency gives half a round trip, one average a size") {
  const auto m = parsed_osu(kOsuLatency);
  REQUIRE(m.suites.size() == 1);
  const auto& s = m.suites.front();
  CHECK(s.name == "pingpong-inter");
  CHECK(s.operation == "MPI_Send-MPI_Recv");
  CHECK(s.pattern == Pattern::pingpong);
  CHECK(s.time == TimeOf::half_round_trip);
  REQUIRE(s.points.size() == 2);
  CHECK(s.points[1].argument == 8);
  CHECK(s.points[1].result_ps.value == doctest::Approx(1.5e6));
  CHECK(s.points[1].count == 1);
  CHECK(s.points[1].samples.empty());
}

TEST_CASE("two ranks on one node give figures of the node") {
  const auto m = parsed_osu(kOsuLatency, {.ranks_per_node = 2});
  CHECK(m.suites.front().name == "pingpong-intra");
  CHECK(m.suites.front().route_class == RouteClass::intra_node);
}

TEST_CASE("bandwidths become the time of one message") {
  const auto m = parsed_osu(
      "# OSU MPI Bandwidth Test v7.3\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)\n1000              "
      "    100.00\n"
      "# OSU MPI Bi-Directional Bandwidth Test v7.3\n# Size      Bandwidth (MB/s)\n1000                  "
      "100.00\n"
      "# OSU MPI Multiple Bandwidth / Message Rate Test v7.3\n# [ pairs: 4 ] [ window size: 32 ]\n"
      "# Size                  MB/s        Messages/s\n1000                  100.00   100000.00\n");
  REQUIRE(m.suites.size() == 3);
  CHECK(m.suites[0].operation == "window");
  CHECK(m.suites[0].messages == 64);
  CHECK(m.suites[0].points[0].result_ps.value == doctest::Approx(10e6));  // 1000 B at 100 MB/s: 10 us
  CHECK(m.suites[1].operation == "exchange_window");
  CHECK(m.suites[1].points[0].result_ps.value == doctest::Approx(20e6));  // half of it each way
  CHECK(m.suites[2].name == "message-rate-4-pairs");
  CHECK(m.suites[2].messages == 32);
  CHECK(m.suites[2].ranks == std::vector<std::uint32_t>{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(m.suites[2].points[0].result_ps.value == doctest::Approx(40e6));  // a quarter for each pair
}

TEST_CASE("the longest call of a collective counts where it is printed, otherwise the mean") {
  const auto m = parsed_osu(
      "\n# OSU MPI Allreduce Latency Test v7.3\n# Size       Avg Latency(us)   Min Latency(us)   Max "
      "Latency(us)  "
      "Iterations\n8                       4.00              3.00              5.00        1000\n"
      "# OSU MPI Broadcast Latency Test v7.3\n# Size       Avg Latency(us)\n8                       4.00\n"
      "# OSU MPI Barrier Latency Test v7.3\n# Avg Latency(us)\n             6.00\n"
      "# OSU MPI Reduce_scatter Latency Test v7.3\n# Size       Avg Latency(us)\n4             1.00\n32      "
      "      2.00\n",
      {.ranks = 8, .ranks_per_node = 4});
  REQUIRE(m.suites.size() == 4);
  CHECK(m.suites[0].name == "MPI_Allreduce-length-8");
  CHECK(m.suites[0].time == TimeOf::longest_call);
  CHECK(m.suites[0].points[0].result_ps.value == doctest::Approx(5e6));
  CHECK(m.suites[0].route_class == RouteClass::mixed);
  CHECK(m.suites[1].time == TimeOf::mean_call);
  CHECK(m.suites[2].varies == Varies::ranks);
  CHECK(m.suites[2].points[0].argument == 8);
  // The whole vector is printed; sizes that are no whole number of bytes for each rank are left out.
  REQUIRE(m.suites[3].points.size() == 1);
  CHECK(m.suites[3].points[0].argument == 4);
}

TEST_CASE("benchmarks without a counterpart and repetitions are left out with a warning") {
  Diagnostics diagnostics;
  auto text = std::string(kOsuLatency);
  text.append("# OSU MPI_Put Latency Test v7.0\n# Size   Latency (us)\n1  3.0\n").append(kOsuLatency);
  const auto m = parse_osu(text, "osu.txt", {}, diagnostics);
  REQUIRE(m.has_value());
  CHECK(m->suites.size() == 1);
  REQUIRE(diagnostics.size() == 2);
  CHECK(diagnostics[0].code == "not-imported");
  CHECK(diagnostics[0].line == 5);
  CHECK(diagnostics[1].message == "2 of 4 points of pingpong-inter occur twice: the first one counts");
}

TEST_CASE("benchmarks built for GPUs give the same as others") {
  const auto m = parsed_osu("# OSU MPI-CUDA Latency Test v7.0\n# Size   Latency (us)\n1  3.0\n");
  REQUIRE(m.suites.size() == 1);
  CHECK(m.suites[0].points[0].result_ps.value == doctest::Approx(3e6));
}

TEST_CASE("of a non-blocking collective, the time without computing counts") {
  Diagnostics diagnostics;
  const auto m = parse_osu(
      "# OSU MPI Non-blocking Allreduce Latency Test v5.9\n"
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n8  7.0  3.5  3.25 "
      " 0.0\n",
      "osu.txt", {.ranks = 4}, diagnostics);
  REQUIRE(m.has_value());
  CHECK(m->suites[0].operation == "MPI_Allreduce");
  CHECK(m->suites[0].points[0].result_ps.value == doctest::Approx(3.25e6));
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "nonblocking-collectives");
  CHECK(osu_error("# OSU MPI Non-blocking Allreduce Latency Test v5.9\n# Size   Overall(us)\n8  7.0\n",
                  {.ranks = 4}) == "osu.txt:3: the table has no column 'Pure Comm.(us)'");
}

TEST_CASE("damaged outputs of the OSU benchmarks name the line") {
  CHECK(osu_error("# OSU MPI Latency Test v5.6\n# Size          Latency (us)\n0 1.0\n8") ==
        "osu.txt:4: a row of 1 column, expected 2\n  the file ends within this line: it appears to be "
        "truncated");
  CHECK(osu_error("# OSU MPI Latency Test v5.6\n# Size          Latency (us)\n0 0\n") ==
        "osu.txt:3: expected a time above 0");
  CHECK(osu_error("# OSU MPI Allreduce Latency Test v5.6\n# Size       Avg Latency(us)\n8 1.0\n",
                  {.ranks = 1U << 31U}) == "osu.txt:3: there are too many ranks");
  CHECK(osu_error("# OSU MPI Multi Latency Test v5.6\n# Size          Latency (us)\n8 1.0\n",
                  {.ranks = 1U << 31U}) == "osu.txt:3: there are too many pairs of ranks");
  CHECK(osu_error("# OSU MPI Multi Latency Test v5.6\n# Size          Latency (us)\n8 1.0\n") ==
        "osu.txt:3: the file does not record the number of pairs of ranks\n  give it with --ranks");
  CHECK(osu_error("# OSU MPI Latency Test v5.6\n# Size          Latency (us)\n0 nan\n") ==
        "osu.txt:3: expected a number of 0 or more, found 'nan'");
  CHECK(osu_error("# OSU MPI Latency Test v5.6\n0 1.0\n") ==
        "osu.txt:2: numbers without a preceding line that names the columns");
  CHECK(osu_error("0 1.0\n# OSU MPI Latency Test v5.6\n") ==
        "osu.txt:1: numbers before the heading of a benchmark, as in '# OSU MPI Latency Test'");
  CHECK(osu_error("# OSU MPI Bandwidth Test v5.6\n# Size          Bandwidth (MB/s)\n8 0.00\n") ==
        "osu.txt:3: expected a bandwidth above 0");
  CHECK(osu_error("# OSU MPI Latency Test v5.6\n# Size          Latency (us)\n0.5 1.0\n") ==
        "osu.txt:3: expected a whole number up to 2^53, found 0.5");
  CHECK(osu_error("# OSU MPI Allreduce Latency Test v5.6\n# Size       Avg Latency(us)\n8 1.0\n") ==
        "osu.txt:3: the file does not record the number of ranks in this collective\n  give it with "
        "--ranks");
}
