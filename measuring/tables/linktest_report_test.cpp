#include "measuring/tables/linktest_report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "documents/fields/test_schema.hpp"
#include "documents/text/test_documents.hpp"
#include "measuring/linktest/read_linktest.hpp"
#include "measuring/linktest/test_result.hpp"

using namespace busline;
using namespace busline::linktest;
using nlohmann::json;

namespace {

// 1 us within a node and 2 us between nodes, two ranks a node; 64 KiB. Rank 3 is slow to reach rank 0.
LinkTestReport two_node_run() {
  LinkTestReport report{"run.sion", test_result(4), {}};
  auto& i = report.result.iterations[0];
  for (std::uint32_t a = 0; a < 4; ++a)
    for (std::uint32_t b = 0; b < 4; ++b)
      if (a != b) i.seconds(a, b) = a / 2 == b / 2 ? 1e-6 : 2e-6;
  i.seconds(3, 0) = 3e-6;
  i.retests = {{3, 0, 3e-6, 2.9e-6}, {0, 3, 2.3e-6, 2e-6}};
  return report;
}

}  // namespace

// Step 1 as bandwidth: 64 KiB in 2 us are 30.518 GiB/s, in 3 us 20.345; 30.518 + (30.518 + 20.345) / 2.
TEST_CASE("a page of a LinkTest run shows settings, matrix, histogram, steps, slow pairs and ranks") {
  CHECK(to_text(two_node_run()) == R"(run.sion: LinkTest 2.1.16 of 4 ranks on 2 nodes

hosts (ranks)        node00 (2), node01 (2)
messages             10 of 64 KiB, semidirectional, 2 for warm-up
pairs                all pairs of ranks, all pairs of a step at once
carried by           mpi

  time [us]             number     min  median    mean     max
  within nodes               4   1.000   1.000   1.000   1.000
  between nodes              8   2.000   2.000   2.125   3.000
  all                       12   1.000   2.000   1.750   3.000
  as bandwidth [GiB/s]          61.035  30.518  34.877  20.345

  from, to [us]      0      1      2      3
  0                  -  1.000  2.000  2.000
  1              1.000      -  2.000  2.000
  2              2.000  2.000      -  1.000
  3              3.000  2.000  1.000      -

  times from [us]       within nodes between nodes
  1.000                            4             0  ##################
  1.071                            0             0
  1.147                            0             0
  1.229                            0             0
  1.316                            0             0
  1.410                            0             0
  1.510                            0             0
  1.617                            0             0
  1.732                            0             0
  1.855                            0             0
  1.987                            0             7  ##############################
  2.128                            0             0
  2.280                            0             0
  2.442                            0             0
  2.615                            0             0
  2.801                            0             1  #####

  step, time [us]    min   mean    max  bisection [GiB/s]
  1                2.000  2.250  3.000             55.949
  2                2.000  2.000  2.000             61.035
  3                1.000  1.000  1.000            122.070

  slowest pairs [us]         time  alone       verdict
  3 (node01) to 0 (node00)  3.000  2.900  reproducible
  0 (node00) to 3 (node01)  2.300  2.000     transient

  ranks [us]          initiating    max  with  responding    max  with
  0 (node00, core 0)       1.667  2.000     2       2.000  3.000     3
  1 (node00, core 1)       1.667  2.000     2       1.667  2.000     2
  2 (node01, core 0)       1.667  2.000     0       1.667  2.000     0
  3 (node01, core 1)       2.000  3.000     0       1.667  2.000     0
)");
}

TEST_CASE("many ranks are shown as a map, and long lists are truncated") {
  LinkTestReport report{"run.sion", test_result(130), {}};
  auto& i = report.result.iterations[0];
  i.seconds(129, 0) = 64e-6;
  i.retests.clear();
  for (std::uint32_t r = 1; r < 21; ++r) i.retests.push_back({r, 0, 2e-6, 1e-6});
  const auto page = to_text(report);
  CHECK(page.find("each mark is the mean of 3 x 3 pairs") != page.npos);
  CHECK(page.find("\n     129 @") != page.npos);  // 129 and 0 are the first ranks of their blocks
  CHECK(page.find("  1 to 6  ") != page.npos);
  CHECK(page.find("  127 to 129") != page.npos);
  CHECK(page.find("  and 4 more\n") != page.npos);
  CHECK(page.find("slowest ranks [us]") != page.npos);
  CHECK(page.size() < 12'000);
}

TEST_CASE("a map that would show nothing is a line") {
  LinkTestReport report{"run.sion", test_result(20), {}};
  auto& i = report.result.iterations[0];
  for (std::uint32_t a = 0; a < 20; ++a)
    for (std::uint32_t b = 0; b < 20; ++b) i.seconds(a, b) = a < b ? 1e-6 : 1.01e-6;
  const auto page = to_text(report);
  CHECK(page.find("\n  time from rank to rank: 1 us to 1.01 us everywhere\n") != page.npos);
  i.seconds(0, 1) = 1.03e-6;
  CHECK(to_text(report).find("everywhere") == page.npos);
}

TEST_CASE("each iteration has its part of the page, also one whose pairs are not known") {
  auto report = two_node_run();
  report.result.settings.shuffled_orders = 3;
  report.result.settings.order_seed = 99;
  report.result.iterations.resize(3, report.result.iterations[0]);
  auto& unmapped = report.result.iterations[1];
  unmapped.access = AccessPattern::unmapped;
  unmapped.seconds = {};
  unmapped.step = {};
  report.result.iterations[2].seconds = PairMatrix<double>(4);
  const auto page = to_text(report);
  CHECK(page.find("orders               3 at random, seed 99\n") != page.npos);
  CHECK(page.find("\niteration 2 of 3, Tue Mar  1 12:00:00 2022\n\n"
                  "  The file does not record which pair of ranks each time belongs to.\n"
                  "\niteration 3 of 3, Tue Mar  1 12:00:00 2022\n\n  no times\n") != page.npos);
  const auto j = to_json(report);
  CHECK(j["iterations"].size() == 3);
  CHECK(j["iterations"][1]["access_pattern"] == "unmapped");
  CHECK(j["classes"].size() == 4);
  CHECK(row_json(report, 1, 0)["times_ps"].dump() == "[null,null,null,null]");
  CHECK(LinkTestTable(report).lines(1, 0).empty());
}

TEST_CASE("the document of a LinkTest run holds whole picoseconds") {
  auto report = two_node_run();
  report.result.iterations[0].all_to_all_summary = linktest::Summary{1e-5, std::nan(""), 2e-5};
  const auto j = to_json(report);
  CHECK(j["schema"] == "busline/linktest/1");
  CHECK(j["settings"]["kernel"] == "semidirectional");
  CHECK(
      j["classes"][0].dump() ==
      R"({"iteration":1,"class":"intra-node","times":4,"min_ps":1000000,"median_ps":1000000,"mean_ps":1000000,"max_ps":1000000})");
  CHECK(j["steps"][0]["max_ps"] == 3'000'000);
  CHECK(
      j["slow_pairs"][0].dump() ==
      R"({"iteration":1,"initiator":3,"responder":0,"class":"inter-node","first_ps":3000000,"second_ps":2900000,"verdict":"reproducible"})");
  CHECK(j["iterations"][0]["all_to_all_min_ps"] == 10'000'000);
  CHECK(j["iterations"][0]["all_to_all_avg_ps"].is_null());
  CHECK(row_json(report, 0, 3).dump() ==
        R"({"iteration":1,"initiator":3,"times_ps":[3000000,2000000,1000000,null],"steps":[1,2,3,null]})");
}

TEST_CASE("the document of a LinkTest run conforms to its schema") {
  const auto schema = read_schema(BUSLINE_SOURCE_DIR "/measuring", "linktest");
  auto report = two_node_run();
  auto& iterations = report.result.iterations;
  iterations[0].all_to_all_summary = linktest::Summary{1e-6, 2e-6, 3e-6};
  iterations.push_back(iterations[0]);
  iterations[1].retests.clear();
  iterations[1].access = AccessPattern::unmapped;
  iterations.push_back(iterations[0]);
  iterations[2].retests.clear();
  json document = to_json(report);
  document["rows"] = json::array({row_json(report, 0, 1)});
  CHECK(SchemaCheck::differences(schema, printed(document)) == std::vector<std::string>());
}

TEST_CASE("the table of a LinkTest run has a line per measured pair") {
  auto report = two_node_run();
  report.result.places[1].host = "a \"b\", c";
  CHECK(LinkTestTable::heading() + LinkTestTable(report).lines(0, 0) ==
        "iteration,step,initiator,responder,initiator_host,responder_host,class,time_ps,bytes_per_s\n"
        "1,3,0,1,node00,\"a \"\"b\"\", c\",inter-node,1000000,65536000000\n"
        "1,2,0,2,node00,node01,inter-node,2000000,32768000000\n"
        "1,1,0,3,node00,node01,inter-node,2000000,32768000000\n");
}
