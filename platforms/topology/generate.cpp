#include "platforms/topology/generate.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "platforms/topology/families.hpp"
#include "platforms/topology/faults.hpp"

namespace busline {

std::uint32_t BuildingSite::add_switches_with_hosts(std::uint32_t count, std::uint32_t hosts) {
  const auto first = builder.add_switches(count);
  for (std::uint32_t s = 0; s < count; ++s) builder.add_hosts(first + s, hosts, host_link);
  return first;
}

tl::unexpected<Error> refuse_parameter(std::string where, std::string message) {
  Error e;
  e.where = std::move(where);
  e.message = std::move(message);
  return tl::unexpected(std::move(e));
}

Expected<void> check_size(const NetworkSize& size) {
  const auto check = [](double count, std::uint32_t most, const char* what) -> Expected<void> {
    if (count <= most) return {};
    return refuse_parameter(
        "", fmt::format("the network would have {:.4g} {}, expected {} at most", count, what, most));
  };
  if (auto good = check(size.switches, kMostSwitches, "switches"); !good) return good;
  if (auto good = check(size.hosts, kMostHosts, "hosts"); !good) return good;
  return check(size.links, kMostNetworkLinks, "links");
}

Expected<Topology> make_whole_topology(const TopologyDescription& description) {
  BuildingSite site;
  site.link = site.builder.add_figures(description.link);
  site.host_link = site.builder.add_figures(description.host_link.value_or(description.link));
  site.builder.set_host_ports(description.host_ports);
  auto built = std::visit([&](const auto& family) { return build(site, family); }, description.family);
  if (!built) return tl::unexpected(std::move(built.error()));
  return std::move(site.builder).build();
}

Expected<Topology> make_topology(const TopologyDescription& description) {
  return make_whole_topology(description).and_then([&](const Topology& whole) {
    return with_faults(whole, description.faults);
  });
}

}  // namespace busline
