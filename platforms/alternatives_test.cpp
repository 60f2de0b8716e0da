#include "platforms/alternatives.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "platforms/description/platform_json.hpp"

using namespace busline;

namespace {

Platform one_link() {
  Platform p;
  p.name = "cluster";
  auto& machine = p.machines.emplace_back();
  machine.nodes.emplace_back().links = {Links::Kind::full_duplex, 1, 1};
  machine.network.latency = Duration::seconds(1e-5);
  machine.network.bandwidth = Bandwidth::bytes_per_second(1e8);
  machine.network.buses = 3;
  return p;
}

Platform two_links() {
  auto p = one_link();
  p.machines[0].nodes[0].links = {Links::Kind::full_duplex, 2, 2};
  p.machines[0].network.buses = kUnlimited;
  return p;
}

Platform calibrated_with(const Platform& chosen, const Platform& other) {
  auto p = chosen;
  p.calibration.emplace();
  p.calibration->alternatives = {alternative("links and buses", chosen, other)};
  return p;
}

}  // namespace

TEST_CASE("an alternative names the members that differ, as they are and as they would be") {
  const auto a = alternative("links and buses", one_link(), two_links());
  CHECK(a.chosen == std::vector<std::string>{"/nodes/0/links=1", "/network/buses=3"});
  CHECK(a.other == std::vector<std::string>{"/nodes/0/links=2", "/network/buses=unlimited"});
  CHECK(alternative("nothing", one_link(), one_link()).other.empty());
}

TEST_CASE("a platform with an alternative is the other platform") {
  const auto all = alternatives_of(calibrated_with(one_link(), two_links()));
  REQUIRE(all.size() == 1);
  CHECK(all[0].platform.machines == two_links().machines);
  CHECK(to_text(all[0]) == "links and buses as /nodes/0/links=2, /network/buses=unlimited");
  CHECK(alternatives_of(one_link()).empty());
}

TEST_CASE("protocols, size classes and collectives can be alternatives") {
  auto other = one_link();
  other.mpi.rendezvous_from = Bytes{4096};
  other.mpi.handshake = Duration::seconds(2e-5);
  other.machines[0].network.size_classes = {{Bytes{1024}, 2, 0.5}};
  other.mpi.collectives.by_kind[static_cast<std::size_t>(CollectiveKind::bcast)] = {
      {.from = {}, .cost = {}, .algorithm = Algorithm::binomial}};
  const auto all = alternatives_of(calibrated_with(one_link(), other));
  REQUIRE(all.size() == 1);
  CHECK(all[0].platform.machines == other.machines);
  CHECK(all[0].platform.mpi == other.mpi);
}

TEST_CASE("an alternative to what was changed by hand no longer applies") {
  auto p = calibrated_with(one_link(), two_links());
  p.machines[0].network.buses = 4;
  CHECK(alternatives_of(p).empty());
}

TEST_CASE("alternatives are written and read with the platform") {
  const auto p = calibrated_with(one_link(), two_links());
  const auto again = parse_platform(document_of(p, "p.json"));
  REQUIRE(again);
  CHECK(again->calibration == p.calibration);
}
