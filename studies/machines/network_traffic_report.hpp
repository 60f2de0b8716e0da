// The output of 'busline topology traffic': one traffic over a network's links and over its derived buses. As
// a page of text, or as a document "busline/topology-traffic/1" (docs/reference/topology.md).
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "validation/compare/network_traffic.hpp"

namespace busline {

struct NetworkTrafficReport {
  std::string name;  ///< of the network
  Routing routing = Routing::minimal;
  Traffic traffic;  ///< of the first seed
  BusEquivalent equivalent;
  std::vector<compare::TrafficComparison> seeds;  ///< one at least
};

/// Means over the seeds; ratios are those of the means.
std::string to_text(const NetworkTrafficReport& report);
/// With every seed.
void describe(Fields& f, NetworkTrafficReport& report);
nlohmann::ordered_json to_json(const NetworkTrafficReport& report);

}  // namespace busline
