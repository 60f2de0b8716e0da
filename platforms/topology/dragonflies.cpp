// Dragonflies. The global ports of a group are numbered over its routers, and port j leads to group j
// (skipping its own number): the absolute arrangement of Hastings et al. 2015 ("Comparing global link
// arrangements for dragonfly networks"). With fewer than the maximum of groups, each pair of groups has
// equally many cables, as many as possible, on ports spread evenly over the routers.
#include <fmt/format.h>

#include <optional>

#include "platforms/topology/families.hpp"

namespace busline {
namespace {

struct GlobalLinks {
  std::uint32_t groups;
  std::uint32_t routers;       // of a group, that have global ports
  std::uint32_t first_router;  // in the group
  std::uint32_t group_size;
  std::uint32_t figures = 0;
  std::uint32_t cables = 0;  // of each pair of groups
};

Expected<GlobalLinks> plan(const GlobalLinks& wanted, std::uint32_t global) {
  auto links = wanted;
  const auto ports = double(wanted.routers) * global;
  if (wanted.groups > 1 && ports < wanted.groups - 1)
    return refuse_parameter("/groups",
                            fmt::format("{} groups: each needs a link to all others, but has {} global ports",
                                        wanted.groups, ports));
  if (wanted.groups > 1) links.cables = static_cast<std::uint32_t>(ports / (wanted.groups - 1));
  return links;
}

double count(const GlobalLinks& l) {
  return double(l.groups) * (l.groups - 1) / 2 * l.cables;
}

void add(BuildingSite& site, const GlobalLinks& l) {
  const auto used = std::uint64_t{l.groups - 1} * l.cables;
  const auto router = [&](std::uint32_t group, std::uint32_t to, std::uint32_t cable) {
    const auto port = std::uint64_t{cable} * (l.groups - 1) + (to < group ? to : to - 1);
    return group * l.group_size + l.first_router + static_cast<std::uint32_t>(port * l.routers / used);
  };
  for (std::uint32_t a = 0; a < l.groups; ++a)
    for (std::uint32_t b = a + 1; b < l.groups; ++b)
      for (std::uint32_t cable = 0; cable < l.cables; ++cable)
        site.builder.add_links(router(a, b, cable), router(b, a, cable), l.figures);
}

std::uint32_t global_figures(BuildingSite& site, const std::optional<LinkFigures>& own) {
  return own ? site.builder.add_figures(*own) : site.link;
}

}  // namespace

Expected<void> build(BuildingSite& site, const Dragonfly& d) {
  const auto group = double(d.chassis) * d.routers;
  NetworkSize size{group * d.groups, group * d.groups * d.hosts, 0};
  if (auto good = check_size(size); !good) return good;
  const auto members = d.chassis * d.routers;
  const auto global = plan({d.groups, members, 0, members, global_figures(site, d.global_link)}, d.global);
  if (!global) return tl::unexpected(global.error());
  size.links = group * d.groups * (d.routers + d.chassis - 2) / 2 + count(*global);
  if (auto good = check_size(size); !good) return good;

  site.add_switches_with_hosts(members * d.groups, d.hosts);
  for (std::uint32_t g = 0; g < d.groups; ++g)
    for (std::uint32_t a = 0; a < members; ++a)
      for (std::uint32_t b = a + 1; b < members; ++b)
        if (a / d.routers == b / d.routers || a % d.routers == b % d.routers)
          site.builder.add_links(g * members + a, g * members + b, site.link);
  add(site, *global);
  site.builder.set_shape(GroupShape{members});
  return {};
}

Expected<void> build(BuildingSite& site, const DragonflyPlus& d) {
  const auto group = double(d.leaves) + d.spines;
  NetworkSize size{group * d.groups, double(d.leaves) * d.groups * d.hosts, 0};
  if (auto good = check_size(size); !good) return good;
  const auto members = d.leaves + d.spines;
  const auto global =
      plan({d.groups, d.spines, d.leaves, members, global_figures(site, d.global_link)}, d.global);
  if (!global) return tl::unexpected(global.error());
  size.links = double(d.leaves) * d.spines * d.groups + count(*global);
  if (auto good = check_size(size); !good) return good;

  for (std::uint32_t g = 0; g < d.groups; ++g) {
    const auto leaves = site.add_switches_with_hosts(d.leaves, d.hosts);
    const auto spines = site.builder.add_switches(d.spines);
    for (std::uint32_t leaf = leaves; leaf < leaves + d.leaves; ++leaf)
      for (std::uint32_t spine = spines; spine < spines + d.spines; ++spine)
        site.builder.add_links(leaf, spine, site.link);
  }
  add(site, *global);
  site.builder.set_shape(GroupShape{members});
  return {};
}

}  // namespace busline
