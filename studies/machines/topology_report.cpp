#include "studies/machines/topology_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "documents/text/readable.hpp"
#include "documents/text/written.hpp"
#include "platforms/topology/routes.hpp"
#include "platforms/topology/topology_fields.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

std::string topology_line(std::string_view what, const std::string& value) {
  return fmt::format("  {:<17} {}\n", what, value);
}

// "512", or "2 to 4".
std::string range(std::uint32_t least, std::uint32_t most) {
  return least == most ? readable(least) : fmt::format("{} to {}", readable(least), readable(most));
}

std::string link_text(const LinkFigures& f) {
  auto text = fmt::format("latency {}, {}", readable(f.latency),
                          f.bandwidth ? readable(*f.bandwidth) : "the network's bandwidth");
  if (f.speed != 1) text += fmt::format(" x {:.4g}", f.speed);
  return text;
}

// Hosts of the switches that have any: least and most.
std::pair<std::uint32_t, std::uint32_t> hosts_at_switches(const Topology& t) {
  std::vector<std::uint32_t> hosts(t.switches());
  for (const auto s : t.host_switches()) ++hosts[s];
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max(), most = 0;
  for (const auto n : hosts) {
    if (n > 0) least = std::min(least, n);
    most = std::max(most, n);
  }
  return {least, most};
}

// Links between switches by what they can do: the number of each index of figures.
std::vector<std::uint32_t> links_by_figures(const Topology& t) {
  std::vector<std::uint32_t> count(t.figures().size());
  for (std::uint32_t l = 0; l < t.links(); ++l) ++count[t.link(l).figures];
  return count;
}

std::string way_text(const Topology& t, const WayOfMessage& way) {
  std::string text =
      fmt::format("\nhost {} to host {}, hash {}: {}, latency {}\n  host {}", way.from, way.to, way.hash,
                  readable(way.links.size(), "link"), readable(way.latency), way.from);
  for (const auto s : way.switches) text += fmt::format(" - {}", t.name_of(s));
  return text + fmt::format(" - host {}\n", way.to);
}

std::string halves_text(const HalvesCut& c) {
  return fmt::format("{} between {} and {}", readable(c.links, "link"), readable(c.first_hosts),
                     readable(c.second_hosts, "host"));
}

}  // namespace

Expected<WayOfMessage> way_of_message(const LoadedTopology& loaded, std::uint32_t from, std::uint32_t to,
                                      std::uint64_t hash) {
  const auto& t = loaded.topology;
  if (std::max(from, to) >= t.hosts()) {
    return refuse_option(
        "--way", fmt::format("host {} does not exist, expected 0 to {}", std::max(from, to), t.hosts() - 1));
  }
  const auto routes = Routes::of(t, loaded.description.routing, loaded.description.seed);
  if (!routes) return tl::unexpected(routes.error());
  WayOfMessage way{from, to, hash, {}, {}, {}};
  routes->append(from, to, hash, way.links);
  if (from != to) way.switches.push_back(t.switch_of(from));
  for (const auto link : way.links) {
    way.latency =
        Duration::picoseconds(saturated_sum(way.latency.count(), t.figures_of(link).latency.count()));
    if (link / 2 < t.links()) way.switches.push_back(link % 2 == 0 ? t.link(link / 2).b : t.link(link / 2).a);
  }
  return way;
}

std::string topology_text(const std::string& name, const LoadedTopology& loaded,
                          const std::optional<WayOfMessage>& way) {
  const auto& t = loaded.topology;
  const auto& d = loaded.description;
  auto text = fmt::format("{}: {}\n", name, kFamilyNames[d.family.index()].kind);
  const auto [least, most] = hosts_at_switches(t);
  text += topology_line(
      "hosts", fmt::format("{}, {} per switch{}", readable(t.hosts()), range(least, most),
                           t.host_ports() > 1 ? fmt::format(", with {} links each", t.host_ports()) : ""));
  text += topology_line("host links", link_text(t.figures_of(t.host_up(0))));
  text += topology_line("switches", readable(t.switches()));
  const auto by_figures = links_by_figures(t);
  std::string what = "links";
  for (std::size_t f = 0; f < by_figures.size(); ++f)
    if (by_figures[f] > 0) {
      text += topology_line(what, fmt::format("{}: {}", readable(by_figures[f]), link_text(t.figures()[f])));
      what.clear();
    }
  for (const auto& [routing, value] : kRoutingNames)
    if (value == d.routing) text += topology_line("routing", std::string(routing));
  if (!d.faults.empty()) text += topology_line("faults", readable(d.faults.size()));
  return way ? text + way_text(t, *way) : text;
}

Json topology_json(const std::string& name, const LoadedTopology& loaded,
                   const std::optional<WayOfMessage>& way) {
  const auto& t = loaded.topology;
  Json document{{"schema", "busline/topology-description/1"},
                {"name", name},
                {"description", write_value(loaded.description)},
                {"hosts", t.hosts()},
                {"switches", t.switches()},
                {"links", t.links()}};
  if (way) {
    auto names = Json::array();
    for (const auto s : way->switches) names.push_back(t.name_of(s));
    document["way"] = {{"from", way->from},
                       {"to", way->to},
                       {"hash", way->hash},
                       {"links", way->links},
                       {"switches", std::move(names)},
                       {"latency_ps", way->latency.count()}};
  }
  return document;
}

std::string figures_text(const std::string& name, const TopologyFigures& f, const BusEquivalent& buses) {
  auto text = name + '\n';
  text += topology_line("hosts", readable(f.hosts));
  text += topology_line("switches", readable(f.switches));
  text += topology_line("links",
                        fmt::format("{}, {} per switch; {} cables including host links", readable(f.links),
                                    range(f.least_degree, f.degree), readable(f.cables)));
  text += topology_line("diameter", readable(f.diameter, "link"));
  text +=
      topology_line("mean distance",
                    fmt::format("{:.3f} links between two switches, {:.3f} between the switches of two hosts",
                                f.mean_hops, f.mean_host_hops));
  if (f.bisection.first_hosts > 0) {
    text += topology_line("halves in order", halves_text(f.in_order));
    text += topology_line("bisection", fmt::format("{} ({})", halves_text(f.bisection), f.bisection.halves));
    text += topology_line("paths", fmt::format("{} or more that share no cable, {:.1f} on average",
                                               f.least_paths, f.mean_paths));
  }
  if (f.connectivity) text += topology_line("connectivity", fmt::format("{} cables", *f.connectivity));
  text += "\nIn the Dimemas model\n";
  text += topology_line("links", readable(buses.links));
  text += topology_line("buses", fmt::format("{} for random targets, {} if all messages cross the bisection",
                                             readable(buses.random_buses), readable(buses.worst_buses)));
  text += topology_line("at best", fmt::format("{} and {}, if no messages meet that could take other routes",
                                               readable(buses.random_limit), readable(buses.worst_limit)));
  if (!buses.message.is_unlimited()) text += topology_line("bandwidth", readable(buses.message));
  return text;
}

void describe(Fields& f, HalvesCut& c) {
  f.defined_as("topology-figures.schema.json#/$defs/halves");
  f.about("A cut of the network into two halves of its hosts.");
  f.required("links", Amount{c.links}, "Cables between the two halves.");
  f.required("first_hosts", Amount{c.first_hosts, 1}, "Hosts in one half.");
  f.required("second_hosts", Amount{c.second_hosts}, "Hosts in the other one.");
  f.required("halves", c.halves, "How the halves were chosen, such as 'along dimension 1'.");
}

void describe(Fields& f, NetworkFigures& n) {
  auto& t = n.figures;
  const bool several_hosts = t.bisection.first_hosts > 0;
  const auto cut = [&](const HalvesCut& c) { return several_hosts ? std::optional(c) : std::nullopt; };
  f.about("docs/reference/topology.md defines the metrics.");
  f.required("schema", SchemaName{"busline/topology-figures/1"});
  f.required("name", n.name, "As given: 'torus:8x8x16', or the path of a file.");
  f.required("hosts", Amount{t.hosts}, "Their number.");
  f.required("switches", Amount{t.switches, 1}, "Their number.");
  f.required("links", Amount{t.links}, "Between switches.");
  f.required("cables", Amount{t.cables}, "Links, including host links.");
  f.required("least_degree", Amount{t.least_degree},
             "Links to other switches from the switch that has the fewest.");
  f.required("most_degree", Amount{t.degree}, "Likewise for the switch with the most.");
  f.required("diameter", Amount{t.diameter}, "Links between the two switches that are farthest apart.");
  f.required("mean_hops", NotNegative{t.mean_hops},
             "Links between two switches, over all pairs; 0 for a single switch.");
  f.required("mean_host_hops", NotNegative{t.mean_host_hops},
             "Links between the switches of two hosts, over all pairs.");
  f.optional("halves_in_order", cut(t.in_order),
             "The first half of the hosts against the second. This and the three members below exist for "
             "networks with "
             "two hosts or more.");
  f.optional("bisection", cut(t.bisection), "The narrowest cut found: never narrower than the true one.");
  f.optional("least_paths", several_hosts ? std::optional(Amount{t.least_paths}) : std::nullopt,
             "Cable-disjoint paths between two switches with hosts: the minimum over a sample of pairs.");
  f.optional("mean_paths",
             Also{several_hosts ? optional_real(t.mean_paths) : std::nullopt, R"({"minimum": 0})"},
             "Likewise the mean.");
  f.optional("connectivity", t.connectivity ? std::optional(Amount{*t.connectivity}) : std::nullopt,
             "The minimum number of cables whose loss splits the network; left out above 512 switches.");
  f.required(
      "dimemas", Inside{[&](Fields& o) {
        auto bandwidth = to_text(n.buses.message);
        o.required("links", Amount{n.buses.links, 1}, "L, of each node.");
        o.required("random_buses", Amount{n.buses.random_buses, 1}, "B for random targets.");
        o.required("worst_buses", Amount{n.buses.worst_buses, 1}, "B if all messages cross the bisection.");
        o.required("random_limit", Amount{n.buses.random_limit, 1},
                   "random_buses if no two messages met that could take other routes.");
        o.required("worst_limit", Amount{n.buses.worst_limit, 1}, "Likewise worst_buses.");
        o.required("bandwidth", BandwidthText{bandwidth}, "Of a single message.");
      }},
      "The closest equivalent in the Dimemas model, with each host as a node.");
  describe_end(f);
}

Json figures_json(const NetworkFigures& figures) {
  auto copy = figures;
  return written(fields::Object(copy));
}

}  // namespace busline
