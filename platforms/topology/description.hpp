// The description of a network of switches: a family and its parameters, or a file. generate.hpp makes its
// switches and links (docs/reference/topology.md).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/units.hpp"

namespace busline {

/// Properties of a kind of link. Without a bandwidth, that of the topology's network applies.
struct LinkFigures {
  Duration latency;
  std::optional<Bandwidth> bandwidth;
  double speed = 1;  ///< the share of the bandwidth that faults leave; documents state it in their faults
  Bandwidth rate(Bandwidth of_network) const {
    return Bandwidth::bytes_per_second(bandwidth.value_or(of_network).in_bytes_per_second() * speed);
  }
  bool operator==(const LinkFigures&) const = default;
};

/// All hosts at one switch.
struct StarNetwork {
  std::uint32_t hosts = 2;
  bool operator==(const StarNetwork&) const = default;
};
/// Three levels of switches with k ports (Al-Fares, Loukissas, Vahdat 2008): k^3/4 hosts. A leaf switch has
/// k / 2 / taper links upwards.
struct FatTree {
  std::uint32_t k = 4, taper = 1;
  bool operator==(const FatTree&) const = default;
};
/// A k-ary n-tree (Petrini, Vanneschi 1997): k^n hosts, n levels of k^(n-1) switches.
struct KaryTree {
  std::uint32_t k = 2, levels = 2;
  bool operator==(const KaryTree&) const = default;
};
/// An extended generalised fat tree (Oehring et al. 1995) with parallel cables (Zahavi 2010). By level from
/// the hosts upwards: children of a switch, parents of each switch or host below it, cables to each of these
/// parents.
struct GeneralTree {
  std::vector<std::uint32_t> down, up, parallel;
  bool operator==(const GeneralTree&) const = default;
};
/// Groups of routers, all groups joined in pairs (Kim, Dally, Scott, Abts 2008). The routers of a group are
/// also joined in pairs; or, if there are several chassis, those of a chassis and those in the same slot.
struct Dragonfly {
  std::uint32_t groups = 9, chassis = 1, routers = 4, hosts = 2, global = 2;
  std::optional<LinkFigures> global_link;
  bool operator==(const Dragonfly&) const = default;
};
/// Groups of leaf and spine switches; spines have the global links (Shpiner et al. 2017).
struct DragonflyPlus {
  std::uint32_t groups = 5, leaves = 2, spines = 2, hosts = 2, global = 2;
  std::optional<LinkFigures> global_link;
  bool operator==(const DragonflyPlus&) const = default;
};
struct Torus {
  std::vector<std::uint32_t> dimensions;
  std::uint32_t hosts = 1;
  bool operator==(const Torus&) const = default;
};
struct Mesh {
  std::vector<std::uint32_t> dimensions;
  std::uint32_t hosts = 1;
  bool operator==(const Mesh&) const = default;
};
/// 2^dimensions switches.
struct Hypercube {
  std::uint32_t dimensions = 3, hosts = 1;
  bool operator==(const Hypercube&) const = default;
};
/// Switches that differ in one coordinate are joined (Ahn et al. 2009).
struct HyperX {
  std::vector<std::uint32_t> dimensions;
  std::uint32_t hosts = 1;
  bool operator==(const HyperX&) const = default;
};
/// 2 q^2 switches, at most two hops from one another (Besta, Hoefler 2014): the graphs of McKay, Miller,
/// Siran.
struct SlimFly {
  std::uint32_t q = 5, hosts = 4;
  bool operator==(const SlimFly&) const = default;
};
/// A random graph in which every switch has `degree` links to others (Singla, Hong, Popa, Godfrey 2012).
struct Jellyfish {
  std::uint32_t switches = 20, degree = 4, hosts = 1;
  std::uint64_t seed = 1;
  bool operator==(const Jellyfish&) const = default;
};
/// Any graph, from a file (docs/reference/topology.md has the formats).
struct GraphFile {
  std::string file;
  bool operator==(const GraphFile&) const = default;
};

using NetworkFamily = std::variant<StarNetwork, FatTree, KaryTree, GeneralTree, Dragonfly, DragonflyPlus,
                                   Torus, Mesh, Hypercube, HyperX, SlimFly, Jellyfish, GraphFile>;

/// Faulty links and switches: those listed, by their numbers in the complete network, and some chosen at
/// random among those that earlier faults left. A factor of 0 removes them, a switch together with its hosts;
/// other factors slow links, for a switch all of its links including those of its hosts.
struct NetworkFault {
  std::vector<std::array<std::uint32_t, 2>> links;  ///< pairs of switches: all cables between them
  std::vector<std::uint32_t> switches;
  std::uint32_t random_links = 0, random_switches = 0;
  std::uint64_t seed = 1;
  double bandwidth_factor = 0;
  double latency_factor = 1;
  bool operator==(const NetworkFault&) const = default;
};

/// How messages are routed (docs/reference/topology.md).
enum class Routing : std::uint8_t {
  minimal,  ///< one shortest route for each pair: d-mod-k in trees, dimension order in grids
  ecmp,     ///< any shortest route, by a hash
  valiant,  ///< by way of a random switch
};

struct TopologyDescription {
  NetworkFamily family;
  LinkFigures link;                      ///< between switches
  std::optional<LinkFigures> host_link;  ///< of each host; none: as `link`
  std::uint32_t host_ports = 1;          ///< links of each host to its switch
  Routing routing = Routing::minimal;
  std::uint64_t seed = 1;  ///< of the hashes
  std::vector<NetworkFault> faults;
  bool operator==(const TopologyDescription&) const = default;
};

}  // namespace busline
