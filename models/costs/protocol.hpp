// The protocol of a message: eager or rendezvous. Source: docs/model.md, section 3.3.
#pragma once
#include <cstdint>

#include "platforms/description/platform.hpp"
#include "sim/program/program.hpp"

namespace busline {

enum class Protocol : std::uint8_t {
  eager,       ///< leaves at once
  rendezvous,  ///< waits at the sender for its receive, then for Mpi::handshake
};

constexpr const char* name_of(Protocol protocol) {
  return protocol == Protocol::rendezvous ? "rendezvous" : "eager";
}

/// Whether the call asks for rendezvous, however small the message is; `flags` are those of the send
/// (Operation::flags).
inline bool asks_for_rendezvous(const Mpi& mpi, unsigned flags) {
  return (flags & Operation::synchronous) != 0 && !mpi.ignore_traced_rendezvous;
}

/// The protocol of a message of this size; `flags` are those of the send (Operation::flags). Bsend is always
/// eager, Ssend never, and the platform's limit decides for others.
inline Protocol protocol_of(const Mpi& mpi, std::uint64_t bytes, unsigned flags = 0) {
  if ((flags & Operation::buffered) != 0) return Protocol::eager;
  const bool large = mpi.rendezvous_from && bytes >= count(*mpi.rendezvous_from);
  return asks_for_rendezvous(mpi, flags) || large ? Protocol::rendezvous : Protocol::eager;
}

}  // namespace busline
