// Identifies a resource of the machine, for the queues that observers see and for the result.
#pragma once
#include <cstddef>
#include <cstdint>

namespace busline {

/// The kind implies the owner of the resource. Messages can queue for the first kQueues.
enum class ResourceKind : std::uint8_t {
  link_out,        ///< of a node
  link_in,         ///< likewise
  bus,             ///< of a machine
  port_out,        ///< of a rank, to its node's memory
  port_in,         ///< likewise
  memory_bus,      ///< of a node
  wan_out,         ///< of a machine
  wan_in,          ///< likewise
  connection_out,  ///< a dedicated one
  connection_in,   ///< likewise
  turn,            ///< behind other messages of its stream; of the source's node, or rank inside of a node
  // In results only:
  links,          ///< of a node, shared by both directions
  ports,          ///< of a rank, likewise
  wan_links,      ///< of a machine, likewise
  connection,     ///< a dedicated one, likewise
  host_link_out,  ///< of a node, to its switch
  host_link_in,   ///< likewise
  switch_link,    ///< from a switch to another
  other,          ///< from a document with an unknown name
};
inline constexpr std::size_t kQueues = 11;

struct ResourceId {
  static constexpr std::uint32_t kOnly = 0xffff'ffff;

  ResourceKind kind = ResourceKind::link_out;
  std::uint32_t owner = 0;     ///< number of the node, rank, machine, connection or link; kOnly: one machine
  std::uint32_t port = kOnly;  ///< of a host link, if a host has several
  bool operator==(const ResourceId&) const = default;
};

}  // namespace busline
