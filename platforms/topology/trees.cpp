// Stars and trees. A tree has levels 1 (at the hosts) to h. With m_i children and w_i parents at level i, a
// subtree of level l has W_l = w_1 ... w_l switches at its top; switch t * W_l + p of level l is the one with
// position p at the top of subtree t. Its parents have the positions p + W_l * b, b = 0 ... w_(l+1) - 1, at
// the top of subtree t / m_(l+1).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "platforms/topology/families.hpp"

namespace busline {
namespace {

constexpr std::size_t kMostLevels = 16;

// Switches of each level.
std::vector<double> level_sizes(const GeneralTree& tree) {
  std::vector<double> sizes;
  for (std::size_t l = 1; l <= tree.down.size(); ++l) {
    double size = 1;
    for (std::size_t i = 0; i < l; ++i) size *= tree.up[i];
    for (std::size_t i = l; i < tree.down.size(); ++i) size *= tree.down[i];
    sizes.push_back(size);
  }
  return sizes;
}

NetworkSize size_of(const GeneralTree& tree) {
  NetworkSize size;
  size.hosts = 1;
  for (const auto m : tree.down) size.hosts *= m;
  const auto levels = level_sizes(tree);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    size.switches += levels[l];
    if (l + 1 < levels.size()) size.links += levels[l] * tree.up[l + 1] * tree.parallel[l + 1];
  }
  return size;
}

Expected<void> check_lists(const GeneralTree& tree) {
  const auto levels = tree.down.size();
  if (levels == 0 || levels > kMostLevels)
    return refuse_parameter("/down", fmt::format("expected 1 to {} levels, found {}", kMostLevels, levels));
  for (const auto& [where, list] : {std::pair{"/up", &tree.up}, std::pair{"/parallel", &tree.parallel}})
    if (list->size() != levels)
      return refuse_parameter(
          where,
          fmt::format("expected {} numbers, one for each level of 'down', found {}", levels, list->size()));
  for (const auto& [where, list] :
       {std::pair{"/down", &tree.down}, std::pair{"/up", &tree.up}, std::pair{"/parallel", &tree.parallel}})
    if (std::find(list->begin(), list->end(), 0U) != list->end())
      return refuse_parameter(where, "expected numbers of 1 or more");
  if (tree.up[0] != 1)
    return refuse_parameter("/up",
                            "expected 1 as the first number: a host is at one switch ('host_ports' gives it "
                            "several links to that)");
  if (tree.parallel[0] != 1)
    return refuse_parameter("/parallel",
                            "expected 1 as the first number: 'host_ports' gives hosts several links");
  return {};
}

}  // namespace

Expected<void> build(BuildingSite& site, const StarNetwork& star) {
  if (auto good = check_size({1, double(star.hosts), 0}); !good) return good;
  site.add_switches_with_hosts(1, star.hosts);
  site.builder.set_shape(TreeShape{{star.hosts}, {1}, {1}});
  return {};
}

Expected<void> build(BuildingSite& site, const FatTree& tree) {
  const auto half = tree.k / 2;
  if (tree.k < 2 || tree.k % 2 != 0)
    return refuse_parameter("/k", fmt::format("expected an even number of ports, found {}", tree.k));
  if (tree.taper == 0 || half % tree.taper != 0)
    return refuse_parameter("/taper",
                            fmt::format("expected a divisor of k / 2 = {}, found {}", half, tree.taper));
  return build(site, GeneralTree{{half, half, tree.k}, {1, half / tree.taper, half}, {1, 1, 1}});
}

Expected<void> build(BuildingSite& site, const KaryTree& tree) {
  if (tree.levels == 0 || tree.levels > kMostLevels)
    return refuse_parameter("/levels", fmt::format("expected 1 to {}, found {}", kMostLevels, tree.levels));
  GeneralTree general;
  general.down.assign(tree.levels, tree.k);
  general.up.assign(tree.levels, tree.k);
  general.up[0] = 1;
  general.parallel.assign(tree.levels, 1);
  return build(site, general);
}

Expected<void> build(BuildingSite& site, const GeneralTree& described) {
  auto tree = described;
  if (tree.parallel.empty()) tree.parallel.assign(tree.down.size(), 1);
  if (auto good = check_lists(tree); !good) return good;
  if (auto good = check_size(size_of(tree)); !good) return good;
  const auto levels = level_sizes(tree);
  std::uint32_t first = site.add_switches_with_hosts(static_cast<std::uint32_t>(levels[0]), tree.down[0]);
  std::uint32_t tops = 1;  // W_l
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    tops *= tree.up[l];
    const auto above = site.builder.add_switches(static_cast<std::uint32_t>(levels[l + 1]));
    for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(levels[l]); ++s) {
      const auto subtree = s / tops / tree.down[l + 1], position = s % tops;
      for (std::uint32_t b = 0; b < tree.up[l + 1]; ++b)
        site.builder.add_links(first + s, above + subtree * tops * tree.up[l + 1] + position + tops * b,
                               site.link, tree.parallel[l + 1]);
    }
    first = above;
  }
  site.builder.set_shape(TreeShape{tree.down, tree.up, tree.parallel});
  return {};
}

}  // namespace busline
