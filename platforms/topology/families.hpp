// The builders of the families, for generate.cpp. Each adds switches, hosts and links to `site`; the `where`
// of an Error names the parameter that does not fit.
#pragma once
#include <cstdint>
#include <string>

#include "platforms/topology/description.hpp"
#include "platforms/topology/topology.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// The network under construction and the figures of its links.
struct BuildingSite {
  TopologyBuilder builder;
  std::uint32_t link = 0, host_link = 0;  ///< indices of figures

  /// `count` switches with `hosts` each; the number of the first.
  std::uint32_t add_switches_with_hosts(std::uint32_t count, std::uint32_t hosts);
};

/// Sizes of the network to build, as doubles, which do not overflow.
struct NetworkSize {
  double switches = 0, hosts = 0, links = 0;
};
/// An Error if they are too large.
Expected<void> check_size(const NetworkSize& size);
/// An Error about the parameter `where`, a JSON pointer.
tl::unexpected<Error> refuse_parameter(std::string where, std::string message);

// trees.cpp
Expected<void> build(BuildingSite& site, const StarNetwork& star);
Expected<void> build(BuildingSite& site, const FatTree& tree);
Expected<void> build(BuildingSite& site, const KaryTree& tree);
Expected<void> build(BuildingSite& site, const GeneralTree& described);
// grids.cpp
Expected<void> build(BuildingSite& site, const Torus& torus);
Expected<void> build(BuildingSite& site, const Mesh& mesh);
Expected<void> build(BuildingSite& site, const Hypercube& cube);
Expected<void> build(BuildingSite& site, const HyperX& hyperx);
// dragonflies.cpp
Expected<void> build(BuildingSite& site, const Dragonfly& dragonfly);
Expected<void> build(BuildingSite& site, const DragonflyPlus& dragonfly);
// slim_fly.cpp
Expected<void> build(BuildingSite& site, const SlimFly& fly);
// jellyfish.cpp
Expected<void> build(BuildingSite& site, const Jellyfish& jellyfish);
Expected<void> build(BuildingSite& site, const GraphFile& file);

}  // namespace busline
