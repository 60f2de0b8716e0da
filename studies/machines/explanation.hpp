// What messages and collectives cost on a platform when nothing else moves (docs/model.md), for 'busline
// explain'.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/costs/costs.hpp"
#include "models/costs/link_bound.hpp"
#include "models/costs/protocol.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"

namespace busline {

struct ExplainOptions {
  std::vector<Bytes> message_sizes{Bytes{0}, Bytes{1024}, Bytes{65536}, Bytes{1048576}};
  Bytes collective_size{1024};
  /// Collectives of that many ranks, placed by the platform's mapping; 0: one rank on each node (all CPUs of
  /// the node if there is but one).
  std::uint32_t ranks = 0;
};

/// Above this number of ranks an algorithm is not simulated: an Alltoall sends its square of messages.
inline constexpr std::uint32_t kMostExplainedRanks = 256;

struct Explanation {
  struct Message {
    Bytes size{};
    MessageCost cost;
    Protocol protocol = Protocol::eager;
    Duration total;  ///< until an early receiver has it
  };
  /// All messages of one kind of route: "inside a node", "between nodes".
  struct Messages {
    std::string route;
    std::vector<Message> by_size;
  };
  struct Collective {
    CollectiveKind kind = CollectiveKind::barrier;
    CollectivePhases phases;             ///< of a closed form
    std::optional<Algorithm> algorithm;  ///< takes its place
    /// Alone on the machine. Not known for an algorithm of more than kMostExplainedRanks.
    std::optional<Duration> total;
    std::uint64_t messages = 0;  ///< of an algorithm
  };
  std::vector<Messages> messages;
  std::uint32_t ranks = 0;
  bool one_rank_per_node = false;
  Bytes collective_size{};
  std::vector<Collective> collectives;
  std::vector<BelowLinkBound> below_link_bound;  ///< among them
  Diagnostics diagnostics;
};

/// Costs by models/links_and_buses, contention left out. An Error if the ranks do not fit.
Expected<Explanation> explain(const Platform& platform, const ExplainOptions& options);

}  // namespace busline
