#include "studies/machines/topology_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "documents/fields/object.hpp"
#include "documents/text/readable.hpp"
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

Json cut_json(const HalvesCut& c) {
  return {{"links", c.links},
          {"first_hosts", c.first_hosts},
          {"second_hosts", c.second_hosts},
          {"halves", c.halves}};
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

Json figures_json(const std::string& name, const TopologyFigures& f, const BusEquivalent& buses) {
  Json document{{"schema", "busline/topology-figures/1"},
                {"name", name},
                {"hosts", f.hosts},
                {"switches", f.switches},
                {"links", f.links},
                {"cables", f.cables},
                {"least_degree", f.least_degree},
                {"most_degree", f.degree},
                {"diameter", f.diameter},
                {"mean_hops", f.mean_hops},
                {"mean_host_hops", f.mean_host_hops}};
  if (f.bisection.first_hosts > 0) {
    document["halves_in_order"] = cut_json(f.in_order);
    document["bisection"] = cut_json(f.bisection);
    document["least_paths"] = f.least_paths;
    document["mean_paths"] = f.mean_paths;
  }
  if (f.connectivity) document["connectivity"] = *f.connectivity;
  document["dimemas"] = {{"links", buses.links},
                         {"random_buses", buses.random_buses},
                         {"worst_buses", buses.worst_buses},
                         {"random_limit", buses.random_limit},
                         {"worst_limit", buses.worst_limit},
                         {"bandwidth", to_text(buses.message)}};
  return document;
}

}  // namespace busline
