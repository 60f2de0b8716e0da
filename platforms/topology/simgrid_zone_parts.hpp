// The hosts and links of a zone in SimGrid's platform files, by name, for any routing.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platforms/topology/description.hpp"
#include "platforms/topology/graph_parts.hpp"
#include "sim/base/error.hpp"

namespace pugi {
class xml_node;
}

namespace busline {

struct ZoneLink {
  std::string_view policy;  ///< sharing_policy, "SHARED" if the file has none
  LinkFigures figures;
};

/// Names refer to the document, which must outlive this. Hosts and links are numbered in the order of the
/// file.
class ZoneParts {
 public:
  /// `parts` knows the places in the file and must outlive this.
  explicit ZoneParts(const GraphParts& parts) : parts_(parts) {}

  /// Reads all hosts and links of the zone; other elements go to `take`, in the order of the file. Errors:
  /// those of `take`, elements for which it returns false, no host, duplicate names, more than kMostHosts
  /// hosts or kMostNetworkLinks links, figures without units.
  Expected<void> gather(const pugi::xml_node& zone,
                        const std::function<Expected<bool>(const pugi::xml_node&)>& take);

  const std::vector<std::string_view>& hosts() const { return host_names_; }
  const std::vector<ZoneLink>& links() const { return links_; }
  /// The number of the host or link that an attribute of `node` names. An Error if none precedes it.
  Expected<std::uint32_t> host(const pugi::xml_node& node, const char* attribute) const;
  Expected<std::uint32_t> link(const pugi::xml_node& node, const char* attribute) const;
  /// Null: no element above has this name.
  const ZoneLink* link(std::string_view name) const;

  /// An Error at the place of `node`.
  tl::unexpected<Error> refuse(const pugi::xml_node& node, std::string message) const;
  /// Its bandwidth and latency.
  Expected<LinkFigures> figures(const pugi::xml_node& node) const;

 private:
  using Numbers = std::unordered_map<std::string_view, std::uint32_t>;

  Expected<void> add_host(const pugi::xml_node& node);
  Expected<void> add_link(const pugi::xml_node& node);
  Expected<std::uint32_t> find(const Numbers& all, const pugi::xml_node& node, const char* attribute) const;

  const GraphParts& parts_;
  Numbers host_numbers_, link_numbers_;
  std::vector<std::string_view> host_names_;
  std::vector<ZoneLink> links_;
};

}  // namespace busline
