// ZiaTest's messages: after MPI_Init the ranks of every two neighbouring nodes exchange a message
// (docs/reference/ziatest.md, "The exchange"). Shared by the launch model and real MPI.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/program_builder.hpp"

namespace busline::ziatest {

/// The two variants of the exchange: they differ in bytes, in the ranks that take a time stamp, and in the
/// last of an odd number of nodes.
enum class Variant : std::uint8_t {
  seed,  ///< the benchmark's description: 1 byte, originators stamp, node 0 answers the last node
  lanl,  ///< the program: 4 bytes, all stamp, the last node gets no answer
};

/// The ranks that take part. They are placed in blocks: rank r is on node r / ranks_per_node. Nodes are
/// numbered from 0, so that the even ones originate.
struct Exchange {
  Variant variant = Variant::seed;
  std::uint32_t nodes = 1, ranks_per_node = 1;  ///< at least 1 each; their product fits 32 bits

  std::uint32_t ranks() const { return nodes * ranks_per_node; }
  Bytes message() const { return Bytes{variant == Variant::seed ? 1U : 4U}; }
  bool operator==(const Exchange&) const = default;
};

/// One step of a rank's part.
struct Step {
  enum class Kind : std::uint8_t { send, receive, stamp };
  Kind kind = Kind::stamp;
  std::uint32_t peer = 0;  ///< of a message
  bool operator==(const Step&) const = default;
};

/// A rank's part, in order. With an odd number of nodes the ranks of the last one originate towards node 0,
/// which serves them after its own exchange; a single node plays both parts, towards itself.
std::vector<Step> steps_of(const Exchange& exchange, std::uint32_t rank);

/// Callbacks for events besides the messages, at the rank's position when called; each may be empty.
struct ExchangeHooks {
  /// Before the rank's first send to a peer, or after its first receive from one, whichever is first: the
  /// point at which a connection is made.
  std::function<void()> meets_peer{};
  /// The point at which the rank takes its time stamp.
  std::function<void()> stamps{};
};

/// Emits a rank's part on `communicator`, which holds these ranks, and then the gather of the stamps, which
/// the times do not include. A rank receives its message to itself before it waits for the send: without
/// eager messages the real program would hang there.
void emit_exchange(ProgramBuilder& b, const Exchange& exchange, std::uint32_t rank,
                   const ExchangeHooks& hooks = {}, std::uint32_t communicator = 0);

}  // namespace busline::ziatest
