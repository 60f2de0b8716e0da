// LinkTest on simulated machines against an independent simulation of the same measurement
// (validation/golden/linktest/dimemas_linktest_reference.json): first come, first served for buses and links;
// 1 MiB, 20 messages. Where they differ, and why: DIFFERENCES.md beside it.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "measuring/linktest/analysis.hpp"
#include "measuring/linktest/run_linktest.hpp"
#include "platforms/description/platform_json.hpp"
#include "validation/simulated/simulated_testbed.hpp"

using namespace busline;
using namespace busline::linktest;
using nlohmann::json;

namespace {

Platform reference_machine(const json& row) {
  const auto ranks = row["N"].get<std::uint32_t>(), per_node = row["ranks_per_node"].get<std::uint32_t>();
  const json buses = row["buses"] == 0 ? json("unlimited") : row["buses"];
  const json document{{"schema", "busline/platform/1"},
                      {"name", "reference"},
                      {"nodes",
                       {{{"count", ranks / per_node},
                         {"cpus", per_node},
                         {"links", row["links"]},
                         {"intra_node", {{"latency", "1us"}, {"bandwidth", "10 GB/s"}}}}}},
                      {"network", {{"latency", "5us"}, {"bandwidth", "1 GB/s"}, {"buses", buses}}},
                      // A rank goes on when its own message has left, too.
                      {"mpi", {{"rendezvous_from", "1KiB"}, {"send_completes", "transfer"}}}};
  auto platform = parse_platform(document.dump(), "reference");
  REQUIRE(platform);
  return *std::move(platform);
}

json json_of(const char* name) {
  std::ifstream in(std::string(BUSLINE_SOURCE_DIR) + "/validation/golden/linktest/" + name);
  return json::parse(in);
}

// What a row of the reference is known by.
constexpr std::array kKey{"kernel", "N", "ranks_per_node", "buses", "links"};

// Mean over the pairs that cross the network.
double mean_between_nodes(const json& row) {
  auto testbed = SimulatedTestbed::create(reference_machine(row), row["N"].get<std::uint32_t>());
  REQUIRE(testbed);
  linktest::RunOptions options;
  options.messages = 20;
  options.warmup = 0;
  options.retests = 0;
  options.kernel = row["kernel"] == "bi" ? KernelKind::bidirectional : KernelKind::semidirectional;
  const auto result = run_linktest(**testbed, options);
  REQUIRE(result);
  const auto& i = result->iterations[0];
  double sum = 0, count = 0;
  for (std::uint32_t a = 0; a < result->ranks(); ++a)
    for (std::uint32_t b = 0; b < result->ranks(); ++b) {
      if (a == b || result->places[a].host == result->places[b].host) continue;
      sum += i.seconds(a, b);
      ++count;
    }
  return sum / count;
}

}  // namespace

TEST_CASE("simulated LinkTest gives the times of the reference") {
  const auto rows = json_of("dimemas_linktest_reference.json");
  const auto others = json_of("differences.json");
  CHECK(rows.size() == 144);
  std::size_t close = 0, different = 0;
  for (const auto& row : rows) {
    CAPTURE(row.dump());
    const auto known = std::find_if(others.begin(), others.end(), [&](const json& other) {
      return std::all_of(kKey.begin(), kKey.end(), [&](const char* k) { return row[k] == other[k]; });
    });
    if (known != others.end()) {
      CHECK(mean_between_nodes(row) == doctest::Approx((*known)["avg_inter"].get<double>()).epsilon(1e-9));
      ++different;
      continue;
    }
    const auto tolerance = row["ranks_per_node"] != 1 ? 0.03 : row["kernel"] == "semi" ? 1e-6 : 1e-4;
    CHECK(std::abs(mean_between_nodes(row) / row["avg_inter"].get<double>() - 1) < tolerance);
    ++close;
  }
  CHECK(different == others.size());
  CHECK(close + different == rows.size());
}

TEST_CASE("the bisection bandwidth of a network is that of its buses") {
  // A tenth of JUWELS Booster: 40 pairs, 43 messages at a time; docs/reference/linktest.md has the whole.
  auto platform = read_platform(std::string(BUSLINE_SOURCE_DIR) + "/platforms/examples/juwels-booster.json");
  REQUIRE(platform);
  auto& machine = platform->machines.front();
  machine.nodes.front().count = 20;
  machine.network.buses = 43;
  auto testbed = SimulatedTestbed::create(*std::move(platform), 80);
  REQUIRE(testbed);
  linktest::RunOptions options;
  options.message_bytes = 16U << 20U;
  options.kernel = KernelKind::bidirectional;
  options.scope = Scope::bisection;
  options.retests = 0;
  const auto result = run_linktest(**testbed, options);
  REQUIRE(result);
  const auto figures = analyse(*result, result->iterations[0]);
  CHECK(figures.steps.size() == 40);
  const double expected = 43 * 23.28 * 1024 * 1024 * 1024;
  for (const auto& step : figures.steps)
    CHECK(step.bisection->in_bytes_per_second() == doctest::Approx(expected).epsilon(0.02));
}
