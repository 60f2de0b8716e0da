// ZiaTest's messages: after MPI_Init the ranks of each two neighbouring nodes exchange a message
// (docs/reference/ziatest.md, "The exchange"). Written once for whoever runs it: the launch model and real
// MPI.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/program/program_builder.hpp"

namespace busline::ziatest {

/// Which of the two descriptions is followed: they differ in bytes, in who takes a time stamp, and in what
/// happens to the last of an odd number of nodes.
enum class Variant : std::uint8_t {
  seed,  ///< the benchmark's description: 1 byte, originators stamp, node 0 answers the last node
  lanl,  ///< the program as it is: 4 bytes, all stamp, the last node gets no answer
};

/// Who takes part. Ranks are placed in blocks: rank r is on node r / ranks_per_node. Nodes are numbered from
/// 0, so that the even ones originate.
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
/// which attends to them after its own exchange; a single node does both parts, towards itself.
std::vector<Step> steps_of(const Exchange& exchange, std::uint32_t rank);

/// What happens besides the messages, where a rank is when it is called; each may be empty.
struct ExchangeHooks {
  /// Before the rank's first send to a peer, or after its first receive from one, whichever is first: where
  /// a connection is made.
  std::function<void()> meets_peer{};
  /// Where the rank takes its time stamp.
  std::function<void()> stamps{};
};

/// Emits a rank's part on `communicator`, which holds these ranks, and then the gather of the stamps, which
/// they do not count. What a rank sends to itself it does not wait for until it has received it: on a machine
/// without eager messages the real program would stop there.
void emit_exchange(ProgramBuilder& b, const Exchange& exchange, std::uint32_t rank,
                   const ExchangeHooks& hooks = {}, std::uint32_t communicator = 0);

}  // namespace busline::ziatest
