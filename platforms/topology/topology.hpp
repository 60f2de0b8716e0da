// A network of switches: its links, the hosts of each switch, the figures of each link. Hosts are an array,
// not vertices, so that ten thousand of them cost some kilobytes. Links are full duplex; parallel cables are
// separate links.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "platforms/topology/description.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// More counts as a mistake.
inline constexpr std::uint32_t kMostHosts = 1'000'000, kMostSwitches = 1'000'000,
                               kMostNetworkLinks = 8'000'000;
inline constexpr std::uint32_t kMostHostPorts = 64;

/// A link joins the switches `a` and `b`; `figures` is an index into Topology::figures().
struct SwitchLink {
  std::uint32_t a = 0, b = 0, figures = 0;
  bool operator==(const SwitchLink&) const = default;
};

/// One end of a link, seen from its switch: the switch at the other end, and the directed link that leads
/// there.
struct SwitchPort {
  std::uint32_t neighbour = 0, directed_link = 0;
};

// Positions of a family's switches, used by its routes and drawings. A network with faults and a graph from a
// file have none.

/// Switches are numbered by coordinates, the first coordinate fastest.
struct GridShape {
  enum class Wrap : std::uint8_t {
    mesh,
    torus,
    complete
  };  ///< complete: all switches of a line are joined in pairs
  std::vector<std::uint32_t> dimensions;
  Wrap wrap = Wrap::torus;
};
/// Switches are numbered by levels from the hosts upwards (platforms/topology/trees.cpp).
struct TreeShape {
  std::vector<std::uint32_t> down, up, parallel;
};
/// Equal groups of switches, one after the other.
struct GroupShape {
  std::uint32_t group_size = 1;
};
using NetworkShape = std::variant<std::monostate, GridShape, TreeShape, GroupShape>;

class Topology {
 public:
  std::uint32_t switches() const { return switches_; }
  std::uint32_t hosts() const { return static_cast<std::uint32_t>(host_switch_.size()); }
  /// Between switches.
  std::uint32_t links() const { return static_cast<std::uint32_t>(links_.size()); }
  std::uint32_t host_ports() const { return host_ports_; }

  std::uint32_t switch_of(std::uint32_t host) const { return host_switch_[host]; }
  const std::vector<std::uint32_t>& host_switches() const { return host_switch_; }
  const SwitchLink& link(std::uint32_t l) const { return links_[l]; }
  /// In the order in which they were added.
  std::span<const SwitchPort> ports(std::uint32_t sw) const {
    return std::span(ports_).subspan(first_port_[sw], first_port_[sw + 1] - first_port_[sw]);
  }
  const std::vector<LinkFigures>& figures() const { return figures_; }
  const NetworkShape& shape() const { return shape_; }
  /// The name of a switch in its file, or its number.
  std::string name_of(std::uint32_t sw) const;
  const std::vector<std::string>& names() const { return names_; }

  // Directed links, the elements of routes. Link l has 2l from a to b and 2l + 1 back; after those of all
  // links, each port of each host has one to its switch and one back.
  std::uint32_t directed_links() const { return 2 * (links() + hosts() * host_ports_); }
  std::uint32_t host_up(std::uint32_t host, std::uint32_t port = 0) const {
    return 2 * (links() + host * host_ports_ + port);
  }
  std::uint32_t host_down(std::uint32_t host, std::uint32_t port = 0) const {
    return host_up(host, port) + 1;
  }
  const LinkFigures& figures_of(std::uint32_t directed_link) const;

 private:
  friend class TopologyBuilder;
  std::uint32_t switches_ = 0, host_ports_ = 1;
  std::vector<std::uint32_t> host_switch_, host_figures_;
  std::vector<SwitchLink> links_;
  std::vector<std::uint32_t> first_port_;
  std::vector<SwitchPort> ports_;
  std::vector<LinkFigures> figures_;
  std::vector<std::string> names_;
  NetworkShape shape_;
};

/// Builds a Topology. Switches are numbered from 0 in the order in which they are added, hosts and links
/// likewise.
class TopologyBuilder {
 public:
  /// An index for the calls below; equal figures have the same.
  std::uint32_t add_figures(const LinkFigures& figures);
  const LinkFigures& figures(std::uint32_t index) const { return made_.figures_[index]; }
  /// The number of the first of `count` more switches.
  std::uint32_t add_switches(std::uint32_t count);
  /// `sw` is an existing switch, `figures` comes from add_figures; likewise below.
  void add_hosts(std::uint32_t sw, std::uint32_t count, std::uint32_t figures);
  /// `count` parallel cables; `a` and `b` differ.
  void add_links(std::uint32_t a, std::uint32_t b, std::uint32_t figures, std::uint32_t count = 1);
  /// Names of all switches, in their order.
  void set_names(std::vector<std::string> names) { made_.names_ = std::move(names); }
  void set_host_ports(std::uint32_t ports) { made_.host_ports_ = ports; }
  void set_shape(NetworkShape shape) { made_.shape_ = std::move(shape); }

  /// Ends the building. Cost: linear.
  Topology build() &&;

 private:
  Topology made_;
};

}  // namespace busline
