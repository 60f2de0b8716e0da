#include "platforms/topology/routes.hpp"

#include <cstddef>
#include <utility>
#include <variant>

#include "sim/base/assert.hpp"
#include "sim/base/random.hpp"

namespace busline {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  return Random(a ^ Random(b).next()).next();
}

// The next coordinate on the route from x to y along a line of n switches.
std::uint32_t next_on_line(GridShape::Wrap wrap, std::uint32_t n, std::uint32_t x, std::uint32_t y) {
  if (wrap == GridShape::Wrap::complete) return y;
  const auto up = (y + n - x) % n;
  const bool upwards = wrap == GridShape::Wrap::mesh ? x < y : 2 * up < n || (2 * up == n && x % 2 == 0);
  return upwards ? (x + 1) % n : (x + n - 1) % n;
}

}  // namespace

Expected<Routes> Routes::of(const Topology& topology, Routing routing, std::uint64_t seed) {
  Routes routes(topology, routing, seed);
  const bool in_tree = routing == Routing::minimal && std::holds_alternative<TreeShape>(topology.shape());
  if (in_tree) return routes;
  auto hops = HopCounts::of(topology);
  if (!hops) return tl::unexpected(std::move(hops.error()));
  routes.hops_ = *std::move(hops);
  return routes;
}

void Routes::append(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
                    std::vector<std::uint32_t>& route) const {
  if (from == to) return;
  const auto& t = *topology_;
  const auto pair = mixed(mixed(seed_, hash), std::uint64_t{from} << 32U | to);
  const auto port =
      static_cast<std::uint32_t>((routing_ == Routing::minimal ? to : pair >> 32U) % t.host_ports());
  const auto a = t.switch_of(from), b = t.switch_of(to);
  route.push_back(t.host_up(from, port));
  if (a != b) switch (routing_) {
      case Routing::minimal:
        if (const auto* tree = std::get_if<TreeShape>(&t.shape()))
          append_in_tree(*tree, from, to, route);
        else if (const auto* grid = std::get_if<GridShape>(&t.shape()))
          append_by_dimension(*grid, a, b, to, route);
        else
          append_by_target(a, to, route);
        break;
      case Routing::ecmp:
        append_any_shortest(a, b, pair, route);
        break;
      case Routing::valiant: {
        const auto middle = static_cast<std::uint32_t>(pair % t.switches());
        if (const auto* grid = std::get_if<GridShape>(&t.shape())) {
          append_by_dimension(*grid, a, middle, pair, route);
          append_by_dimension(*grid, middle, b, pair, route);
        } else {
          append_any_shortest(a, middle, pair, route);
          append_any_shortest(middle, b, mixed(pair, 1), route);
        }
        break;
      }
    }
  route.push_back(t.host_down(to, port));
}

void Routes::append_any_shortest(std::uint32_t from, std::uint32_t to, std::uint64_t hash,
                                 std::vector<std::uint32_t>& route) const {
  Random random(hash);
  for (auto at = from; at != to;) {
    const auto nearer = (*hops_)(at, to) - 1;
    // One pass: port n of those that lead closer replaces the chosen one with probability 1 / n.
    std::uint32_t found = 0;
    SwitchPort chosen;
    for (const auto& port : topology_->ports(at))
      if ((*hops_)(port.neighbour, to) == nearer && random.one_in(++found)) chosen = port;
    SIM_ASSERT(found > 0);
    route.push_back(chosen.directed_link);
    at = chosen.neighbour;
  }
}

void Routes::append_by_target(std::uint32_t from, std::uint32_t to_host,
                              std::vector<std::uint32_t>& route) const {
  const auto to = topology_->switch_of(to_host);
  // The target's number digit by digit, as in d-mod-k: with the same digit at every switch, routes that part
  // at the first one would never use all choices of the next ones. When the digits run out, they are random.
  std::uint64_t lane = to_host, most = topology_->hosts();
  for (auto at = from; at != to;) {
    const auto nearer = (*hops_)(at, to) - 1;
    std::uint32_t count = 0;
    for (const auto& port : topology_->ports(at)) count += (*hops_)(port.neighbour, to) == nearer ? 1U : 0U;
    SIM_ASSERT(count > 0);
    auto skip = lane % count;
    lane /= count;
    most = (most + count - 1) / count;
    if (most <= 1) {
      lane = mixed(to_host, at);
      most = UINT64_MAX / 2;
    }
    for (const auto& port : topology_->ports(at)) {
      if ((*hops_)(port.neighbour, to) != nearer || skip-- > 0) continue;
      route.push_back(port.directed_link);
      at = port.neighbour;
      break;
    }
  }
}

// Takes one of the cables to a neighbour, `lane` modulo their number; returns the neighbour.
std::uint32_t Routes::append_cable(std::uint32_t at, std::uint32_t neighbour, std::uint64_t lane,
                                   std::vector<std::uint32_t>& route) const {
  std::uint64_t cables = 0;
  for (const auto& port : topology_->ports(at)) cables += port.neighbour == neighbour ? 1U : 0U;
  SIM_ASSERT(cables > 0);
  auto skip = lane % cables;
  for (const auto& port : topology_->ports(at))
    if (port.neighbour == neighbour && skip-- == 0) {
      route.push_back(port.directed_link);
      break;
    }
  return neighbour;
}

void Routes::append_by_dimension(const GridShape& grid, std::uint32_t from, std::uint32_t to,
                                 std::uint64_t lane, std::vector<std::uint32_t>& route) const {
  auto at = from;
  std::uint32_t stride = 1;
  for (const auto n : grid.dimensions) {
    const auto y = to / stride % n;
    for (auto x = at / stride % n; x != y;) {
      const auto next = next_on_line(grid.wrap, n, x, y);
      at = append_cable(at, at + next * stride - x * stride, lane, route);
      x = next;
    }
    stride *= n;
  }
}

// D-mod-k: at level l the route up to host j takes port j / W_l modulo the w * p ports upwards (Zahavi,
// "D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees", 2010), and
// the route down the same cable: so each link downwards belongs to one set of targets. Numbers of switches as
// in trees.cpp.
void Routes::append_in_tree(const TreeShape& tree, std::uint32_t from_host, std::uint32_t to_host,
                            std::vector<std::uint32_t>& route) const {
  const auto& t = *topology_;
  struct Step {
    std::uint32_t first;  // of the level's switches
    std::uint32_t tops;   // W_l
    std::uint32_t lane;   // between this level and the next
  };
  std::vector<Step> below;
  auto at = t.switch_of(from_host);
  // The subtrees of this level that hold the two hosts.
  auto from = from_host / tree.down[0], to = to_host / tree.down[0];
  std::uint32_t subtrees = t.hosts() / tree.down[0], position = 0;
  Step level{0, 1, 0};
  for (std::size_t l = 0; from != to; ++l) {
    const auto w = tree.up[l + 1], m = tree.down[l + 1];
    const auto port = to_host / level.tops % (w * tree.parallel[l + 1]);
    level.lane = port / w;
    below.push_back(level);
    const auto above = level.first + subtrees * level.tops;
    position += level.tops * (port % w);
    subtrees /= m;
    from /= m;
    at = append_cable(at, above + from * level.tops * w + position, level.lane, route);
    level = {above, level.tops * w, 0};
    to /= m;
  }
  for (auto step = below.rbegin(); step != below.rend(); ++step) {
    // The index of the target's subtree at this level.
    auto subtree = to_host;
    for (std::size_t l = 0; l < static_cast<std::size_t>(below.rend() - step); ++l) subtree /= tree.down[l];
    at = append_cable(at, step->first + subtree * step->tops + position % step->tops, step->lane, route);
  }
}

}  // namespace busline
