// The links of a machine's topology as the flow model sees them: the route of a message over them, in the
// solver's numbering. Links are added to the solver when they are first used.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "models/flow/flows.hpp"
#include "platforms/description/platform.hpp"
#include "platforms/topology/routes.hpp"
#include "sim/base/ids.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// The topology of one machine and its routes. Immutable.
class RoutedNetwork {
 public:
  /// `machine` must outlive this, and have a topology. An Error if the topology is invalid, or has fewer
  /// hosts than the machine has nodes.
  static Expected<RoutedNetwork> of(const MachineGroup& machine, NodeId first_node);

  const Network& network() const { return *network_; }
  const Topology& topology() const { return *topology_; }
  const Routes& routes() const { return *routes_; }
  /// The number of its node 0 among the nodes of all machines.
  std::uint32_t host_of(NodeId node) const { return raw(node) - raw(first_node_); }
  NodeId node_of(std::uint32_t host) const { return NodeId{raw(first_node_) + host}; }

 private:
  const Network* network_ = nullptr;
  std::unique_ptr<Topology> topology_;  // does not move, for the routes
  std::unique_ptr<Routes> routes_;
  NodeId first_node_{};  // of the machine's
};

/// Units of flows on a topology's links: 1024 per byte, so that the rounding of scaled sizes does not show in
/// picoseconds.
inline constexpr double kUnitsPerByte = 1024;

class RoutedLinks {
 public:
  struct Way {
    std::vector<std::uint32_t> links, back;  ///< of the solver; none if no link of the route has a limit
    Duration latency;                        ///< sum over its links
    double rate = 0;                         ///< of a flow alone, in units a second
  };

  /// Both must outlive this.
  RoutedLinks(const RoutedNetwork& network, Flows& flows);

  /// The route between two nodes, by their numbers among the nodes of all machines, for messages with this
  /// `hash` (Routes::append). A single flow gets at most the network's bandwidth. Valid until the next call.
  const Way& find(NodeId from, NodeId to, std::uint64_t hash);
  /// Counts a flow of `amount` units on the links of the last route of find().
  void count(std::uint64_t amount);
  /// Appends the use of the used links, in the order of the topology's links.
  void append_resources(std::vector<ResourceResult>& all) const;

 private:
  struct Link {
    std::uint32_t number = kUnused;  // the solver's
    std::uint64_t messages = 0;
    double busy = 0;  // s
  };
  static constexpr std::uint32_t kUnused = 0xffff'ffff;

  double capacity(std::uint32_t directed_link) const;
  void append_numbers(std::vector<std::uint32_t>& numbers);
  void identify(std::uint32_t directed_link, ResourceResult& result) const;

  const RoutedNetwork& network_;
  Flows& flows_;
  const bool crosstraffic_;
  const double full_rate_;                 // of a message, in units a second; infinity: no limit
  std::vector<Link> links_;                // by directed link
  std::vector<std::uint32_t> full_speed_;  // by host: a link that limits each of its flows to full_rate_
  std::vector<std::uint32_t> route_;
  Way way_;
};

}  // namespace busline
