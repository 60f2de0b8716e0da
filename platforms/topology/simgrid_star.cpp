#include "platforms/topology/simgrid_star.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

#include "documents/fields/printable.hpp"
#include "platforms/topology/simgrid_zone_parts.hpp"

namespace busline {
namespace {

class StarReader {
 public:
  StarReader(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone)
      : site_(site), parts_(parts), zone_(zone) {}

  Expected<void> read() {
    if (auto all = parts_.gather(zone_, [this](const pugi::xml_node& node) { return take(node); }); !all)
      return all;
    return build();
  }

 private:
  struct Ends {  // of a host
    pugi::xml_node place;
    std::string_view up, down;
  };

  Expected<bool> take(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    if (name == "host_link") {
      const auto host = parts_.host(node, "id");
      if (!host) return tl::unexpected(host.error());
      ends_.resize(parts_.hosts().size());
      ends_[*host] = {node, node.attribute("up").value(), node.attribute("down").value()};
      return true;
    }
    if (name == "backbone") backbone_ = node;
    return name == "backbone";
  }

  /// A host's own link, by the name of one of its directions; the names of a split link end in _UP or _DOWN.
  Expected<ZoneLink> own_link(const pugi::xml_node& place, std::string_view name,
                              std::string_view direction) const {
    if (const auto* const link = parts_.link(name)) return *link;
    if (name.ends_with(direction)) {
      const auto* const both = parts_.link(name.substr(0, name.size() - direction.size()));
      if (both != nullptr && both->policy == "SPLITDUPLEX") return *both;
    }
    return parts_.refuse(place, fmt::format("there is no link '{}'", printable(name)));
  }

  Expected<void> build() {
    LinkFigures backbone;
    if (backbone_) {
      const auto f = parts_.figures(backbone_);
      if (!f) return tl::unexpected(f.error());
      backbone = *f;
    }
    const auto at = site_.builder.add_switches(1);
    double widest = 0, all = 0;
    ends_.resize(parts_.hosts().size());
    for (std::uint32_t h = 0; h < ends_.size(); ++h) {
      const auto& [place, up_name, down_name] = ends_[h];
      if (!place)
        return parts_.refuse(zone_,
                             fmt::format("host '{}' has no <host_link>", printable(parts_.hosts()[h])));
      const auto up = own_link(place, up_name, "_UP"), down = own_link(place, down_name, "_DOWN");
      if (!up || !down) return tl::unexpected((up ? down : up).error());
      if (up_name == down_name)
        return parts_.refuse(place,
                             "one link for both directions is half duplex, and links here are full duplex");
      if (up->policy == "FATPIPE" || down->policy == "FATPIPE")
        return parts_.refuse(place,
                             "FATPIPE: a link that limits each message separately is not a link of a network "
                             "of switches; a platform expresses it with network.bandwidth");
      if (up->figures != down->figures)
        return parts_.refuse(place, "both directions of a host's link need the same bandwidth and latency");
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
      return parts_.refuse(backbone_,
                           "a backbone narrower than all hosts' links is not a network of switches; a "
                           "platform expresses it with 'buses'");
    return {};
  }

  BuildingSite& site_;
  ZoneParts parts_;
  const pugi::xml_node& zone_;
  std::vector<Ends> ends_;
  pugi::xml_node backbone_;
};

}  // namespace

Expected<void> read_simgrid_star(BuildingSite& site, const GraphParts& parts, const pugi::xml_node& zone) {
  return StarReader(site, parts, zone).read();
}

}  // namespace busline
