#include "platforms/topology/simgrid_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platforms/document/printable.hpp"
#include "platforms/topology/simgrid_values.hpp"

namespace busline {
namespace {

constexpr std::uint32_t kMostListedHosts = 4096;  // of a zone with a way for each pair
constexpr std::uint32_t kNone = 0xffff'ffff;

struct Link {
  std::string_view policy;
  LinkFigures figures;
};

class ZoneReader {
 public:
  ZoneReader(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone)
      : site_(site), parts_(parts), zone_(zone) {}

  Expected<void> read() {
    const std::string_view routing = zone_.attribute("routing").value();
    const bool full = routing == "Full" || routing == "full";
    if (!full && routing != "Cluster" && routing != "cluster")
      return refuse(zone_, fmt::format("routing=\"{}\": of zones with single hosts Full and Cluster are read",
                                       printable(routing)));
    for (const auto& child : zone_.children())
      if (auto read = gather(child, full); !read) return read;
    if (hosts_.empty()) return refuse(zone_, "the zone has no <host>");
    return full ? build_graph() : build_star();
  }

 private:
  using Named = std::unordered_map<std::string_view, std::uint32_t>;
  struct Ends {  // of a host, in a zone of links to a backbone
    pugi::xml_node place;
    std::string_view up, down;
  };

  tl::unexpected<Error> refuse(const pugi::xml_node& node, std::string message) const {
    return tl::unexpected(parts_.error(static_cast<std::size_t>(node.offset_debug()), std::move(message)));
  }

  Expected<void> gather(const pugi::xml_node& node, bool full) {
    const std::string_view name = node.name();
    if (node.type() != pugi::node_element || name == "prop") return {};
    if (name == "host") return add_host(node);
    if (name == "link") return add_link(node);
    if (full && name == "route") return add_route(node);
    if (!full && name == "host_link") {
      const auto host = find(hosts_, node, "id");
      if (!host) return tl::unexpected(host.error());
      ends_.resize(hosts_.size());
      ends_[*host] = {node, node.attribute("up").value(), node.attribute("down").value()};
      return {};
    }
    if (!full && name == "backbone") {
      backbone_ = node;
      return {};
    }
    return refuse(node, fmt::format("<{}> is not read in such a zone", printable(name)));
  }

  Expected<void> add_host(const pugi::xml_node& node) {
    const std::string_view id = node.attribute("id").value();
    const auto number = static_cast<std::uint32_t>(hosts_.size());
    if (id.empty()) return refuse(node, "a host without an id");
    if (number == kMostHosts) return refuse(node, fmt::format("more than {} hosts", kMostHosts));
    if (!hosts_.emplace(id, number).second)
      return refuse(node, fmt::format("there are two hosts '{}'", printable(id)));
    host_names_.push_back(id);
    return {};
  }

  Expected<LinkFigures> figures(const pugi::xml_node& node) const {
    const auto bandwidth = simgrid_bandwidth(node.attribute("bandwidth").value());
    const auto latency = simgrid_latency(node.attribute("latency").as_string("0s"));
    if (!bandwidth || !latency)
      return refuse(node, fmt::format("bandwidth=\"{}\" latency=\"{}\": expected both with their units, such "
                                      "as 1GBps and 10us",
                                      printable(node.attribute("bandwidth").value()),
                                      printable(node.attribute("latency").value())));
    return LinkFigures{*latency, *bandwidth};
  }

  Expected<void> add_link(const pugi::xml_node& node) {
    const std::string_view id = node.attribute("id").value();
    auto f = figures(node);
    if (!f) return tl::unexpected(std::move(f.error()));
    if (links_.size() == kMostNetworkLinks)
      return refuse(node, fmt::format("more than {} links", kMostNetworkLinks));
    if (id.empty() || !link_numbers_.emplace(id, static_cast<std::uint32_t>(links_.size())).second)
      return refuse(node, fmt::format("expected a link with a name of its own, found '{}'", printable(id)));
    links_.push_back({node.attribute("sharing_policy").as_string("SHARED"), *f});
    return {};
  }

  Expected<std::uint32_t> find(const Named& all, const pugi::xml_node& node, const char* attribute) const {
    const std::string_view name = node.attribute(attribute).value();
    const auto found = all.find(name);
    if (found != all.end()) return found->second;
    return refuse(node,
                  fmt::format("{}=\"{}\": there is none of this name so far", attribute, printable(name)));
  }

  // ---- "Cluster"

  /// A host's own link, by the name of one of its directions; those of one that is split end in _UP or _DOWN.
  Expected<Link> own_link(const pugi::xml_node& place, std::string_view name,
                          std::string_view direction) const {
    if (const auto found = link_numbers_.find(name); found != link_numbers_.end())
      return links_[found->second];
    if (name.ends_with(direction)) {
      const auto found = link_numbers_.find(name.substr(0, name.size() - direction.size()));
      if (found != link_numbers_.end() && links_[found->second].policy == "SPLITDUPLEX")
        return links_[found->second];
    }
    return refuse(place, fmt::format("there is no link '{}'", printable(name)));
  }

  Expected<void> build_star() {
    LinkFigures backbone;
    if (backbone_) {
      const auto f = figures(backbone_);
      if (!f) return tl::unexpected(f.error());
      backbone = *f;
    }
    const auto at = site_.builder.add_switches(1);
    double widest = 0, all = 0;
    ends_.resize(hosts_.size());
    for (std::uint32_t h = 0; h < ends_.size(); ++h) {
      const auto& [place, up_name, down_name] = ends_[h];
      if (!place)
        return refuse(zone_, fmt::format("host '{}' has no <host_link>", printable(host_names_[h])));
      const auto up = own_link(place, up_name, "_UP"), down = own_link(place, down_name, "_DOWN");
      if (!up || !down) return tl::unexpected((up ? down : up).error());
      if (up_name == down_name)
        return refuse(place, "one link for both directions is half duplex, and links here are full duplex");
      if (up->policy == "FATPIPE" || down->policy == "FATPIPE")
        return refuse(place,
                      "FATPIPE: a link that holds up each message by itself is no link of a network of "
                      "switches; a platform says it with network.bandwidth");
      if (up->figures != down->figures)
        return refuse(place, "both directions of a host's link need the same bandwidth and latency");
      auto f = up->figures;
      const auto rate = f.bandwidth->in_bytes_per_second();
      widest = std::max(widest, rate);
      all += rate;
      f.latency += Duration::picoseconds(backbone.latency.count() / 2);
      site_.builder.add_hosts(at, 1, site_.builder.add_figures(f));
    }
    if (!backbone_) return {};
    const bool each = std::string_view(backbone_.attribute("sharing_policy").value()) == "FATPIPE";
    if (backbone.bandwidth->in_bytes_per_second() < (each ? widest : all))
      return refuse(
          backbone_,
          "a backbone that is less wide than all hosts' links is no network of switches; a platform "
          "says it with 'buses'");
    return {};
  }

  // ---- "Full"

  Expected<void> add_route(const pugi::xml_node& node) {
    const auto from = find(hosts_, node, "src"), to = find(hosts_, node, "dst");
    if (!from || !to) return tl::unexpected((from ? to : from).error());
    if (*from == *to) return {};  // inside a node
    const auto n = static_cast<std::uint32_t>(hosts_.size());
    if (n > kMostListedHosts)
      return refuse(
          node, fmt::format("{} hosts have too many ways, expected {} hosts at most", n, kMostListedHosts));
    const std::string_view symmetrical = node.attribute("symmetrical").as_string("YES");
    Way way{*from, *to, 0, symmetrical == "YES" || symmetrical == "yes", node};
    auto at = end_of_host(*from);
    for (const auto& part : node.children("link_ctn")) {
      const auto link = find(link_numbers_, part, "id");
      if (!link) return tl::unexpected(link.error());
      const std::string_view policy = links_[*link].policy, direction = part.attribute("direction").value();
      if (policy != "SPLITDUPLEX")
        return refuse(part, fmt::format("link '{}' is {}, expected SPLITDUPLEX: links here are full duplex",
                                        printable(part.attribute("id").value()), printable(policy)));
      if (direction != "UP" && direction != "DOWN")
        return refuse(part, "expected direction=\"UP\" or \"DOWN\", as links are full duplex");
      const std::uint32_t down = direction == "DOWN" ? 1 : 0;
      used_.resize(links_.size());
      used_[*link] = true;
      join(at, end_of_link(*link, down));
      at = end_of_link(*link, 1 - down);
      ++way.links;
    }
    if (way.links == 0) return refuse(node, "a way without links");
    join(at, end_of_host(*to));
    ways_.push_back(way);
    return {};
  }

  // Ends of links that follow one another in a way are at one place, a set of them; so are hosts and the ends
  // of their first and last links. Numbered so that hosts and links may come in any order.
  static std::uint64_t end_of_host(std::uint32_t h) { return 3 * std::uint64_t{h}; }
  static std::uint64_t end_of_link(std::uint32_t l, std::uint32_t which) {
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

  struct Way {
    std::uint32_t from, to, links;
    bool both;
    pugi::xml_node node;
  };
  struct Neighbour {
    std::uint32_t vertex, link;
  };

  Expected<void> build_graph() {
    std::unordered_map<std::uint64_t, std::uint32_t> vertices;  // by place, hosts' first
    const auto vertex_of = [&](std::uint64_t end) {
      return vertices.emplace(place_of(end), static_cast<std::uint32_t>(vertices.size())).first->second;
    };
    const auto n = static_cast<std::uint32_t>(hosts_.size());
    for (std::uint32_t h = 0; h < n; ++h)
      if (vertex_of(end_of_host(h)) != h)
        return refuse(zone_, fmt::format("the ways are no graph: host '{}' is where another one is",
                                         printable(host_names_[h])));
    used_.resize(links_.size());
    std::vector<std::array<std::uint32_t, 2>> ends(links_.size(), {kNone, kNone});
    std::vector<std::vector<Neighbour>> neighbours(n);
    for (std::uint32_t l = 0; l < links_.size(); ++l) {
      if (!used_[l]) continue;
      ends[l] = {vertex_of(end_of_link(l, 0)), vertex_of(end_of_link(l, 1))};
      if (ends[l][0] == ends[l][1])
        return refuse(zone_, "the ways are no graph: both ends of a link are at the same place");
      neighbours.resize(vertices.size());
      neighbours[ends[l][0]].push_back({ends[l][1], l});
      neighbours[ends[l][1]].push_back({ends[l][0], l});
    }
    if (auto good = check_ways(neighbours); !good) return good;
    add_to_site(neighbours, ends);
    return {};
  }

  /// There is one for each pair of hosts, and none shorter.
  Expected<void> check_ways(const std::vector<std::vector<Neighbour>>& neighbours) const {
    const auto n = static_cast<std::uint32_t>(hosts_.size());
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
        if (v < n && v != from && neighbours[v].size() == 1) continue;  // nothing is behind it
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
          return refuse(zone_, fmt::format("there is no way from '{}' to '{}'", printable(host_names_[from]),
                                           printable(host_names_[to])));
        if (links > hops[to])
          return refuse(ways_[way_of[std::size_t{from} * n + to]].node,
                        fmt::format("the way has {} links where {} would do, and ways here are shortest ones",
                                    links, hops[to]));
      }
    }
    return {};
  }

  /// A host with one link is at the switch behind it; one with more is a switch, too.
  void add_to_site(const std::vector<std::vector<Neighbour>>& neighbours,
                   const std::vector<std::array<std::uint32_t, 2>>& ends) {
    const auto n = static_cast<std::uint32_t>(hosts_.size());
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
        site_.builder.add_hosts(number[at.vertex], 1, site_.builder.add_figures(links_[at.link].figures));
      } else {
        site_.builder.add_hosts(number[h], 1, inside);
      }
    }
    for (std::uint32_t l = 0; l < links_.size(); ++l)
      if (ends[l][0] != kNone && !is_leaf(ends[l][0]) && !is_leaf(ends[l][1]))
        site_.builder.add_links(number[ends[l][0]], number[ends[l][1]],
                                site_.builder.add_figures(links_[l].figures));
  }

  BuildingSite& site_;
  const GraphParts& parts_;
  const pugi::xml_node& zone_;
  Named hosts_, link_numbers_;
  std::vector<std::string_view> host_names_;
  std::vector<Link> links_;
  std::vector<Ends> ends_;
  pugi::xml_node backbone_;
  std::vector<bool> used_;  // by link: in a way
  std::vector<std::uint64_t> parent_;
  std::vector<Way> ways_;
};

}  // namespace

Expected<void> read_simgrid_zone(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone) {
  return ZoneReader(site, parts, zone).read();
}

}  // namespace busline
