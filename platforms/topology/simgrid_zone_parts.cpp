#include "platforms/topology/simgrid_zone_parts.hpp"

#include <fmt/format.h>

#include <pugixml.hpp>
#include <utility>

#include "documents/fields/printable.hpp"
#include "platforms/topology/simgrid_values.hpp"

namespace busline {

Expected<void> ZoneParts::gather(const pugi::xml_node& zone,
                                 const std::function<Expected<bool>(const pugi::xml_node&)>& take) {
  for (const auto& node : zone.children()) {
    const std::string_view name = node.name();
    if (node.type() != pugi::node_element || name == "prop") continue;
    Expected<void> added;
    if (name == "host") {
      added = add_host(node);
    } else if (name == "link") {
      added = add_link(node);
    } else {
      const auto taken = take(node);
      if (!taken) return tl::unexpected(taken.error());
      if (!*taken) return refuse(node, fmt::format("<{}> is not read in such a zone", printable(name)));
    }
    if (!added) return added;
  }
  if (host_names_.empty()) return refuse(zone, "the zone has no <host>");
  return {};
}

Expected<std::uint32_t> ZoneParts::host(const pugi::xml_node& node, const char* attribute) const {
  return find(host_numbers_, node, attribute);
}

Expected<std::uint32_t> ZoneParts::link(const pugi::xml_node& node, const char* attribute) const {
  return find(link_numbers_, node, attribute);
}

const ZoneLink* ZoneParts::link(std::string_view name) const {
  const auto found = link_numbers_.find(name);
  return found == link_numbers_.end() ? nullptr : &links_[found->second];
}

tl::unexpected<Error> ZoneParts::refuse(const pugi::xml_node& node, std::string message) const {
  return tl::unexpected(parts_.error(static_cast<std::size_t>(node.offset_debug()), std::move(message)));
}

Expected<LinkFigures> ZoneParts::figures(const pugi::xml_node& node) const {
  const auto bandwidth = simgrid_bandwidth(node.attribute("bandwidth").value());
  const auto latency = simgrid_latency(node.attribute("latency").as_string("0s"));
  if (!bandwidth || !latency)
    return refuse(node, fmt::format("bandwidth=\"{}\" latency=\"{}\": expected both with their units, such "
                                    "as 1GBps and 10us",
                                    printable(node.attribute("bandwidth").value()),
                                    printable(node.attribute("latency").value())));
  return LinkFigures{*latency, *bandwidth};
}

Expected<void> ZoneParts::add_host(const pugi::xml_node& node) {
  const std::string_view id = node.attribute("id").value();
  const auto number = static_cast<std::uint32_t>(host_names_.size());
  if (id.empty()) return refuse(node, "a host without an id");
  if (number == kMostHosts) return refuse(node, fmt::format("more than {} hosts", kMostHosts));
  if (!host_numbers_.emplace(id, number).second)
    return refuse(node, fmt::format("there are two hosts '{}'", printable(id)));
  host_names_.push_back(id);
  return {};
}

Expected<void> ZoneParts::add_link(const pugi::xml_node& node) {
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

Expected<std::uint32_t> ZoneParts::find(const Numbers& all, const pugi::xml_node& node,
                                        const char* attribute) const {
  const std::string_view name = node.attribute(attribute).value();
  const auto found = all.find(name);
  if (found != all.end()) return found->second;
  return refuse(node, fmt::format("{}=\"{}\": no element above has this name", attribute, printable(name)));
}

}  // namespace busline
