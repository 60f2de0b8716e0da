// How many messages a machine moves at once: links of a node (L), buses of the network (B) and of a node's
// memory. Each candidate is simulated with the very kernels that were measured and compared step by step (k
// flows, p pairs); averages over steps would mix those that wait with those that do not.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"

namespace busline::calibrate {

/// A number of servers. The data exclude numbers below `at_least` and, unless that is unlimited, above
/// `at_most`.
struct CountFit {
  bool measured = false;
  Count value = kUnlimited, at_least = 1, at_most = kUnlimited;
  std::vector<std::string> suites;
  std::uint64_t most_at_once = 0;  ///< messages that were on their way together: more servers do not show
};

/// Links and buses of the network, or of a node's memory: they are seen together, since a rank's messages
/// need both.
struct ServersFit {
  CountFit links, buses;
  /// Links and buses together that fit differently, but hardly worse: the best of them.
  std::optional<std::pair<Count, Count>> other;
  bool half_duplex = false;
  bool duplex_is_known = false;
  /// Messages both ways take longer than those one way, but are rendezvous, whose handshakes wait behind
  /// data: no sign of half-duplex links.
  bool duplex_is_hidden = false;
};

struct SharingFit {
  ServersFit network, memory;
  Network::Sharing sharing = Network::Sharing::exclusive;
  bool sharing_is_known = false;
  /// Another way that fits hardly worse, where messages do share.
  std::optional<Network::Sharing> other_sharing;
};

struct SharingOptions {
  Network::Sharing otherwise = Network::Sharing::exclusive;  ///< if the data do not tell
  /// Real rendezvous protocols may carry one direction after the other on full-duplex links.
  bool rendezvous_hides_duplex = false;
};

/// `platform` has one machine of equal nodes; its messages cost what they should alone, its links and buses
/// are ignored. Cost: some dozens of simulations of each suite.
SharingFit fit_sharing(const std::vector<measure::Suite>& suites, const Platform& platform,
                       const SharingOptions& options = {});

/// Puts the figures into the platform.
void apply(const SharingFit& fit, Platform& platform);

}  // namespace busline::calibrate
