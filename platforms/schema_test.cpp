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

}  // namespace

TEST_CASE("the schema of platforms is the one that is generated from their description") {
  check_generated<PlatformDocument>(
      BUSLINE_SOURCE_DIR "/platforms", "platform",
      "A machine to simulate: SMP nodes with L links each, joined by a network of B buses");
}

TEST_CASE("the defaults that the JSON Schema names for a launch are those that a platform has") {
  const auto s = read_schema(BUSLINE_SOURCE_DIR "/platforms", "platform");
  auto document = nlohmann::ordered_json::object();
  for (const auto& [key, member] : s.at("properties").at("launch").at("properties").items())
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
