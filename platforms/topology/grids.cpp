// Tori, meshes, hypercubes and HyperX: switches with coordinates, the first coordinate fastest.
#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "platforms/topology/families.hpp"

namespace busline {
namespace {

using Wrap = GridShape::Wrap;

// Links along one line of n switches. Two switches have one link, even in a ring.
double links_of_line(Wrap wrap, std::uint32_t n) {
  if (wrap == Wrap::complete) return double(n) * (n - 1) / 2;
  return wrap == Wrap::torus && n > 2 ? n : n - 1;
}

Expected<void> build_grid(BuildingSite& site, const std::vector<std::uint32_t>& dimensions,
                          std::uint32_t hosts, Wrap wrap) {
  constexpr std::size_t kMostDimensions = 32;
  if (dimensions.empty() || dimensions.size() > kMostDimensions)
    return refuse_parameter("/dimensions", fmt::format("expected 1 to {} dimensions, found {}",
                                                       kMostDimensions, dimensions.size()));
  NetworkSize size;
  size.switches = 1;
  for (const auto n : dimensions) {
    if (n == 0) return refuse_parameter("/dimensions", "expected numbers of 1 or more");
    size.switches *= n;
  }
  size.hosts = size.switches * hosts;
  for (const auto n : dimensions) size.links += size.switches / n * links_of_line(wrap, n);
  if (auto good = check_size(size); !good) return good;

  const auto switches = static_cast<std::uint32_t>(size.switches);
  site.add_switches_with_hosts(switches, hosts);
  for (std::uint32_t s = 0; s < switches; ++s) {
    std::uint32_t stride = 1;
    for (const auto n : dimensions) {
      const auto at = s / stride % n;
      if (wrap == Wrap::complete) {
        for (auto to = at + 1; to < n; ++to) site.builder.add_links(s, s + (to - at) * stride, site.link);
      } else if (at + 1 < n) {
        site.builder.add_links(s, s + stride, site.link);
      } else if (wrap == Wrap::torus && n > 2) {
        site.builder.add_links(s, s - at * stride, site.link);
      }
      stride *= n;
    }
  }
  site.builder.set_shape(GridShape{dimensions, wrap});
  return {};
}

}  // namespace

Expected<void> build(BuildingSite& site, const Torus& torus) {
  return build_grid(site, torus.dimensions, torus.hosts, Wrap::torus);
}
Expected<void> build(BuildingSite& site, const Mesh& mesh) {
  return build_grid(site, mesh.dimensions, mesh.hosts, Wrap::mesh);
}
Expected<void> build(BuildingSite& site, const Hypercube& cube) {
  return build_grid(site, std::vector<std::uint32_t>(cube.dimensions, 2), cube.hosts, Wrap::mesh);
}
Expected<void> build(BuildingSite& site, const HyperX& hyperx) {
  return build_grid(site, hyperx.dimensions, hyperx.hosts, Wrap::complete);
}

}  // namespace busline
