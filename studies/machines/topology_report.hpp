// The output of 'busline topology' for a network: how it was read, one message's way, and its figures. As
// pages of text, or as documents "busline/topology-description/1" and "busline/topology-figures/1"
// (docs/reference/topology.md).
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "platforms/load_topology.hpp"
#include "platforms/topology/bus_equivalent.hpp"
#include "platforms/topology/figures.hpp"
#include "sim/base/error.hpp"

namespace busline {

struct WayOfMessage {
  std::uint32_t from = 0, to = 0;  ///< hosts
  std::uint64_t hash = 0;
  std::vector<std::uint32_t> links;     ///< directed ones
  std::vector<std::uint32_t> switches;  ///< that it passes
  Duration latency;                     ///< of all links
};

/// By the description's rule. An Error of kind bad_option if there is no such host, else those of Routes.
Expected<WayOfMessage> way_of_message(const LoadedTopology& loaded, std::uint32_t from, std::uint32_t to,
                                      std::uint64_t hash);

std::string topology_text(const std::string& name, const LoadedTopology& loaded,
                          const std::optional<WayOfMessage>& way);
nlohmann::ordered_json topology_json(const std::string& name, const LoadedTopology& loaded,
                                     const std::optional<WayOfMessage>& way);

std::string figures_text(const std::string& name, const TopologyFigures& figures, const BusEquivalent& buses);
struct NetworkFigures {
  std::string name;
  TopologyFigures figures;
  BusEquivalent buses;
};
void describe(Fields& f, NetworkFigures& figures);
nlohmann::ordered_json figures_json(const NetworkFigures& figures);

}  // namespace busline
