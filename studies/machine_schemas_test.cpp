// What 'busline calibrate', 'explain' and 'topology' print with --json is what the schemas say.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "documents/text/test_documents.hpp"
#include "studies/accuracy/calibration_report.hpp"
#include "studies/machines/explain_report.hpp"
#include "studies/machines/network_traffic_report.hpp"
#include "studies/machines/topology_report.hpp"

using namespace busline;
using nlohmann::json;

namespace {

const std::string kRoom = BUSLINE_SOURCE_DIR "/studies";

Platform small_cluster() {
  Platform p;
  p.name = "cluster";
  MachineGroup machine;
  machine.nodes.emplace_back();
  machine.nodes[0].count = 2;
  machine.network.latency = Duration::picoseconds(1'000'000);
  machine.network.bandwidth = Bandwidth::bytes_per_second(1e9);
  machine.network.buses = 1;
  p.machines = {machine};
  return p;
}

calibrate::Calibrated calibrated_cluster(bool everything) {
  calibrate::Calibrated c;
  c.platform = small_cluster();
  c.residuals = {{"pingpong-inter", 64, 2e6, 2.1e6, everything}};
  c.diagnostics = {everything ? full_warning() : bare_warning()};
  return c;
}

// By a formula, by an algorithm, and by one of that many ranks that nobody finds out what it costs.
json explained_cluster(bool everything) {
  Explanation e;
  e.messages.resize(1);
  e.messages[0].by_size.resize(1);
  e.ranks = 2;
  e.collectives.resize(3);
  e.collectives[0].total = Duration::picoseconds(5);
  e.collectives[1].algorithm = Algorithm::ring;
  e.collectives[1].total = Duration::picoseconds(5);
  e.collectives[2].algorithm = Algorithm::ring;
  e.diagnostics = {everything ? full_warning() : bare_warning()};
  return to_json(small_cluster(), e);
}

LoadedTopology small_torus() {
  auto loaded = load_topology("torus:2x3", {});
  REQUIRE(loaded);
  return *std::move(loaded);
}

json understood_torus(bool everything) {
  const auto loaded = small_torus();
  std::optional<WayOfMessage> way;
  if (everything) way = *way_of_message(loaded, 0, 5, 0);
  return topology_json("torus:2x3", loaded, way);
}

// For a network with one host there is nothing to cut, and a large one is not cut to pieces.
json torus_figures(bool everything) {
  auto figures = figures_of(small_torus().topology);
  REQUIRE(figures);
  if (!everything) {
    figures->bisection.first_hosts = 0;
    figures->connectivity.reset();
  }
  return figures_json({"torus:2x3", *figures, {}});
}

json torus_traffic() {
  NetworkTrafficReport r;
  r.name = "torus:2x3";
  r.equivalent.message = Bandwidth::bytes_per_second(1e9);
  r.seeds.resize(1);
  return to_json(r);
}

}  // namespace

TEST_CASE("documents about machines conform to their schemas, with and without optional members") {
  check_documents(
      kRoom, "calibration",
      {printed(to_json(calibrated_cluster(true))), barely_printed(to_json(calibrated_cluster(false)))});
  check_documents(kRoom, "explanation",
                  {printed(explained_cluster(true)), barely_printed(explained_cluster(false))});
  check_documents(kRoom, "topology-description",
                  {printed(understood_torus(true)), barely_printed(understood_torus(false))});
  check_documents(kRoom, "topology-figures",
                  {printed(torus_figures(true)), barely_printed(torus_figures(false))});
  check_documents(kRoom, "topology-traffic", {printed(torus_traffic()), barely_printed(torus_traffic())});
}

TEST_CASE("schemas of machines are those that are generated from their descriptions") {
  check_generated<ExplainedPlatform>(
      kRoom, "explanation", "A platform as Busline reads it, and its costs: 'busline explain --json'");
  check_generated<NetworkFigures>(kRoom, "topology-figures",
                                  "Metrics of a whole network: 'busline topology figures --json'");
  check_generated<NetworkTrafficReport>(
      kRoom, "topology-traffic",
      "Traffic over a network's links and over the equivalent buses: 'busline topology traffic --json'");
}

TEST_CASE("a platform inside another document is held against the schema of platforms") {
  const auto schema = read_schema(kRoom, "calibration");
  auto document = printed(to_json(calibrated_cluster(true)));
  document["platform"]["network"]["latency"] = "1 parsec";
  document["platform"]["network"]["colour"] = "red";
  document["platform"].erase("name");
  CHECK(SchemaCheck::differences(schema, document) ==
        std::vector<std::string>{"/platform/name is missing", "/platform/network/colour is not in the schema",
                                 "/platform/network/latency \"1 parsec\" is not of this shape"});
}

TEST_CASE("a collective is explained by a formula or by an algorithm, not by both and not by neither") {
  const auto schema = read_schema(kRoom, "explanation");
  for (const auto* change : {R"({"algorithm": "ring"})", R"({"fan_in": null})"}) {
    CAPTURE(change);
    auto document = printed(explained_cluster(true));
    document["collectives"][0].merge_patch(json::parse(change));
    CHECK(SchemaCheck::differences(schema, document) ==
          std::vector<std::string>{"/collectives/0 is not one of the allowed values"});
  }
}
