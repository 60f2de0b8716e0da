#include "platforms/load_platform.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace busline;

namespace {

const std::string kPlatforms = BUSLINE_SOURCE_DIR "/platforms/";

}  // namespace

TEST_CASE("a .json platform takes --set and Dimemas's overrides") {
  Diagnostics d;
  const auto path = kPlatforms + "examples/ethernet-10g.json";
  CHECK(platform_format(path) == PlatformFormat::json);
  LoadOptions options;
  options.sets = {"/network/buses=4"};
  CHECK(load_platform(path, options, d)->machines[0].network.buses == 4);
  options.overrides.bandwidth = Bandwidth::unlimited();
  options.overrides.all_eager = true;
  const auto p = load_platform(path, options, d);
  REQUIRE(p);
  CHECK(p->machines[0].network.buses == 4);
  CHECK(p->machines[0].network.bandwidth.is_unlimited());
  CHECK(p->mpi.ignore_traced_rendezvous);
}

TEST_CASE("--set and overrides work on a .cfg as on a document") {
  Diagnostics d;
  LoadOptions options;
  options.sets = {"/network/buses=4", "/nodes/0/links=2"};
  options.overrides.latency = Duration::seconds(1e-3);
  const auto path = kPlatforms + "testdata/coll_machine_specific/platform.cfg";
  CHECK(platform_format(path) == PlatformFormat::dimemas_cfg);
  const auto p = load_platform(path, options, d);
  if (!p) FAIL(to_string(p.error()));
  CHECK(p->machines[0].network.buses == 4);
  CHECK(p->machines[0].network.latency == Duration::seconds(1e-3));
  CHECK(p->machines[0].nodes[0].links == Links{Links::Kind::full_duplex, 2, 2});
  options.sets = {"/network/buses=0"};
  CHECK(to_string(load_platform(path, options, d).error()) ==
        "--set /network/buses: 0: expected a whole number from 1 to 1000000 or \"unlimited\", found 0");
}
