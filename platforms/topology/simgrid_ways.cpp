#include "platforms/topology/simgrid_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"
#include "platforms/topology/simgrid_zone_parts.hpp"

namespace busline {
namespace {

constexpr std::uint32_t kMostListedHosts = 4096;  // of a zone with a route for each pair
constexpr std::uint32_t kNone = 0xffff'ffff;

// Adjacent ends of links that follow one another in a route are at one place (a set of ends); so are hosts
// and the ends of their first and last links. Numbered so that hosts and links may come in any order.
class JoinedEnds {
 public:
  static std::uint64_t of_host(std::uint32_t h) { return 3 * std::uint64_t{h}; }
  static std::uint64_t of_link(std::uint32_t l, std::uint32_t which) {
    return 3 * std::uint64_t{l} + 1 + which;
  }

  std::uint64_t place_of(std::uint64_t end) {
    if (end >= parent_.size()) {
      const auto before = parent_.size();
      parent_.resize(end + 1);
      std::iota(parent_.begin() + static_cast<std::ptrdiff_t>(before), parent_.end(), before);
    }
    while (parent_[end] != end) end = parent_[end] = parent_[parent_[end]];
    return end;
  }
  void join(std::uint64_t a, std::uint64_t b) {
    const auto first = place_of(a), second = place_of(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::uint64_t> parent_;
};

class WaysReader {
 public:
  WaysReader(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone)
      : site_(site), parts_(parts), zone_(zone) {}

  Expected<void> read() {
    auto all = parts_.gather(zone_, [this](const pugi::xml_node& node) -> Expected<bool> {
      if (std::string_view(node.name()) != "route") return false;
      return add_route(node).map([] { return true; });
    });
    if (!all) return all;
    return build_graph();
  }

 private:
  struct Way {
    std::uint32_t from, to, links;
    bool both;
    pugi::xml_node node;
  };
  struct Neighbour {
    std::uint32_t vertex, link;
  };

  Expected<void> add_route(const pugi::xml_node& node) {
    const auto from = parts_.host(node, "src"), to = parts_.host(node, "dst");
    if (!from || !to) return tl::unexpected((from ? to : from).error());
    if (*from == *to) return {};  // inside a node
    const auto n = static_cast<std::uint32_t>(parts_.hosts().size());
    if (n > kMostListedHosts)
      return parts_.refuse(
          node, fmt::format("{} hosts have too many routes, expected {} hosts at most", n, kMostListedHosts));
    const std::string_view symmetrical = node.attribute("symmetrical").as_string("YES");
    Way way{*from, *to, 0, symmetrical == "YES" || symmetrical == "yes", node};
    auto at = JoinedEnds::of_host(*from);
    for (const auto& part : node.children("link_ctn")) {
      const auto link = parts_.link(part, "id");
      if (!link) return tl::unexpected(link.error());
      const std::string_view policy = parts_.links()[*link].policy,
                             direction = part.attribute("direction").value();
      if (policy != "SPLITDUPLEX")
        return parts_.refuse(part,
                             fmt::format("link '{}' is {}, expected SPLITDUPLEX: links here are full duplex",
                                         printable(part.attribute("id").value()), printable(policy)));
      if (direction != "UP" && direction != "DOWN")
        return parts_.refuse(part, "expected direction=\"UP\" or \"DOWN\", as links are full duplex");
      const std::uint32_t down = direction == "DOWN" ? 1 : 0;
      used_.resize(parts_.links().size());
      used_[*link] = true;
      joined_.join(at, JoinedEnds::of_link(*link, down));
      at = JoinedEnds::of_link(*link, 1 - down);
      ++way.links;
    }
    if (way.links == 0) return parts_.refuse(node, "a route without links");
    joined_.join(at, JoinedEnds::of_host(*to));
    ways_.push_back(way);
    return {};
  }

  Expected<void> build_graph() {
    std::unordered_map<std::uint64_t, std::uint32_t> vertices;  // by place, hosts' first
    const auto vertex_of = [&](std::uint64_t end) {
      return vertices.emplace(joined_.place_of(end), static_cast<std::uint32_t>(vertices.size()))
          .first->second;
    };
    const auto n = static_cast<std::uint32_t>(parts_.hosts().size());
    for (std::uint32_t h = 0; h < n; ++h)
      if (vertex_of(JoinedEnds::of_host(h)) != h)
        return parts_.refuse(zone_,
                             fmt::format("the routes do not form a graph: host '{}' is where another host is",
                                         printable(parts_.hosts()[h])));
    used_.resize(parts_.links().size());
    std::vector<std::array<std::uint32_t, 2>> ends(parts_.links().size(), {kNone, kNone});
    std::vector<std::vector<Neighbour>> neighbours(n);
    for (std::uint32_t l = 0; l < parts_.links().size(); ++l) {
      if (!used_[l]) continue;
      ends[l] = {vertex_of(JoinedEnds::of_link(l, 0)), vertex_of(JoinedEnds::of_link(l, 1))};
      if (ends[l][0] == ends[l][1])
        return parts_.refuse(zone_,
                             "the routes do not form a graph: both ends of a link are in the same place");
      neighbours.resize(vertices.size());
      neighbours[ends[l][0]].push_back({ends[l][1], l});
      neighbours[ends[l][1]].push_back({ends[l][0], l});
    }
    if (auto good = check_ways(neighbours); !good) return good;
    add_to_site(neighbours, ends);
    return {};
  }

  /// Each pair of hosts has a route, and none is shorter.
  Expected<void> check_ways(const std::vector<std::vector<Neighbour>>& neighbours) const {
    const auto n = static_cast<std::uint32_t>(parts_.hosts().size());
    std::vector<std::uint32_t> given(std::size_t{n} * n, kNone);
    std::vector<std::size_t> way_of(given.size(), 0);
    for (std::size_t w = 0; w < ways_.size(); ++w)
      for (const auto& [from, to] :
           {std::pair{ways_[w].from, ways_[w].to}, std::pair{ways_[w].to, ways_[w].from}}) {
        given[std::size_t{from} * n + to] = ways_[w].links;
        way_of[std::size_t{from} * n + to] = w;
        if (!ways_[w].both) break;
      }
    std::vector<std::uint32_t> hops, queue;
    for (std::uint32_t from = 0; from < n; ++from) {
      hops.assign(neighbours.size(), kNone);
      hops[from] = 0;
      queue.assign(1, from);
      for (std::size_t at = 0; at < queue.size(); ++at) {
        const auto v = queue[at];
        if (v < n && v != from && neighbours[v].size() == 1) continue;  // nothing follows it
        for (const auto& next : neighbours[v])
          if (hops[next.vertex] == kNone) {
            hops[next.vertex] = hops[v] + 1;
            queue.push_back(next.vertex);
          }
      }
      for (std::uint32_t to = 0; to < n; ++to) {
        if (from == to) continue;
        const auto links = given[std::size_t{from} * n + to];
        if (links == kNone)
          return parts_.refuse(
              zone_, fmt::format("there is no route from '{}' to '{}'", printable(parts_.hosts()[from]),
                                 printable(parts_.hosts()[to])));
        if (links > hops[to])
          return parts_.refuse(
              ways_[way_of[std::size_t{from} * n + to]].node,
              fmt::format("the route has {} links where {} would do: routes must be shortest paths", links,
                          hops[to]));
      }
    }
    return {};
  }

  /// A host with one link is at the switch at its other end; a host with more is also a switch.
  void add_to_site(const std::vector<std::vector<Neighbour>>& neighbours,
                   const std::vector<std::array<std::uint32_t, 2>>& ends) {
    const auto n = static_cast<std::uint32_t>(parts_.hosts().size());
    const auto is_leaf = [&](std::uint32_t v) {
      return v < n && neighbours[v].size() == 1 && neighbours[v].front().vertex >= n;
    };
    std::vector<std::uint32_t> number(neighbours.size(), kNone);
    for (std::uint32_t v = 0; v < neighbours.size(); ++v)
      if (!is_leaf(v)) number[v] = site_.builder.add_switches(1);
    const auto inside = site_.builder.add_figures({{}, Bandwidth::unlimited()});
    for (std::uint32_t h = 0; h < n; ++h) {
      if (is_leaf(h)) {
        const auto& at = neighbours[h].front();
        site_.builder.add_hosts(number[at.vertex], 1,
                                site_.builder.add_figures(parts_.links()[at.link].figures));
      } else {
        site_.builder.add_hosts(number[h], 1, inside);
      }
    }
    for (std::uint32_t l = 0; l < parts_.links().size(); ++l)
      if (ends[l][0] != kNone && !is_leaf(ends[l][0]) && !is_leaf(ends[l][1]))
        site_.builder.add_links(number[ends[l][0]], number[ends[l][1]],
                                site_.builder.add_figures(parts_.links()[l].figures));
  }

  BuildingSite& site_;
  ZoneParts parts_;
  const pugi::xml_node& zone_;
  std::vector<bool> used_;  // by link: in a route
  JoinedEnds joined_;
  std::vector<Way> ways_;
};

}  // namespace

Expected<void> read_simgrid_ways(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone) {
  return WaysReader(site, parts, zone).read();
}

}  // namespace busline
