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

inline bool is_large(const Mpi& mpi, std::uint64_t bytes) {
  return mpi.rendezvous_from && bytes >= count(*mpi.rendezvous_from);
}

/// What passes between both sides being ready and the transfer of a rendezvous message of this size.
inline Duration handshake_of(const Mpi& mpi, std::uint64_t bytes) {
  return mpi.ssend_handshake && !is_large(mpi, bytes) ? *mpi.ssend_handshake : mpi.handshake;
}

/// The protocol of a message of this size; `flags` are those of the send (Operation::flags). Bsend is always
/// eager, Ssend never, and the platform's limit decides for others.
inline Protocol protocol_of(const Mpi& mpi, std::uint64_t bytes, unsigned flags = 0) {
  if ((flags & Operation::buffered) != 0) return Protocol::eager;
  return asks_for_rendezvous(mpi, flags) || is_large(mpi, bytes) ? Protocol::rendezvous : Protocol::eager;
}

}  // namespace busline
