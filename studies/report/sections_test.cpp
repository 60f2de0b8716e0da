// What a page says of runs, measurements, validations and traces.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "documents/text/json_document.hpp"
#include "sim/base/durations.hpp"
#include "studies/report/measurement_section.hpp"
#include "studies/report/read_run.hpp"
#include "studies/report/run_section.hpp"
#include "studies/report/traffic_section.hpp"
#include "studies/report/validation_section.hpp"
#include "studies/report/why_figures.hpp"

using namespace busline;
using namespace busline::report;
using Strings = std::vector<std::string>;

namespace {

// Two ranks, 100 ms: the first computes 60 ms and waits 40, the second computes 20 ms and waits 80.
SimulateReport run_of(std::size_t ranks = 2) {
  SimulateReport r;
  r.workload = "trace";
  r.platform = "cluster";
  r.model = "dimemas";
  r.traced_run_time = ms(80);
  r.result.run_time = Time::at(ms(100));
  r.result.messages = 3;
  for (std::size_t i = 0; i < ranks; ++i) {
    RankResult rank;
    rank.end = Time::at(ms(100));
    rank.times.compute = ms(i % 2 == 0 ? 60 : 20);
    rank.times.wait = ms(i % 2 == 0 ? 40 : 80);
    r.result.ranks.push_back(rank);
  }
  r.result.resources = {{{ResourceKind::bus, ResourceId::kOnly}, 2, ms(180), ms(50), 3, 2}};
  return r;
}

Document document_of(nlohmann::ordered_json j) {
  j["provenance"] = to_json(Provenance{});
  auto document = Document::parse(document_text(j), "file.json");
  REQUIRE(document);
  return *std::move(document);
}

}  // namespace

TEST_CASE("a run's document contains the data of its sentences") {
  const auto run = read_run(document_of(to_json(run_of())));
  REQUIRE(run);
  const auto section = run_section(*run, "file.json");
  CHECK(section.title == "trace on cluster");
  CHECK(section.summary ==
        Strings{"The run takes 100 ms, 25.0 % more than the 80 ms that were traced.",
                "On average a rank computes for 40.0 % of it; 60.0 % goes to waiting for messages.",
                "Communication limits it most: even the busiest rank computes only 60.0 % of the time.",
                "Messages waited longest for network/buses: 50 ms together, which were in use 90.0 % of the "
                "time."});
  const auto& bars = std::get<Bars>(section.figures.at(0).content);
  REQUIRE(bars.rows.size() == 2);
  CHECK(bars.rows[1].name == "rank 1");
  CHECK(bars.rows[1].values[0] == 2e10);
  CHECK(bars.rows[1].values[1] == 8e10);
}

TEST_CASE("thousands of ranks are shown as means of groups") {
  const auto section = run_section(run_of(1000), "file.json");
  const auto& bars = std::get<Bars>(section.figures.at(0).content);
  // 1000 / 64 = 15.6: groups of 16, 63 of them.
  REQUIRE(bars.rows.size() == 63);
  CHECK(bars.rows[0].name == "ranks 0 to 15");
  CHECK(bars.rows[0].values[0] == 4e10);
  CHECK(bars.rows[62].name == "ranks 992 to 999");
}

TEST_CASE("a deadlock is reported first, with what each rank waits for") {
  auto run = run_of();
  run.result.status = Result::Status::deadlock;
  run.result.blocked = {{1, 7, "MPI_Recv", "a message from rank 0"}};
  const auto read = read_run(document_of(to_json(run)));
  REQUIRE(read);
  const auto section = run_section(*read, "file.json");
  CHECK(section.summary.at(0) ==
        "The run cannot continue after 100 ms: 1 of 2 ranks wait for something that never happens.");
  CHECK(section.summary.back() == "Rank 1 waits in MPI_Recv for a message from rank 0.");
  CHECK(section.figures.at(0).title == "Blocked ranks");
}

TEST_CASE("a run that was stopped, and one that is too long for the clock, say so") {
  auto run = run_of();
  run.result.status = Result::Status::interrupted;
  CHECK(run_section(run, "file.json").summary.at(0) == "The simulation was stopped after 100 ms of the run.");
  run.result.status = Result::Status::clock_overflow;
  CHECK(run_section(run, "file.json").summary.at(0) ==
        "The run takes longer than 106 days, the limit of the clock.");
}

TEST_CASE("a bus without a limit is shown as unlimited") {
  auto run = run_of();
  run.result.resources = {{{ResourceKind::bus, ResourceId::kOnly}, kUnlimited, ms(180), {}, 3, 0}};
  const auto section = run_section(run, "file.json");
  CHECK(section.figures.at(1).title == "Links and buses");
  const auto& table = std::get<Table>(section.figures.at(1).content);
  CHECK(std::get<std::string>(table.rows.at(0).at(2)) == "unlimited");
}

TEST_CASE("the explanation of a run time is shown if the document has one") {
  auto j = to_json(run_of());
  REQUIRE(read_why(document_of(j)));
  CHECK_FALSE(*read_why(document_of(j)));
  // 100 ms: 60 of computing, 40 of transfer. A tenth of 60 ms is 6 % of them.
  const nlohmann::ordered_json parts = {{{"cause", "compute"}, {"ps", 60'000'000'000}},
                                        {{"cause", "link_out"}, {"ps", 40'000'000'000}}};
  j["why"] = {
      {"critical_path",
       {{"total_ps", 100'000'000'000},
        {"parts", parts},
        {"ranks", {{{"rank", 1}, {"parts", parts}}}},
        {"calls",
         {{{"call", nullptr}, {"parts", {parts[0]}}}, {{"call", "MPI_Recv"}, {"parts", {parts[1]}}}}}}},
      {"slopes",
       {{"exact", true}, {"latency", 3.0}, {"inverse_bandwidth_ps", 40e9}, {"inverse_cpu_speed_ps", 60e9}}},
      {"runs", 25},
      {"advice",
       {{{"figure", "cpu_speed"},
         {"reliable", false},
         {"median", 0.01},
         {"low", -0.02},
         {"high", 0.03},
         {"by_a_run", 0.028},
         {"by_slope", -0.055}},
        {{"figure", "latency"},
         {"reliable", true},
         {"median", -0.02},
         {"low", -0.03},
         {"high", -0.01},
         {"by_a_run", -0.02},
         {"by_slope", -0.02}}}},
      {"efficiency", {{"parallel", 0.75}, {"load_balance", 1.0}, {"serialisation", 1.0}, {"transfer", 0.75}}},
      {"large_steps", nlohmann::ordered_json::array()}};
  const auto why = read_why(document_of(j));
  REQUIRE(why);
  REQUIRE(*why);
  auto section = run_section(run_of(), "file.json");
  add_why(**why, section);
  CHECK(section.summary.at(1) ==
        "The critical path, which determines the run time, is compute 60.0 %, link out 40.0 %. Ranks compute "
        "75.0 % of the time, but computing is only 60.0 % of the path: the other bursts pass while messages "
        "on the path wait or travel, and decide the end only if they outlast them.");
  // What is not reliable has no sign, whatever the slope says.
  CHECK(section.summary.at(2) ==
        "10 % faster CPUs have no reliable effect (-2.0 % to +3.0 %); 10 % less latency changes the run time "
        "by -2.0 % (-3.0 % to -1.0 %). This is what 25 runs with slightly different bursts show; nine in "
        "ten lie in these ranges.");
  const auto& bars = std::get<Bars>(section.figures.at(0).content);
  REQUIRE(bars.rows.size() == 3);
  CHECK(bars.rows[1].name == "between calls");
  CHECK(bars.rows[2].values == std::vector<double>{0, 4e10});
  j["why"]["slopes"].erase("exact");
  CHECK(to_string(read_why(document_of(j)).error()).find("/why/slopes: 'exact' is missing") !=
        std::string::npos);
}

TEST_CASE("a status or a preset that is not known is an error") {
  auto j = to_json(run_of());
  j["status"] = "asleep";
  CHECK(to_string(read_run(document_of(j)).error())
            .ends_with("/status: expected one of \"complete\", \"deadlock\", \"clock-overflow\", "
                       "\"interrupted\", found \"asleep\""));
  j = to_json(run_of());
  j["preset"] = "dimemas-5.4";
  CHECK(to_string(read_run(document_of(j)).error())
            .ends_with("/preset: expected one of \"published\", \"dimemas-5.5\", found \"dimemas-5.4\"; did "
                       "you mean \"dimemas-5.5\"?"));
}

TEST_CASE("what is written of a run is read again") {
  auto run = run_of();
  run.preset = Preset::dimemas_5_5;
  run.region = "after 2 ms";
  run.result.status = Result::Status::clock_overflow;
  run.result.collective_messages = 1;
  run.result.ranks[0].collective_messages = 1;
  run.result.region = RegionResult{ms(5), std::vector<RankTimes>(2)};
  run.result.region->ranks[0].compute = ms(5);
  run.result.region->ranks[1].wait = ms(4);
  const auto j = to_json(run);
  const auto again = read_run(document_of(j));
  REQUIRE(again);
  CHECK(to_json(*again) == j);
}

TEST_CASE("members of a document that are missing or wrong are named") {
  auto j = to_json(run_of());
  j["ranks"][1].erase("wait_ps");
  CHECK(to_string(read_run(document_of(j)).error()).find("/ranks/1: 'wait_ps' is missing") !=
        std::string::npos);
  j = to_json(run_of());
  j["ranks"] = 3;
  CHECK(to_string(read_run(document_of(j)).error()).find("/ranks: expected a list, found 3") !=
        std::string::npos);
  j = to_json(run_of());
  j["run_time_ps"] = -1;
  CHECK(to_string(read_run(document_of(j)).error()).find("/run_time_ps: expected a whole number") !=
        std::string::npos);
  j = to_json(run_of());
  j["resources"] = {j["resources"][0], j["resources"][0]};
  for (auto& resource : j["resources"]) resource["wait_ps"] = 9'000'000'000'000'000'000;
  CHECK(to_string(read_run(document_of(j)).error()).find("more than 106 days") != std::string::npos);
}

TEST_CASE("a validation reports the accuracy of predictions, and the worst one") {
  Validation v{"dimemas", 0.05, {}};
  const auto add = [&](const char* program, std::int64_t measured, std::int64_t predicted, bool counts) {
    v.runs.push_back({"cluster", program, "complete", 8, ms(measured), ms(measured), ms(measured),
                      ms(predicted), double(predicted) / double(measured) - 1, 0.01, counts});
  };
  add("ring", 100, 101, true);
  add("ring", 100, 97, true);
  add("halo", 200, 180, true);
  add("noisy", 100, 300, false);
  v.runs.push_back({"cluster", "stuck", "deadlock", 8, ms(1), ms(1), ms(1), {}, {}, {}, false});
  const auto section = validation_section(v, "file.json");
  // Sizes 1, 3 and 10 %: the median is 3 %; nine tenths of the way is 3 + 0.8 * 7 = 8.6 %; the mean is -4 %.
  CHECK(section.summary ==
        Strings{"Half of 3 predictions are within 3.0 % of the measured time, nine in ten within 8.6 %.",
                "The worst is halo on cluster: -10.0 %, 180 ms predicted and 200 ms measured.",
                "On average predictions are 4.0 % too short.", "1 of 5 runs could not be predicted.",
                "1 of 5 do not count: repetitions of the real run differ by more than 5.0 %."});
  const auto& chart = std::get<Chart>(section.figures.at(0).content);
  CHECK(chart.diagonal);
  CHECK(chart.curves.size() == 3);
  const auto& errors = std::get<Chart>(section.figures.at(1).content);
  double runs = 0;
  for (const auto& bin : errors.curves.at(0).samples) runs += bin.y;
  CHECK(runs == 3);
}

TEST_CASE("runs that were traced elsewhere say so") {
  const ValidatedRun own{"new", "ring", "complete", 8, ms(100), ms(100), ms(100), ms(100), 0.0, 0.01, true};
  auto foreign = own;
  foreign.predicted = ms(90);
  foreign.error = -0.1;
  foreign.traced_on = "old";
  const auto section = validation_section({"dimemas", 0.05, {own, foreign}}, "file.json");
  CHECK(section.summary.at(1) ==
        "The worst is ring on new (traced on old): -10.0 %, 90 ms predicted and 100 ms measured.");
  CHECK(section.summary.at(3) == "1 of 2 runs are predicted from traces of other run sets.");
  const auto& table = std::get<Table>(section.figures.back().content);
  CHECK(table.columns.back().label == "traced on");
  CHECK(std::get<std::string>(table.rows.at(0).back()) == "new");
  CHECK(std::get<std::string>(table.rows.at(1).back()) == "old");
  const auto plain = validation_section({"dimemas", 0.05, {own}}, "file.json");
  CHECK(std::get<Table>(plain.figures.back().content).columns.back().label == "counts");
}

TEST_CASE("bytes that ranks send are added up where there are more ranks than fields") {
  report::Traffic t{"trace",      300, 2, 3, 60, {{0, 1, 1, 10}, {1, 0, 1, 20}, {299, 0, 1, 30}},
                    {{8, 3, 60}}, {}};
  const auto section = traffic_section(t, "file.json");
  const auto& matrix = std::get<Matrix>(section.figures.at(0).content);
  REQUIRE(matrix.names.size() == 150);
  CHECK(matrix.values[0] == 30.0);
  CHECK(matrix.values[149 * 150] == 30.0);
  CHECK_FALSE(matrix.values[1]);
  CHECK(section.summary.at(0) == "300 ranks sent 3 messages of 60 B together.");
}

TEST_CASE("a pair of ranks that the trace does not have is refused") {
  const auto read =
      read_traffic(document_of(nlohmann::ordered_json::parse(R"({"trace": "t", "rank_count": 2, "calls": 1,
    "messages": 1, "bytes": 1, "functions": [], "message_sizes": [],
    "job": {"pairs": [{"source": 2, "destination": 0, "messages": 1, "bytes": 1}]}})")));
  REQUIRE_FALSE(read);
  CHECK(to_string(read.error()).find("/job/pairs/0: names a rank that is not among the 2") !=
        std::string::npos);
}

TEST_CASE("curves of a measurement have the errors of their points, and a bandwidth where there is one") {
  measure::Measurement m;
  m.machine.name = "cluster";
  measure::Suite s;
  s.name = "pingpong";
  s.pattern = measure::Pattern::pingpong;
  s.time = measure::TimeOf::half_round_trip;
  s.points.resize(2);
  s.points[0].argument = 8;
  s.points[0].result_ps = {1e6, 1e4};
  s.points[1].argument = 1'000'000;
  s.points[1].result_ps = {1e9, 0};
  s.points[1].settled = false;
  m.suites = {s};
  const auto section = measurement_section(m, "file.json");
  CHECK(section.summary ==
        Strings{"pingpong: a message of 8 B takes 1 us; messages of 1000000 B reach 1 GB/s.",
                "2 points of 1 suite measured, 1 of them with less than the requested precision."});
  const auto& chart = std::get<Chart>(section.figures.at(0).content);
  const auto& sample = chart.curves.at(0).samples.at(0);
  CHECK(*sample.low == 0.98e6);
  CHECK(*sample.high == 1.02e6);
  const auto& bandwidth = std::get<Chart>(section.figures.at(1).content);
  CHECK(bandwidth.curves.at(0).samples.at(1).y == doctest::Approx(1e9));
}

TEST_CASE("curves over nodes, chunks and steps say so, and suites without time are counted") {
  measure::Measurement m;
  for (const auto varies : {measure::Varies::nodes, measure::Varies::chunks, measure::Varies::steps}) {
    measure::Suite s;
    s.varies = varies;
    s.points.resize(1);
    s.points[0].result_ps.value = 1e6;
    m.suites.push_back(s);
  }
  m.budget = measure::BudgetUse{};
  m.budget->left_out = {"a", "b"};
  const auto section = measurement_section(m, "file.json");
  Strings labels;
  for (std::size_t i = 0; i < 3; ++i)
    labels.push_back(std::get<Chart>(section.figures.at(i).content).x.label);
  CHECK(labels == Strings{"nodes", "chunks", "step"});
  CHECK(section.summary == Strings{"3 points of 3 suites measured, all with the requested precision.",
                                   "No time was left for 2 further suites."});
}

TEST_CASE("times of pairs that send nothing are a field of times") {
  measure::Measurement m;
  measure::Suite s;
  s.name = "linktest";
  s.pattern = measure::Pattern::all_pairs;
  s.varies = measure::Varies::steps;
  s.bytes = 0;
  for (const std::uint32_t from : {0U, 1U}) {
    measure::Point p;
    p.ranks = {from, 1 - from};
    p.result_ps.value = 1e6 * (from + 1);
    s.points.push_back(p);
  }
  m.suites = {s};
  const auto section = measurement_section(m, "file.json");
  const auto& field = std::get<Matrix>(section.figures.at(0).content);
  CHECK(field.value.label == "time");
  CHECK(field.value.unit == Unit::time);
  CHECK_FALSE(field.low_is_bad);
  CHECK(field.values == std::vector<std::optional<double>>{{}, 1e6, 2e6, {}});
}

TEST_CASE("times of all pairs are a field, a histogram and steps, and slow pairs are named") {
  measure::Measurement m;
  measure::Suite s;
  s.name = "linktest, inter-node";
  s.operation = "semidirectional";
  s.pattern = measure::Pattern::all_pairs;
  s.varies = measure::Varies::steps;
  s.bytes = 1'000'000;
  for (std::uint32_t from = 0; from < 4; ++from)
    for (std::uint32_t to = 0; to < 4; ++to) {
      if (from == to) continue;
      measure::Point p;
      p.argument = 1 + (from ^ to);
      p.ranks = {from, to};
      p.result_ps.value = from == 3 && to == 1 ? 2e9 : 1e9;
      s.points.push_back(p);
    }
  m.suites = {s};
  const auto section = measurement_section(m, "file.json");
  CHECK(section.summary.at(0) ==
        "linktest: 1 of 12 pairs take more than 1.1 times the median of their kind; the slowest is 3 to 1, "
        "2.00 "
        "times, 2 ms or 500 MB/s.");
  const auto& field = std::get<Matrix>(section.figures.at(0).content);
  REQUIRE(field.names.size() == 4);
  CHECK_FALSE(field.values[0]);
  CHECK(*field.values[1] == doctest::Approx(1e9));
  CHECK(*field.values[3 * 4 + 1] == doctest::Approx(5e8));
  const auto& histogram = std::get<Chart>(section.figures.at(1).content);
  double pairs = 0;
  for (const auto& bin : histogram.curves.at(0).samples) pairs += bin.y;
  CHECK(pairs == 12);
}
