#include "platforms/simgrid_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "platforms/topology/generate.hpp"
#include "platforms/topology/routes.hpp"
#include "sim/quantity.hpp"

namespace busline {
namespace {

// Stands for links without a limit, which SimGrid's links have.
constexpr double kNoLimit = 1e18;
// SimGrid's CM02 divides by a route's latency.
constexpr Duration kLeastLatency = Duration::picoseconds(1);

std::string time(Duration d) {
  if (d == Duration()) return "0s";
  auto text = to_text(d);
  std::erase(text, ' ');
  return text;
}
std::string rate(double bytes_per_second) {
  return fmt::format("{}Bps", std::min(bytes_per_second, kNoLimit));
}

/// For comments, which no two dashes may be in.
std::string for_comment(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '-' && safe.ends_with('-')) safe.push_back(' ');
    safe.push_back(c);
  }
  return safe;
}

class Writer {
 public:
  Writer(const Platform& platform, Diagnostics& diagnostics)
      : platform_(platform), machine_(platform.machines.front()), diagnostics_(diagnostics) {
    for (const auto& group : machine_.nodes)
      for (std::uint32_t i = 0; i < group.count; ++i) nodes_.push_back(&group);
  }

  Expected<std::string> write() {
    find_left_out();
    std::string body;
    if (!machine_.network.topology) {
      body = buses();
    } else {
      auto topology = make_topology(*machine_.network.topology);
      if (!topology) return tl::unexpected(std::move(topology.error()));
      if (topology->hosts() < nodes_.size())
        return refuse("the topology has fewer hosts than there are nodes");
      if (const auto cluster = as_cluster(*topology)) {
        body = *cluster;
      } else {
        if (nodes_.size() > kMostListedNodes)
          return refuse(
              fmt::format("{} nodes have too many pairs for a list of their ways, expected {} at most",
                          nodes_.size(), kMostListedNodes));
        auto listed = ways(*topology);
        if (!listed) return listed;
        body = *std::move(listed);
      }
    }
    return fmt::format("{}{}</platform>\n", head(), body);
  }

 private:
  using Kind = Error::Kind;

  static tl::unexpected<Error> refuse(std::string message) {
    Error e;
    e.kind = Kind::unsupported;
    e.where = "/network/topology";
    e.message = std::move(message);
    return tl::unexpected(std::move(e));
  }

  const Network& network() const { return machine_.network; }
  double bandwidth() const { return network().bandwidth.in_bytes_per_second(); }
  Duration latency_of(std::size_t node) const { return nodes_[node]->latency.value_or(network().latency); }
  bool all_alike() const {
    return machine_.nodes.size() == 1 && !nodes_.front()->latency &&
           std::isfinite(nodes_.front()->relative_speed);
  }

  /// What SimGrid's files have no place for.
  void find_left_out() {
    const auto leave = [this](bool it, const char* what) {
      if (it) left_out_.emplace_back(what);
    };
    const auto any = [this](auto test) {
      return std::any_of(machine_.nodes.begin(), machine_.nodes.end(), test);
    };
    leave(any([](const NodeGroup& g) { return g.overheads != Overheads(); }), "overheads of messages");
    leave(any([](const NodeGroup& g) {
            return g.intra_node.buses != kUnlimited || g.intra_node.links.kind != Links::Kind::unlimited;
          }),
          "buses and links of the memory");
    leave(any([](const NodeGroup& g) { return !std::isfinite(g.relative_speed); }),
          "speeds without a limit, which are 1e9 times the others");
    leave(network().latency_at == Network::LatencyAt::cpu && network().latency > Duration(),
          "that latencies are paid on the CPU");
    leave(!network().size_classes.empty(), "size classes");
    leave(platform_.mpi.rendezvous_from.has_value() || platform_.mpi.handshake > Duration(),
          "the eager limit and the handshake, of which smpi/send-is-detached-thresh is SMPI's");
    leave(platform_.mpi.collectives != CollectiveTable() || machine_.collectives != CollectiveTable(),
          "what collectives cost, of which smpi/coll-selector is SMPI's");
    leave(platform_.mapping != Mapping(), "the mapping of ranks, which is a hostfile's");
    leave(!platform_.modules.empty(), "factors of modules");
    if (!network().topology)
      leave(network().sharing == Network::Sharing::exclusive || network().sharing == Network::Sharing::queues,
            "that messages take links and buses one after the other: SimGrid's share them");
    else
      leave(network().topology->routing == Routing::valiant, "that each message has another way");
  }

  std::string head() {
    std::string left_out;
    for (const auto& what : left_out_) {
      left_out.append(fmt::format("\n     Left out: {}.", for_comment(what)));
      diagnostics_.push_back({Diagnostic::Severity::warning, "left-out",
                              fmt::format("left out, for SimGrid's files have no place for it: {}", what)});
    }
    // Under these options a message alone takes what the flow model says.
    return fmt::format(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<!-- {}, written by busline.{} -->\n<platform version=\"4.1\">\n<config>\n"
        "  <prop id=\"network/model\" value=\"CM02\"/>\n  <prop id=\"network/crosstraffic\" value=\"no\"/>\n"
        "  <prop id=\"network/TCP-gamma\" value=\"1e18\"/>\n</config>\n",
        for_comment(platform_.name), left_out);
  }

  std::string host(std::size_t node) const {
    const auto& g = *nodes_[node];
    return fmt::format("  <host id=\"node-{}\" speed=\"{}Gf\" core=\"{}\"/>\n", node,
                       std::min(g.relative_speed, 1e9), g.cpus);
  }

  // ---- without a topology: a zone of nodes with a way to the backbone, which the buses are

  static std::string link(const std::string& id, double bytes_per_second, Duration latency, bool shared) {
    return fmt::format("  <link id=\"{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"{}\"/>\n", id,
                       rate(bytes_per_second), time(latency), shared ? "SHARED" : "FATPIPE");
  }

  std::string buses() {
    std::string text = "<zone id=\"network\" routing=\"Cluster\">\n", ends;
    bool wide = false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto& links = nodes_[i]->links;
      const auto latency = std::max(kLeastLatency, latency_of(i));
      auto out = fmt::format("node-{}-out", i);
      auto in = fmt::format("node-{}-in", i);
      const bool shared = links.kind != Links::Kind::unlimited;
      wide = wide || (shared && std::max(links.in, links.out) > 1);
      text += host(i);
      const auto half = Duration::picoseconds((latency.count() + 1) / 2);
      if (links.kind == Links::Kind::full_duplex && links.in == links.out) {
        text += fmt::format(
            "  <link id=\"l{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"SPLITDUPLEX\"/>\n", i,
            rate(bandwidth() * links.out), time(half));
        out = fmt::format("l{}_UP", i);
        in = fmt::format("l{}_DOWN", i);
      } else if (links.kind == Links::Kind::half_duplex) {
        // Each message passes two such links.
        in = out;
        text += link(out, bandwidth() * links.out, half, true);
      } else {
        const auto many = [&](Count n) { return bandwidth() * (shared ? std::max(n, 1U) : 1U); };
        text += link(out, many(links.out), latency, shared) + link(in, many(links.in), {}, shared);
      }
      ends += fmt::format("  <host_link id=\"node-{}\" up=\"{}\" down=\"{}\"/>\n", i, out, in);
    }
    text += ends;
    const auto b = network().buses;
    if (b != kUnlimited) {
      text +=
          fmt::format("  <backbone id=\"buses\" bandwidth=\"{}\" latency=\"0s\"/>\n", rate(bandwidth() * b));
      if (wide)
        left_out_.emplace_back(
            "the bandwidth of a message by itself where nodes have several links, all of which it can use");
    } else if (wide) {
      // Holds each message at the bandwidth of one link.
      text += fmt::format(
          "  <backbone id=\"full-speed\" bandwidth=\"{}\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>\n",
          rate(bandwidth()));
    }
    left_out_.emplace_back("what messages inside a node cost");
    return text.append("</zone>\n");
  }

  // ---- a cluster

  /// The figures that all these links have; nothing if they differ.
  static std::optional<LinkFigures> common(const Topology& t, std::uint32_t begin, std::uint32_t end) {
    for (auto l = begin; l < end; ++l)
      if (t.figures_of(l) != t.figures_of(begin)) return std::nullopt;
    return begin < end ? t.figures_of(begin) : LinkFigures();
  }

  /// The cluster that means the same network. Its messages pay for links alone, and all links are alike.
  std::optional<std::string> as_cluster(const Topology& t) {
    const auto& described = *network().topology;
    if (!all_alike() || described.routing != Routing::minimal || network().latency > Duration() ||
        t.hosts() != nodes_.size())
      return std::nullopt;
    const auto between = common(t, 0, 2 * t.links()), of_hosts = common(t, 2 * t.links(), t.directed_links());
    if (!between || !of_hosts) return std::nullopt;
    const auto limit = [&](const LinkFigures& f) {
      return f.rate(network().bandwidth).in_bytes_per_second();
    };
    const auto& shape = t.shape();
    if (const auto* tree = std::get_if<TreeShape>(&shape)) {
      if (limit(*of_hosts) > bandwidth() || std::isinf(limit(*of_hosts))) return std::nullopt;
      if (t.switches() == 1)
        return t.host_ports() == 1 ? std::optional(cluster(*of_hosts, "")) : std::nullopt;
      if (*between != *of_hosts) return std::nullopt;
      auto parallel = tree->parallel;
      if (!parallel.empty()) parallel.front() = t.host_ports();
      return cluster(*of_hosts, fmt::format(" topology=\"FAT_TREE\" topo_parameters=\"{};{};{};{}\"",
                                            tree->down.size(), fmt::join(tree->down, ","),
                                            fmt::join(tree->up, ","), fmt::join(parallel, ",")));
    }
    const auto* grid = std::get_if<GridShape>(&shape);
    if (grid == nullptr || grid->wrap != GridShape::Wrap::torus || t.hosts() != t.switches())
      return std::nullopt;
    // SimGrid's hosts are the routers.
    if (of_hosts->latency > Duration() || !std::isinf(limit(*of_hosts)) || limit(*between) > bandwidth() ||
        std::isinf(limit(*between)))
      return std::nullopt;
    if (std::any_of(grid->dimensions.begin(), grid->dimensions.end(),
                    [](std::uint32_t n) { return n > 2 && n % 2 == 0; }))
      left_out_.emplace_back("which way round messages go where both are equally long");
    return cluster(*between, fmt::format(" topology=\"TORUS\" topo_parameters=\"{}\"",
                                         fmt::join(grid->dimensions, ",")));
  }

  std::string cluster(const LinkFigures& link, const std::string& topology) const {
    const auto& g = *nodes_.front();
    return fmt::format(
        "<cluster id=\"network\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"{}Gf\" core=\"{}\" "
        "bw=\"{}\" lat=\"{}\" loopback_bw=\"{}\" loopback_lat=\"{}\"{}/>\n",
        nodes_.size() - 1, g.relative_speed, g.cpus,
        rate(link.rate(network().bandwidth).in_bytes_per_second()),
        time(std::max(kLeastLatency, link.latency)), rate(g.intra_node.bandwidth.in_bytes_per_second()),
        time(g.intra_node.latency), topology);
  }

  // ---- any topology: the way of each pair

  /// Whether nodes need a link that holds each message by itself: for what messages pay besides links, at the
  /// bandwidth that none is faster than, and where links take no time.
  bool needs_ports(const Topology& t) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (latency_of(i) > Duration()) return true;
    for (const auto& f : t.figures())
      if (f.latency == Duration() || f.rate(network().bandwidth).in_bytes_per_second() > bandwidth())
        return true;
    return false;
  }

  Expected<std::string> ways(const Topology& t) {
    const auto& described = *network().topology;
    const auto routes = Routes::of(t, described.routing, described.seed);
    if (!routes) return tl::unexpected(routes.error());
    std::string hosts, links, list;
    std::vector<bool> used(t.directed_links() / 2, false);
    const bool ports = needs_ports(t);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const auto& memory = nodes_[i]->intra_node;
      hosts += host(i);
      links +=
          link(fmt::format("memory-{}", i), memory.bandwidth.in_bytes_per_second(), memory.latency, false);
      if (ports)
        links += link(fmt::format("node-{}", i), bandwidth(), std::max(kLeastLatency, latency_of(i)), false);
      list += fmt::format(
          "  <route src=\"node-{0}\" dst=\"node-{0}\" symmetrical=\"NO\"><link_ctn id=\"memory-{0}\"/>"
          "</route>\n",
          i);
    }
    std::vector<std::uint32_t> way;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      for (std::uint32_t j = 0; j < nodes_.size(); ++j) {
        if (i == j) continue;
        way.clear();
        routes->append(i, j, (std::uint64_t{i} << 32U) | j, way);
        list += fmt::format("  <route src=\"node-{}\" dst=\"node-{}\" symmetrical=\"NO\">", i, j);
        if (ports) list += fmt::format("<link_ctn id=\"node-{}\"/>", i);
        for (const auto l : way) {
          used[l / 2] = true;
          list += fmt::format("<link_ctn id=\"l{}\" direction=\"{}\"/>", l / 2, l % 2 == 0 ? "UP" : "DOWN");
        }
        list += "</route>\n";
      }
    for (std::uint32_t l = 0; l < used.size(); ++l) {
      if (!used[l]) continue;
      const auto& f = t.figures_of(2 * l);
      links +=
          fmt::format("  <link id=\"l{}\" bandwidth=\"{}\" latency=\"{}\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                      l, rate(f.rate(network().bandwidth).in_bytes_per_second()), time(f.latency));
    }
    return fmt::format("<zone id=\"network\" routing=\"Full\">\n{}{}{}</zone>\n", hosts, links, list);
  }

  const Platform& platform_;
  const MachineGroup& machine_;
  Diagnostics& diagnostics_;
  std::vector<const NodeGroup*> nodes_;
  std::vector<std::string> left_out_;
};

}  // namespace

Expected<std::string> to_simgrid_xml(const Platform& platform, Diagnostics& diagnostics) {
  if (platform.machines.size() == 1) return Writer(platform, diagnostics).write();
  Error e;
  e.kind = Error::Kind::unsupported;
  e.where = "/machines";
  e.message = "several machines are not written for SimGrid";
  return tl::unexpected(std::move(e));
}

}  // namespace busline
