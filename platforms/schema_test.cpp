// The JSON Schema, which other programs use, must match the description by which this program reads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "documents/fields/test_schema.hpp"
#include "platforms/description/platform_fields.hpp"
#include "platforms/description/platform_json.hpp"
#include "platforms/load_platform.hpp"
#include "platforms/mapping.hpp"

using namespace busline;

namespace {

const std::string kFolder = BUSLINE_SOURCE_DIR "/platforms/";

std::vector<std::string> shipped() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder + "examples"))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

TopologyDocument family(decltype(TopologyDescription::family) family) {
  TopologyDocument document;
  document.description.family = std::move(family);
  return document;
}

}  // namespace

TEST_CASE("the JSON Schema has the members that the reader knows") {
  const auto s = read_schema(BUSLINE_SOURCE_DIR "/platforms", "platform");
  const auto& defs = s.at("$defs");
  check_object<PlatformDocument>(s);
  check_object<MachineGroup>(defs.at("machine"));
  check_object<NodeGroup>(defs.at("node_group"));
  check_object<NodeGroup::Memory>(defs.at("intra_node"));
  check_object<LinksDocument>(defs.at("links_object"));
  check_object<Overheads>(defs.at("overheads"));
  check_object<Network>(defs.at("network"));
  check_object<FlowOptions>(defs.at("flow"));
  check_object(defs.at("topology_star"), family(StarNetwork{}));
  check_object(defs.at("topology_fat_tree"), family(FatTree{}));
  check_object(defs.at("topology_kary_tree"), family(KaryTree{}));
  check_object(defs.at("topology_general_tree"), family(GeneralTree{}));
  check_object(defs.at("topology_dragonfly"), family(Dragonfly{}));
  check_object(defs.at("topology_dragonfly_plus"), family(DragonflyPlus{}));
  check_object(defs.at("topology_torus"), family(Torus{}));
  check_object(defs.at("topology_mesh"), family(Mesh{}));
  check_object(defs.at("topology_hypercube"), family(Hypercube{}));
  check_object(defs.at("topology_hyperx"), family(HyperX{}));
  check_object(defs.at("topology_slim_fly"), family(SlimFly{}));
  check_object(defs.at("topology_jellyfish"), family(Jellyfish{}));
  check_object(defs.at("topology_graph_file"), family(GraphFile{}));
  check_object<LinkFigures>(defs.at("link_figures"));
  check_object<NetworkFault>(defs.at("network_fault"));
  check_object<SizeClass>(defs.at("size_class"));
  check_object<Wan>(defs.at("wan"));
  check_object<DedicatedConnection>(defs.at("dedicated_connection"));
  check_object<DedicatedConnection::Condition>(defs.at("condition"));
  check_object<ModuleFactor>(defs.at("module"));
  check_object<Mpi>(defs.at("mpi"));
  check_object<Launch>(defs.at("launch"));
  check_object<Mapping>(defs.at("per_node"));
  check_object<ClosedForm>(defs.at("closed_form"));
  check_object<SizeFrom<ClosedForm>>(defs.at("closed_form_from"));
  check_object<NamedAlgorithm>(defs.at("algorithm"));
  check_object<SizeFrom<NamedAlgorithm>>(defs.at("algorithm_from"));
  check_object<Fan>(defs.at("fan"));
  check_object<CalibrationRecord>(defs.at("calibration"));
  check_object<CalibratedFigure>(defs.at("calibrated_figure"));
  check_object<CalibratedSuite>(defs.at("calibrated_suite"));
}

TEST_CASE("the JSON Schema has the names that the reader knows") {
  const auto s = read_schema(BUSLINE_SOURCE_DIR "/platforms", "platform");
  const auto& defs = s.at("$defs");
  check_names(kPresetNames, s.at("properties").at("preset"));
  check_names(kLatencyAtNames, defs.at("latency_at"));
  check_names(kWaitingNames, defs.at("node_group").at("properties").at("waiting"));
  check_names(kRoutingNames, defs.at("routing"));
  for (std::size_t i = 0; i < kFamilyNames.size(); ++i) {
    const auto family = defs.at("topology").at("oneOf").at(i).at("$ref").get<std::string>();
    CHECK(defs.at(family.substr(family.rfind('/') + 1)).at("properties").at("kind").at("const") ==
          kFamilyNames[i].kind);
  }
  check_names(kSendCompletesNames, defs.at("mpi").at("properties").at("send_completes"));
  check_names(kProgressNames, defs.at("mpi").at("properties").at("progress"));
  check_names(kHandshakesNames, defs.at("mpi").at("properties").at("handshakes"));
  check_names(kDistributeNames, defs.at("launch").at("properties").at("distribute"));
  check_names(kModexNames, defs.at("launch").at("properties").at("modex"));
  check_names(kConnectNames, defs.at("launch").at("properties").at("connect"));
  check_names(kMatchNames, defs.at("dedicated_connection").at("properties").at("match"));
  check_names(kCompareNames, defs.at("condition").at("properties").at("compare"));
  check_names(kFanModelNames, defs.at("fan").at("properties").at("model"));
  check_names(kAlgorithmNames, defs.at("algorithm_name"));
  check_names(kSizeRuleNames, defs.at("fan").at("properties").at("size"));
  CHECK(defs.at("servers").at("maximum") == kMaxServers);
  CHECK(defs.at("node_group").at("properties").at("count").at("maximum") == kMaxNodes);
}

TEST_CASE("the defaults that the JSON Schema names for a launch are those that a platform has") {
  const auto s = read_schema(BUSLINE_SOURCE_DIR "/platforms", "platform");
  auto document = nlohmann::ordered_json::object();
  for (const auto& [key, member] : s.at("$defs").at("launch").at("properties").items())
    document[key] = member.at("default");
  const auto p = parse_platform(
      R"({"schema": "busline/platform/1", "name": "p", "nodes": [{"cpus": 1}], "network": {"latency": "1us",
          "bandwidth": "1 GB/s", "buses": 1}, "launch": )" +
          document.dump() + "}",
      "p.json");
  if (!p) FAIL(to_string(p.error()));
  CHECK(p->launch == Launch());
}

TEST_CASE("every shipped platform reads, says where its figures come from and survives a round trip") {
  const auto paths = shipped();
  CHECK(paths.size() >= 3);
  std::set<std::string> names;
  for (const auto& path : paths) {
    CAPTURE(path);
    const auto p = read_platform(path);
    if (!p) FAIL(to_string(p.error()));
    CHECK_FALSE(p->description.empty());
    CHECK_FALSE(p->source.empty());
    CHECK(path == kFolder + "examples/" + p->name + ".json");
    CHECK(parse_platform(to_json_text(*p), "back.json") == *p);
    CHECK(place_ranks(*p, 8));
  }
}
