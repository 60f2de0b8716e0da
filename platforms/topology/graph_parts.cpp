#include "platforms/topology/graph_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "documents/fields/pointer.hpp"
#include "documents/fields/printable.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

constexpr std::uint32_t kMostCables = 10'000;

std::optional<std::uint32_t> whole(const std::string& text, std::uint32_t most) {
  const auto n = whole_number<std::uint32_t>(text);
  return n && *n <= most ? n : std::nullopt;
}

}  // namespace

Error GraphParts::error(FilePlace place, std::string message) const {
  Error e;
  e.path = path_;
  if (place) {
    const auto [line, column] = line_column(text_, *place);
    e.line = line;
    e.column = column;
  }
  e.message = std::move(message);
  return e;
}

Expected<void> GraphParts::add_node(std::string name, FilePlace place) {
  if (name.empty()) return tl::unexpected(error(place, "a node without a name"));
  if (nodes_.size() == kMostSwitches)
    return tl::unexpected(error(place, fmt::format("more than {} nodes", kMostSwitches)));
  if (!by_name_.emplace(name, static_cast<std::uint32_t>(nodes_.size())).second)
    return tl::unexpected(error(place, fmt::format("there are two nodes '{}'", printable(name))));
  nodes_.push_back({std::move(name), {}, false, place});
  return {};
}

Expected<std::uint32_t> GraphParts::find(const std::string& name, FilePlace place) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end())
    return tl::unexpected(error(place, fmt::format("there is no node '{}'", printable(name))));
  return found->second;
}

Expected<void> GraphParts::add_edge(const std::string& a, const std::string& b, FilePlace place) {
  const auto from = find(a, place), to = find(b, place);
  if (!from || !to) return tl::unexpected((from ? to : from).error());
  if (*from == *to)
    return tl::unexpected(error(place, fmt::format("a link joins '{}' to itself", printable(a))));
  if (edges_.size() == kMostNetworkLinks)
    return tl::unexpected(error(place, fmt::format("more than {} edges", kMostNetworkLinks)));
  edges_.push_back({*from, *to, 1, {}, {}, place});
  return {};
}

Expected<void> GraphParts::set_node(std::string_view attribute, const std::string& value) {
  auto& node = nodes_.back();
  if (attribute == "type") {
    node.is_host = value == "host";
  } else if (attribute == "hosts") {
    node.hosts = whole(value, kMostHosts);
    if (!node.hosts)
      return tl::unexpected(
          error(node.place, fmt::format("hosts of '{}': expected a whole number from 0 to {}, found '{}'",
                                        printable(node.name), kMostHosts, printable(value))));
  }
  return {};
}

Expected<void> GraphParts::set_edge(std::string_view attribute, const std::string& value) {
  auto& edge = edges_.back();
  const auto refuse = [&](const std::string& reason) {
    return tl::unexpected(error(
        edge.place, fmt::format("{} of the link from '{}' to '{}': {}", attribute,
                                printable(nodes_[edge.a].name), printable(nodes_[edge.b].name), reason)));
  };
  if (attribute == "latency") {
    const auto latency = parse_duration(value);
    if (!latency) return refuse(printable(latency.error().reason, 200));
    edge.latency = *latency;
  } else if (attribute == "bandwidth") {
    const auto bandwidth = parse_bandwidth(value);
    if (!bandwidth) return refuse(printable(bandwidth.error().reason, 200));
    edge.bandwidth = *bandwidth;
  } else if (attribute == "count") {
    edge.count = whole(value, kMostCables).value_or(0);
    if (edge.count == 0)
      return refuse(
          fmt::format("expected a whole number from 1 to {}, found '{}'", kMostCables, printable(value)));
  }
  return {};
}

Expected<void> GraphParts::build_hosts(BuildingSite& site, const std::vector<std::uint32_t>& number) const {
  std::vector<const GraphEdge*> to_switch(nodes_.size());
  for (const auto& e : edges_)
    for (const auto& [node, other] : {std::pair{e.a, e.b}, std::pair{e.b, e.a}}) {
      if (!nodes_[node].is_host) continue;
      if (nodes_[other].is_host || to_switch[node] != nullptr || e.count > 1)
        return tl::unexpected(error(e.place, fmt::format("host '{}' has more than one link to one switch",
                                                         printable(nodes_[node].name))));
      to_switch[node] = &e;
    }
  const bool said =
      std::any_of(nodes_.begin(), nodes_.end(), [](const auto& n) { return n.is_host || n.hosts; });
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n].is_host) {
      site.builder.add_hosts(number[n], nodes_[n].hosts.value_or(said ? 0 : 1), site.host_link);
      continue;
    }
    const auto* e = to_switch[n];
    if (e == nullptr)
      return tl::unexpected(error(
          nodes_[n].place, fmt::format("host '{}' has no link to a switch", printable(nodes_[n].name))));
    auto figures = site.builder.figures(site.host_link);
    figures.latency = e->latency.value_or(figures.latency);
    if (e->bandwidth) figures.bandwidth = e->bandwidth;
    site.builder.add_hosts(number[nodes_[e->a].is_host ? e->b : e->a], 1, site.builder.add_figures(figures));
  }
  return {};
}

Expected<void> GraphParts::build(BuildingSite& site) const {
  double hosts = 0, links = 0;
  for (const auto& n : nodes_) hosts += n.hosts.value_or(1);
  for (const auto& e : edges_) links += e.count;
  if (auto good = check_size({double(nodes_.size()), hosts, links}); !good)
    return tl::unexpected(error({}, std::move(good.error().message)));
  std::vector<std::uint32_t> number(nodes_.size());
  std::vector<std::string> names;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (!nodes_[n].is_host) {
      number[n] = site.builder.add_switches(1);
      names.push_back(nodes_[n].name);
    }
  site.builder.set_names(std::move(names));
  if (auto built = build_hosts(site, number); !built) return built;
  for (const auto& e : edges_) {
    if (nodes_[e.a].is_host || nodes_[e.b].is_host) continue;
    auto figures = site.builder.figures(site.link);
    figures.latency = e.latency.value_or(figures.latency);
    if (e.bandwidth) figures.bandwidth = e.bandwidth;
    site.builder.add_links(number[e.a], number[e.b], site.builder.add_figures(figures), e.count);
  }
  return {};
}

}  // namespace busline
