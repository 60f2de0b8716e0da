// Result files of SKaMPI: golden .sko files of SKaMPI 6 (validation/golden/skampi/README.md), files of SKaMPI
// 4 that we write, and damaged copies of both.
#include "measuring/skampi/result_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "documents/fields/text_file.hpp"
#include "measuring/measurement/measurement_json.hpp"
#include "measuring/measurement/merge_measurements.hpp"
#include "measuring/skampi/result_writer.hpp"
#include "measuring/skampi/test_files.hpp"

namespace {

using namespace busline;
using namespace busline::skampi;
using measure::Pattern;
using measure::TimeOf;
using measure::Varies;

const std::string kSkampiGolden = BUSLINE_SOURCE_DIR "/validation/golden/skampi/";

ResultFile golden(const std::string& name, Diagnostics& diagnostics) {
  auto file = read_results(kSkampiGolden + name, diagnostics);
  if (!file) FAIL(to_string(file.error()));
  return std::move(*file);
}

ResultFile parsed(std::string_view text, Diagnostics& diagnostics) {
  auto file = parse_results(text, "x.out", diagnostics);
  if (!file) FAIL(to_string(file.error()));
  return std::move(*file);
}

std::string results_refused(std::string_view text) {
  Diagnostics diagnostics;
  const auto file = parse_results(text, "x.out", diagnostics);
  return file ? "it was read" : to_string(file.error());
}

}  // namespace

TEST_CASE("a result file is written in SKaMPI 4's columns") {
  CHECK(written_file() == R"(#@MACHINE two racks
#and a switch
#@ABSOLUTE no
#@TESTBED simulated
#-----------------------------------------------------------------
#/*@inp2p_MPI_Send-MPI_Recv.ski*/
#Description of the MPI_Send-MPI_Recv measurement:
#Pattern: Point-to-Point varied over message length.
#Operation: MPI_Send / MPI_Recv
#Scale: Dynamic_log, range 0 to 4194304, stepwidth 1.4142135623730951.
#default values: 2 nodes, message length 0 units, 0 chunks, max. / act. time for suite disabled/0.05 min.
#max. allowed standard error is 3.00 %
#argument, result, standard error and repetitions (cleaned), the same (all), times of the processes [us]
       0      10.5      0.2      4      12.5      1.0      8
    1024    1034.5      0.2      4    1036.5      1.0      8       7.2       0.0
 4194304 4194314.5      0.2      4 4194316.5      1.0      8       7.2       0.0
#eol
#-----------------------------------------------------------------
#/*@insyncol_MPI_Barrier-nodes.ski*/
#Description of the MPI_Barrier-nodes measurement:
#Pattern: Collective varied over number of nodes.
#Operation: MPI_Barrier
#default values: 8 nodes, message length 0 units, 0 chunks, max. / act. time for suite disabled/0.00 min.
#argument, result, standard error and repetitions (cleaned), the same (all), times of the processes [us]
       2       0.0      0.0      0       0.0      0.0      0
#eol
skampi finished.
)");
}

TEST_CASE("a result file that was written is read back") {
  Diagnostics diagnostics;
  const auto file = parsed(written_file(), diagnostics);
  CHECK(diagnostics.empty());
  CHECK(file.format == ResultFile::Format::skampi4);
  CHECK(file.finished);
  CHECK(file.head_text("MACHINE") == "two racks\nand a switch");
  CHECK(file.head_text("ABSOLUTE") == "no");
  REQUIRE(file.suites.size() == 2);
  const auto& send = file.suites[0];
  CHECK(send.name == "MPI_Send-MPI_Recv");
  CHECK(send.operation == "MPI_Send / MPI_Recv");
  CHECK(send.pattern == Pattern::pingpong);
  CHECK(send.complete);
  CHECK(send.processes == 2);
  REQUIRE(send.rows.size() == 3);
  CHECK(send.rows[1] == ResultRow{1024, {1034.5, 0.2, 4}, {1036.5, 1, 8}, {7.2, 0}, true});
  CHECK(file.suites[1].varies == Varies::ranks);
  CHECK(file.suites[1].time == TimeOf::max_over_ranks);
  const auto measurement = to_measurement(file);
  CHECK(measurement.testbed == measure::TestbedKind::simulated);
  CHECK(measurement.suites.at(0).points.at(2).result_ps.value == 4194314.5e6);
  CHECK(measurement.suites[1].ranks.size() == 8);
  check_is_document(file);
}

TEST_CASE("rows of SKaMPI 4.1 are read without description and end, with and without times of nodes") {
  Diagnostics diagnostics;
  const auto file = parsed(
      "# from a mail\n"
      "#/*@inp2p_MPI_Ssend-MPI_Recv.ski*/\n"
      "       0      81.2      1.3      8      81.2      1.3      8\n"
      "      32     401.5    320.9    100     401.5    320.9    100       0.0       0.0\n"
      "#/*@insyncol_MPI_Allreduce-nodes-long-SM.ski*/\n"
      "       5  106000.5 102000.5      2  106000.5 102000.5      2\n",
      diagnostics);
  REQUIRE(file.suites.size() == 2);
  CHECK(file.suites[0].name == "MPI_Ssend-MPI_Recv");
  CHECK(file.suites[0].rows.at(1).cleaned == ResultTime{401.5, 320.9, 100});
  CHECK(file.suites[1].varies == Varies::ranks);
  CHECK(file.suites[1].pattern == Pattern::collective);
  CHECK_FALSE(file.suites[1].complete);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == "incomplete");
  CHECK(diagnostics[0].message ==
        "the file is not complete: its last line is not 'skampi finished.'; 0 of its 2 suites have an end, "
        "and 1 rows of MPI_Allreduce-nodes-long-SM were read");
  check_is_document(file);
}

TEST_CASE("rows of Sphinx have a standard deviation and flags") {
  Diagnostics diagnostics;
  const auto file = parsed(
      "#/*@incol_MPI_Bcast.ski*/\n#arg[0] result standard_deviation count\n"
      "64 12.500000 2.000000 16\n128 13.0 4.0 4 UNSETTLED\n#eol\nskampi finished.\n",
      diagnostics);
  CHECK(diagnostics.empty());
  CHECK(file.suites.at(0).rows.at(0).cleaned == ResultTime{12.5, 0.5, 16});
  CHECK_FALSE(file.suites[0].rows.at(1).settled);
}

TEST_CASE("the point-to-point suites of SKaMPI 6 are read") {
  Diagnostics diagnostics;
  const auto file = golden("pt2pt_np2.sko", diagnostics);
  CHECK(diagnostics.empty());
  CHECK(file.format == ResultFile::Format::skampi5);
  CHECK(file.finished);
  CHECK(file.head_text("VERSION") == "6.0.0 rev. 5fb775a0443f7721ebef4af50cb197d3c03b91cc");
  REQUIRE(file.suites.size() == 9);
  CHECK(file.suites[8].name == "Pingpong_Sendrecv_replace");
  for (const auto& suite : file.suites) {
    CHECK(suite.complete);
    CHECK(suite.pattern == Pattern::pingpong);
    CHECK(suite.varies == Varies::bytes);
    CHECK(suite.processes == 2);
  }
  const auto& iprobe = file.suites[1];
  CHECK(iprobe.name == "Pingpong_Send_Iprobe_Recv");
  CHECK(iprobe.rows.size() == 24);
  CHECK(iprobe.rows.at(20) == ResultRow{5792, {6.7, 0.1, 8}, {6.7, 0.1, 8}, {6.7, 4.5}, true});
  check_is_document(file);
}

TEST_CASE("the collective suites of SKaMPI 6 are read") {
  Diagnostics diagnostics;
  const auto file = golden("shortcoll_np2.sko", diagnostics);
  CHECK(diagnostics.empty());
  REQUIRE(file.suites.size() == 5);
  CHECK(file.suites[0].varies == Varies::ranks);
  CHECK(file.suites[0].rows.at(0).argument == 2);
  CHECK(file.suites[1].varies == Varies::bytes);
  CHECK(file.suites[1].rows.at(10).argument == 4096);
  CHECK(file.suites[4].name == "MPI_Barrier-procs");
  for (const auto& suite : file.suites) {
    CHECK(suite.pattern == Pattern::collective);
    CHECK(suite.time == TimeOf::max_over_ranks);
  }
  check_is_document(file);
}

TEST_CASE("local calls, scripts and hosts of SKaMPI 6 are read") {
  Diagnostics diagnostics;
  const auto misc = golden("misc_np2.sko", diagnostics);
  CHECK(misc.suites.at(0).name == "MPI_Wtime_avg");
  CHECK(misc.suites[0].pattern == Pattern::local);
  CHECK(misc.suites[0].varies == Varies::chunks);
  CHECK(misc.suites[0].rows.size() == 100);
  check_is_document(misc);
  const auto refined = golden("auto_np2.sko", diagnostics);
  CHECK(refined.hosts == std::vector<std::string>{"vm", "vm"});
  CHECK(refined.suites.at(0).operation == "Pingpong_Send_Recv");
  CHECK(refined.suites[0].rows.empty());
  CHECK(to_measurement(refined).suites.empty());
  CHECK(to_measurement(refined).machine.nodes == std::vector<std::string>{"vm"});
  CHECK(diagnostics.empty());
}

TEST_CASE("a truncated .sko file gives its contents and reports what is missing") {
  Diagnostics diagnostics;
  const auto file = golden("shortcoll_np4_truncated_disturbed.sko", diagnostics);
  CHECK_FALSE(file.finished);
  REQUIRE(file.suites.size() == 2);
  CHECK(file.suites[0].complete);
  CHECK_FALSE(file.suites[1].complete);
  CHECK(file.suites[1].rows.size() == 11);
  CHECK(file.suites[1].rows[10].node_times == std::vector<double>{75117.0, 100720.6, 46496.0, 62233.7});
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].message ==
        "the file is not complete: the line '# Finished at' is missing; 1 of its 2 suites have an end, and "
        "11 rows of "
        "MPI_Bcast-length were read");
  check_is_document(file);
  // In the middle of a number: that row is not a measurement.
  const auto text = *read_text_file(kSkampiGolden + "shortcoll_np4_truncated_disturbed.sko");
  diagnostics.clear();
  const auto cut = parsed(std::string_view(text).substr(0, text.size() - 4), diagnostics);
  CHECK(cut.suites.at(1).rows.size() == 10);
  CHECK(diagnostics.at(0).message == "the file ends within this row: left out");
}

TEST_CASE("loops within loops are a suite for each round of the outer one") {
  Diagnostics diagnostics;
  const auto file = parsed(
      "# begin result \"B\"\n"
      "procs= 2 count= 1 4 1.0 0.0 8 1.0 0.5\nprocs= 2 count= 2 8 2.0 0.0 8 1.0 0.5\n"
      "procs= 4 count= 1 4 3.0 0.0 8 1.0 0.5 0.5 0.5\nprocs= 4 count= 1 4 4.0 0.0 8 1.0 0.5 0.5 0.5\n"
      "# end result \"B\"\n# begin result \"B\"\n 16 5.0 0.0 8 1.0 0.5\n# end result \"B\"\n# Finished at "
      "noon\n",
      diagnostics);
  CHECK(diagnostics.empty());
  REQUIRE(file.suites.size() == 4);
  CHECK(file.suites[0].name == "B procs=2");
  CHECK(file.suites[0].rows.at(1).argument == 8);
  CHECK(file.suites[1].name == "B procs=4");
  CHECK(file.suites[1].processes == 4);
  CHECK(file.suites[2].name == "B procs=4_2");
  CHECK(file.suites[2].rows.at(0).cleaned.value == 4);
  CHECK(file.suites[3].name == "B");
  CHECK(file.suites[3].varies == Varies::nothing);
  check_is_document(file);
}

TEST_CASE("errors of a result file name the line") {
  CHECK(results_refused("hello") ==
        "x.out: is not a SKaMPI result: it contains neither '# SKaMPI Version' nor '#/*@in'");
  CHECK(results_refused("#/*@inp2p_A.ski*/\n1 2 3 4 5\n") ==
        "x.out:2: the row has 5 columns, expected one more: standard error");
  CHECK(results_refused("#/*@inp2p_A.ski*/\n1 2 3.5 x\n") ==
        "x.out:2: the number of repetitions is 'x', expected a whole number");
  CHECK(results_refused("#/*@inp2p_A.ski*/\n1 nan 3.5 8\n") ==
        "x.out:2: the result is 'nan', expected microseconds");
  CHECK(results_refused("#@USER me\n1 2 3 4\n") ==
        "x.out:2: '1 2 3 4' is outside any suite, expected a line with #\n"
        "  a suite starts with a line such as #/*@inp2p_NAME.ski*/");
  CHECK(results_refused("# SKaMPI Version 5\ncount= 1 4 0.4 0.0 16\n") ==
        "x.out:2: 'count= 1 4 0.4 0.0 16' is outside any result, expected a line with #\n"
        "  rows follow a line '# begin result \"NAME\"'");
}

TEST_CASE("results of SKaMPI 6 of disturbed runs merge into their median") {
  // noise_skampi_tcp_rtt.txt: "runN tcp" and a row, twelve runs of one script.
  const auto text = *read_text_file(kSkampiGolden + "noise_skampi_tcp_rtt.txt");
  std::vector<measure::NamedMeasurement> runs;
  for (std::size_t run = 1; run <= 12; ++run) {
    const auto prefix = fmt::format("run{} tcp ", run);
    std::string sko = "# begin result \"lat\"\n";
    for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos; ++at)
      sko += text.substr(at + prefix.size(), text.find('\n', at) + 1 - at - prefix.size());
    Diagnostics diagnostics;
    runs.push_back({prefix, to_measurement(parsed(sko, diagnostics))});
  }
  Diagnostics diagnostics;
  const auto merged = measure::merge_measurements(runs, measure::MergeRule::robust, diagnostics);
  REQUIRE(merged);
  // One byte: 121.6 174.1 270.6 277.9 279.0 401.6 | 464.9 471.1 488.9 540.1 549.6 859.8
  CHECK(merged->suites.at(0).points.at(0).result_ps.value == 401.6e6);
  CHECK(merged->suites[0].points[0].merged->results_ps == measure::Interval{121.6e6, 859.8e6});
}
