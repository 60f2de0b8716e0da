// The protocol of a message: eager or rendezvous. Source: docs/model.md, section 3.3.
#pragma once
#include <cstdint>
#include <optional>

#include "platforms/description/platform.hpp"
#include "sim/program/program.hpp"

namespace busline {

enum class Protocol : std::uint8_t {
  eager,       ///< leaves at once
  rendezvous,  ///< waits at the sender for its receive, then for its handshake
};

constexpr const char* name_of(Protocol protocol) {
  return protocol == Protocol::rendezvous ? "rendezvous" : "eager";
}

/// What holds for messages of one kind of route.
struct RouteProtocol {
  std::optional<Bytes> rendezvous_from;  ///< none: every standard send is eager
  /// What passes between both sides being ready and the transfer: of messages beyond the limit, and of an
  /// MPI_Ssend below it.
  Duration handshake, ssend_handshake;
};

/// Between nodes, and wherever a node has no figures of its own.
inline RouteProtocol network_protocol(const Mpi& mpi) {
  return {mpi.rendezvous_from, mpi.handshake, mpi.ssend_handshake.value_or(mpi.handshake)};
}

inline bool has_own_protocol(const NodeGroup::Memory& memory) {
  return memory.rendezvous_from || memory.handshake;
}

/// Between the ranks of a node.
inline RouteProtocol memory_protocol(const Mpi& mpi, const NodeGroup::Memory& memory) {
  auto p = network_protocol(mpi);
  if (memory.rendezvous_from) p.rendezvous_from = memory.rendezvous_from->from;
  if (memory.handshake) p.handshake = p.ssend_handshake = *memory.handshake;
  return p;
}

/// Whether the call asks for rendezvous, however small the message is; `flags` are those of the send
/// (Operation::flags).
inline bool asks_for_rendezvous(const Mpi& mpi, unsigned flags) {
  return (flags & Operation::synchronous) != 0 && !mpi.ignore_traced_rendezvous;
}

inline bool is_large(const RouteProtocol& route, std::uint64_t bytes) {
  return route.rendezvous_from && bytes >= count(*route.rendezvous_from);
}

/// Of a rendezvous message of this size.
inline Duration handshake_of(const RouteProtocol& route, std::uint64_t bytes) {
  return is_large(route, bytes) ? route.handshake : route.ssend_handshake;
}

}  // namespace busline
