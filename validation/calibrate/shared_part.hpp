// The parts of a machine whose messages share links and buses: the network, and the memory of its nodes.
#pragma once
#include <string>
#include <vector>

#include "platforms/description/platform.hpp"
#include "validation/calibrate/sharing_misfit.hpp"

namespace busline::calibrate {

/// `n` links in each direction, or `n` for both (half duplex); kUnlimited: links without a limit.
Links server_links(bool half_duplex, Count n);

struct SharedPart {
  /// What was measured of it: node flows, pairings. Without both, windows of messages of one rank are the
  /// flows.
  Suites flows, pairs;
  double chance = 0;              ///< chance_of() this part
  Links& (*links_of)(Platform&);  ///< of the first group of nodes of the first machine
  Count& (*buses_of)(Platform&);

  Suites all() const;
};
/// Without suites.
SharedPart network_part();
SharedPart memory_part();

/// Pairs or flows at once, as far as one suite goes. Suites have points.
Count most_pairs(const Suites& suites);
/// Messages that each pair has under way at once: one where one side sends and the other receives, two where
/// both sides do the same.
Count messages_of_a_pair(const measure::Suite& suite);
/// Messages under way at once, as far as one suite of pairs goes, with one link at each end. Suites have
/// points.
Count most_at_once(const Suites& pairs);
/// The same with these links at each end: a window of messages uses as many as there are.
Count most_at_once(const Suites& pairs, const Links& links);
/// Senders that share a node's links; ranks of a node in memory have links of their own.
Count most_on_a_node(const Suites& suites);
std::vector<std::string> suite_names(const Suites& suites);

}  // namespace busline::calibrate
