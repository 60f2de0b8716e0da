// Jellyfish: a random graph of equal degrees. It starts as a ring in which each switch is joined to its
// nearest neighbours; then pairs of links exchange ends, ten times as often as there are links. Every such
// graph without double links can result (Taylor 1981: exchanges connect all of them); the random numbers are
// the same on every machine.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "platforms/topology/families.hpp"
#include "sim/base/random.hpp"

namespace busline {
namespace {

using SwitchPair = std::pair<std::uint32_t, std::uint32_t>;

class RegularGraph {
 public:
  RegularGraph(std::uint32_t switches, std::uint32_t degree) : neighbours_(switches) {
    for (std::uint32_t s = 0; s < switches; ++s)
      for (std::uint32_t step = 1; step <= degree / 2; ++step) join(s, (s + step) % switches);
    if (degree % 2 == 1)
      for (std::uint32_t s = 0; s < switches / 2; ++s) join(s, s + switches / 2);
  }
  void exchange(Random& random) {
    const auto edges = static_cast<std::uint32_t>(edges_.size());
    auto& first = edges_[random.below(edges)];
    auto& second = edges_[random.below(edges)];
    if (random.one_in(2)) std::swap(second.first, second.second);
    const auto [a, b] = first;
    const auto [c, d] = second;
    if (a == d || c == b || a == c || b == d || joined(a, d) || joined(c, b)) return;
    replace(a, b, d);
    replace(b, a, c);
    replace(c, d, b);
    replace(d, c, a);
    first = {a, d};
    second = {c, b};
  }
  bool connected() const {
    std::vector<bool> seen(neighbours_.size());
    std::vector<std::uint32_t> open{0};
    seen[0] = true;
    std::size_t count = 0;
    while (!open.empty()) {
      const auto s = open.back();
      open.pop_back();
      ++count;
      for (const auto n : neighbours_[s])
        if (!seen[n]) {
          seen[n] = true;
          open.push_back(n);
        }
    }
    return count == neighbours_.size();
  }
  std::size_t size() const { return edges_.size(); }
  std::vector<SwitchPair> sorted() const {
    auto edges = edges_;
    for (auto& [a, b] : edges)
      if (a > b) std::swap(a, b);
    std::sort(edges.begin(), edges.end());
    return edges;
  }

 private:
  void join(std::uint32_t a, std::uint32_t b) {
    edges_.emplace_back(a, b);
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
  }
  bool joined(std::uint32_t a, std::uint32_t b) const {
    return std::find(neighbours_[a].begin(), neighbours_[a].end(), b) != neighbours_[a].end();
  }
  void replace(std::uint32_t of, std::uint32_t old, std::uint32_t by) {
    *std::find(neighbours_[of].begin(), neighbours_[of].end(), old) = by;
  }
  std::vector<SwitchPair> edges_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
};

}  // namespace

Expected<void> build(BuildingSite& site, const Jellyfish& j) {
  if (j.degree < 3 || j.degree >= j.switches)
    return refuse_parameter("/degree", fmt::format("expected 3 to {} (one less than the switches), found {}",
                                                   std::max(j.switches, 4U) - 1, j.degree));
  if (j.switches % 2 != 0 && j.degree % 2 != 0)
    return refuse_parameter("/degree", "expected an even number, since that of the switches is odd");
  const auto links = double(j.switches) * j.degree / 2;
  if (auto good = check_size({double(j.switches), double(j.switches) * j.hosts, links}); !good) return good;

  RegularGraph graph(j.switches, j.degree);
  Random random(j.seed);
  // Almost all random graphs of degree 3 or more are connected.
  do {
    for (std::size_t i = 0; i < 10 * graph.size(); ++i) graph.exchange(random);
  } while (!graph.connected());

  site.add_switches_with_hosts(j.switches, j.hosts);
  for (const auto& [a, b] : graph.sorted()) site.builder.add_links(a, b, site.link);
  return {};
}

}  // namespace busline
