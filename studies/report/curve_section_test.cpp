// What a page says of curves and of values that were looked for.
#include "studies/report/curve_section.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "documents/text/json_document.hpp"
#include "studies/report/find_section.hpp"

using namespace busline;
using namespace busline::report;
using Strings = std::vector<std::string>;

namespace {

Document parsed(nlohmann::ordered_json j) {
  j["provenance"] = to_json(Provenance{});
  auto document = Document::parse(document_text(j), "file.json");
  REQUIRE(document);
  return *std::move(document);
}

// 1 s at unlimited bandwidth; 1 GB on the path up to 1 GB/s, where the run takes 2 s; then 2 GB.
nlohmann::ordered_json bandwidth_curve() {
  return {{"schema", "busline/curve/1"},
          {"workload", "trace"},
          {"platform", "cluster"},
          {"over", "bandwidth"},
          {"from", "unlimited"},
          {"to", 5e8},
          {"run_time_at_end_ps", 4'000'000'000'000},
          {"own_value", 2e9},
          {"own_run_time_ps", 1'500'000'000'000},
          {"contended_run_time_ps", 1'800'000'000'000},
          {"pieces",
           {{{"from", "unlimited"}, {"run_time_ps", 1'000'000'000'000}, {"slope", 1e9}},
            {{"from", 1e9}, {"run_time_ps", 2'000'000'000'000}, {"slope", 2e9}}}},
          {"tolerances", {{{"slowdown", 0.1}, {"value", 1.5384615e9}}, {{"slowdown", 9}, {"value", 5e8}}}},
          {"asked", {{{"value", 1e9}, {"run_time_ps", 2'000'000'000'000}}}}};
}

nlohmann::ordered_json search() {
  return {{"schema", "busline/study-find/1"},
          {"axis", "network/latency"},
          {"target_ps", 1'000'000'000'000},
          {"within", 0.1},
          {"found", "2 us"},
          {"several_borders", true},
          {"tried",
           {{{"value", "1 us"}, {"status", "done"}, {"good", true}, {"run_time_ps", 1'000'000'000'000}},
            {{"value", "2 us"}, {"status", "done"}, {"good", true}, {"run_time_ps", 1'100'000'000'000}},
            {{"value", "40 us"}, {"status", "done"}, {"good", false}, {"run_time_ps", 1'200'000'000'000}},
            {{"value", "80 us"}, {"status", "deadlock"}, {"good", false}}}}};
}

}  // namespace

TEST_CASE(
    "a curve over bandwidth bends between its breakpoints, since the run time is linear in time per byte") {
  const auto curve = read_curve(parsed(bandwidth_curve()));
  REQUIRE(curve);
  const auto section = curve_section(*curve, "file.json");
  CHECK(section.title == "trace on cluster, over bandwidth");
  CHECK(
      section.summary ==
      Strings{"On the platform itself (bandwidth 2 GB/s) the run takes 1.5 s without contention, and 1.8 s "
              "(+20.0 %) with it.",
              "From unlimited to 500 MB/s of the network's bandwidth the run time rises from 1 s to 4 s; the "
              "curve has 1 breakpoint.",
              "At most 10.0 % slower: down to 1.538 GB/s.",
              "At most 900.0 % slower: all the way to 500 MB/s.", "At 1 GB/s the run takes 2 s."});
  const auto& chart = std::get<Chart>(section.figures.at(0).content);
  CHECK(chart.x.unit == Unit::bandwidth);
  const auto& line = chart.curves.at(0).samples;
  CHECK(line.front().x == 5e8);
  CHECK(line.front().y == 4e12);
  for (const auto& s : line) {
    CHECK(std::isfinite(s.x));
    // 1 s + 1 GB / x, and 2 GB / x where that is more.
    CHECK(s.y == doctest::Approx(1e12 * std::max(1 + 1e9 / s.x, 2e9 / s.x)));
  }
  REQUIRE(chart.curves.size() == 3);
  CHECK(chart.curves[2].samples.at(0).y == 1.8e12);
  const auto& slope = std::get<Chart>(section.figures.at(1).content).curves.at(0);
  // From 500 MB/s up to 1 GB/s 2 GB are on the path, beyond it 1 GB.
  REQUIRE(slope.samples.size() == 2);
  CHECK(slope.samples[0].x == 5e8);
  CHECK(slope.samples[0].y == 2e9);
  CHECK(slope.samples[1].x == 1e9);
  CHECK(slope.samples[1].y == 1e9);
  CHECK(std::get<std::string>(std::get<Table>(section.figures.at(2).content).rows.at(0).at(0)) ==
        "unlimited");
}

TEST_CASE("a curve over latency is drawn by its breakpoints alone") {
  auto j = bandwidth_curve();
  j["over"] = "latency";
  j["from"] = 0;
  j["to"] = 3e-6;
  j["own_value"] = 1e-6;
  j["contended_run_time_ps"] = 1'500'000'000'000;
  j["pieces"] = {{{"from", 0}, {"run_time_ps", 1'000'000'000'000}, {"slope", 1}},
                 {{"from", 1e-6}, {"run_time_ps", 1'500'000'000'000}, {"slope", 2}}};
  j["tolerances"] = {{{"slowdown", 0.1}, {"value", nullptr}}};
  j["asked"] = nlohmann::json::array();
  const auto curve = read_curve(parsed(j));
  REQUIRE(curve);
  const auto section = curve_section(*curve, "file.json");
  CHECK(section.summary.front() ==
        "On the platform itself (latency 1 us) the run takes 1.5 s, with and without contention.");
  CHECK(section.summary.back() ==
        "Nowhere in this range is the run at most 10.0 % slower than on the platform.");
  const auto& line = std::get<Chart>(section.figures.at(0).content).curves.at(0).samples;
  REQUIRE(line.size() == 3);
  CHECK(line[1].x == doctest::Approx(1e6));
  CHECK(line[2].x == doctest::Approx(3e6));
  CHECK(line[2].y == 4e12);
}

TEST_CASE("an invalid curve document is refused with the member that is wrong") {
  auto j = bandwidth_curve();
  j["over"] = "phase";
  CHECK(to_string(read_curve(parsed(j)).error()).find("/over: expected") != std::string::npos);
  j = bandwidth_curve();
  j["pieces"] = nlohmann::json::array();
  CHECK(to_string(read_curve(parsed(j)).error()).find("/pieces: expected") != std::string::npos);
  j = bandwidth_curve();
  j["over"] = "latency";  // which cannot be unlimited
  CHECK(to_string(read_curve(parsed(j)).error()).find("/from: expected a number") != std::string::npos);
}

TEST_CASE("a search shows its limit beside the values tried") {
  const auto find = read_find(parsed(search()));
  REQUIRE(find);
  const auto section = find_section(*find, "file.json");
  CHECK(section.summary ==
        Strings{"network/latency = 2 us is the last of the values tried that is good enough.",
                "Good enough is a run time of at most 1.1 s: 10.0 % above the target of 1 s.",
                "Run times do not change monotonically along this axis: values beyond it may be good enough, "
                "or not."});
  REQUIRE(section.figures.size() == 2);
  const auto& chart = std::get<Chart>(section.figures[0].content);
  CHECK(chart.x.unit == Unit::time);
  CHECK(chart.x.logarithmic);
  CHECK(chart.curves.at(0).samples.size() == 3);
  CHECK(chart.curves.at(1).samples.at(0).y == doctest::Approx(1.1e12));
  const auto& table = std::get<Table>(section.figures[1].content);
  CHECK(std::get<std::string>(table.rows.at(3).at(1)) == "deadlock");
}

TEST_CASE("values that are no numbers are a table alone, and a search may find nothing") {
  auto j = search();
  j["tried"][0]["value"] = "fill";
  j["found"] = nullptr;
  const auto find = read_find(parsed(j));
  REQUIRE(find);
  const auto section = find_section(*find, "file.json");
  CHECK(section.summary.front() == "None of the values tried is good enough.");
  CHECK(section.figures.size() == 1);
}
