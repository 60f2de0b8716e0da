// SimGrid's platform files (version 4.1): one cluster, flat or with a topology; or a zone of single hosts
// (simgrid_zone.hpp). Elements without a counterpart among switches and full-duplex links are rejected by
// name.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <pugixml.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "documents/fields/printable.hpp"
#include "platforms/topology/graph_file.hpp"
#include "platforms/topology/graph_parts.hpp"
#include "platforms/topology/simgrid_values.hpp"
#include "platforms/topology/simgrid_zone.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

using Numbers = std::vector<std::uint32_t>;

// "4,2,2"; nothing if that is not a list of numbers from 1 to kMostSwitches.
std::optional<Numbers> numbers(std::string_view text) {
  Numbers list;
  for (const auto part : split(text, ',')) {
    const auto n = whole_number<std::uint32_t>(part);
    if (!n || *n == 0 || *n > kMostSwitches) return std::nullopt;
    list.push_back(*n);
  }
  return list;
}

// The number of hosts in "0-31,40".
std::optional<std::uint64_t> hosts_of_radical(std::string_view text) {
  std::uint64_t hosts = 0;
  for (const auto part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = whole_number<std::uint32_t>(part.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : whole_number<std::uint32_t>(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    hosts += std::uint64_t{*last} - *first + 1;
  }
  return hosts;
}

class ClusterReader {
 public:
  ClusterReader(BuildingSite& site, const std::string& path, const std::string& text)
      : site_(site), parts_(path, text) {}

  Expected<void> read(const std::string& text) {
    pugi::xml_document document;
    const auto parsed = document.load_buffer(text.data(), text.size());
    if (!parsed)
      return tl::unexpected(parts_.error(static_cast<std::size_t>(parsed.offset),
                                         fmt::format("XML: {}", parsed.description())));
    at_ = document.child("platform");
    if (!at_) return tl::unexpected(parts_.error(0, "expected <platform>, as in SimGrid's files"));
    // A cluster may be in a zone that holds nothing else.
    constexpr int kDeepest = 64;
    for (int depth = 0; std::string_view(at_.name()) != "cluster"; ++depth) {
      if (at_.child("host")) return read_simgrid_zone(site_, parts_, at_);
      pugi::xml_node inner;
      for (const auto& child : at_.children()) {
        const std::string_view name = child.name();
        if (child.type() != pugi::node_element || name == "config" || name == "prop") continue;
        if ((name != "cluster" && name != "zone" && name != "AS") || inner || depth == kDeepest)
          return refuse(child, fmt::format("<{}> is not read, expected one <cluster>, or one <zone> of hosts",
                                           printable(name)));
        inner = child;
      }
      if (!inner) return refuse(at_, "expected one <cluster>, or one <zone> of hosts");
      at_ = inner;
    }
    return read_cluster();
  }

 private:
  tl::unexpected<Error> refuse(const pugi::xml_node& node, std::string message) const {
    return tl::unexpected(parts_.error(static_cast<std::size_t>(node.offset_debug()), std::move(message)));
  }
  tl::unexpected<Error> refuse_value(const char* attribute, std::string_view expected) const {
    return refuse(at_, fmt::format("{}=\"{}\": expected {}", attribute,
                                   printable(at_.attribute(attribute).value()), expected));
  }

  Expected<LinkFigures> figures() const {
    LinkFigures f;
    const auto latency = simgrid_latency(at_.attribute("lat").value());
    if (!latency) return refuse_value("lat", "a time with its unit, such as 10us");
    f.latency = *latency;
    const auto bandwidth = simgrid_bandwidth(at_.attribute("bw").value());
    if (!bandwidth) return refuse_value("bw", "a bandwidth with its unit, such as 10GBps");
    f.bandwidth = *bandwidth;
    return f;
  }

  Expected<void> read_cluster() {
    const std::string_view policy = at_.attribute("sharing_policy").as_string("SPLITDUPLEX");
    if (policy != "SPLITDUPLEX") return refuse_value("sharing_policy", "SPLITDUPLEX: links are full duplex");
    const auto hosts = hosts_of_radical(at_.attribute("radical").value());
    if (!hosts || *hosts == 0 || *hosts > kMostHosts) return refuse_value("radical", "ranges such as 0-31");
    auto link = figures();
    if (!link) return tl::unexpected(link.error());
    if (auto added = add_backbone(*link, *hosts); !added) return added;
    site_.link = site_.host_link = site_.builder.add_figures(*link);
    const std::string_view topology = at_.attribute("topology").as_string("FLAT");
    Expected<void> built;
    if (topology == "FLAT")
      built = busline::build(site_, StarNetwork{static_cast<std::uint32_t>(*hosts)});
    else if (topology == "TORUS")
      built = torus();
    else if (topology == "FAT_TREE")
      built = fat_tree();
    else if (topology == "DRAGONFLY")
      built = dragonfly(*link);
    else
      return refuse_value("topology", "FLAT, TORUS, FAT_TREE or DRAGONFLY");
    if (!built)
      return built.error().path.empty() ? Expected<void>(refuse(at_, built.error().message)) : built;
    if (made_hosts_ != 0 && made_hosts_ != *hosts)
      return refuse_value("radical", fmt::format("the {} hosts of the topology", made_hosts_));
    return {};
  }

  /// A backbone that all hosts together cannot saturate only adds its latency, half of it to each link.
  Expected<void> add_backbone(LinkFigures& link, std::uint64_t hosts) {
    if (!at_.attribute("bb_bw") && !at_.attribute("bb_lat")) return {};
    const auto bandwidth = simgrid_bandwidth(at_.attribute("bb_bw").value());
    const auto latency = simgrid_latency(at_.attribute("bb_lat").as_string("0s"));
    if (!bandwidth) return refuse_value("bb_bw", "a bandwidth with its unit, such as 10GBps");
    if (!latency) return refuse_value("bb_lat", "a time with its unit, such as 10us");
    const bool each = std::string_view(at_.attribute("bb_sharing_policy").value()) == "FATPIPE";
    if (bandwidth->in_bytes_per_second() <
        link.bandwidth->in_bytes_per_second() * (each ? 1. : static_cast<double>(hosts)))
      return refuse(at_,
                    "bb_bw: a backbone narrower than all hosts' links is not a network of switches; a "
                    "platform expresses it with 'buses'");
    link.latency += Duration::picoseconds(latency->count() / 2);
    return {};
  }

  tl::unexpected<Error> refuse_parameters(std::string_view form) const {
    return refuse_value("topo_parameters", fmt::format("{}, numbers of 1 or more", form));
  }
  std::string_view parameters() const { return at_.attribute("topo_parameters").value(); }

  // A torus's hosts are its routers: nothing lies between them.
  Expected<void> torus() {
    const auto dimensions = numbers(parameters());
    if (!dimensions) return refuse_parameters("\"X,Y,Z\"");
    made_hosts_ = 1;
    for (const auto n : *dimensions) made_hosts_ *= n;
    site_.host_link = site_.builder.add_figures({{}, Bandwidth::unlimited()});
    return busline::build(site_, Torus{*dimensions, 1});
  }

  Expected<void> fat_tree() {
    const auto lists = split(parameters(), ';');
    std::vector<Numbers> read;
    for (const auto list : lists)
      if (auto n = numbers(list)) read.push_back(*std::move(n));
    if (lists.size() != 4 || read.size() != 4 || read[0].size() != 1 || read[1].size() != read[0][0])
      return refuse_parameters("\"LEVELS;DOWN,...;UP,...;COUNT,...\"");
    auto& parallel = read[3];
    made_hosts_ = 1;
    for (const auto m : read[1]) made_hosts_ *= m;
    if (!parallel.empty()) site_.builder.set_host_ports(std::exchange(parallel[0], 1));
    return busline::build(site_, GeneralTree{read[1], read[2], parallel});
  }

  // Router i of group j is joined to router j of group i; cables of a kind are one link with their total
  // bandwidth.
  Expected<void> dragonfly(const LinkFigures& link) {
    const auto lists = split(parameters(), ';');
    std::vector<Numbers> p;
    for (const auto list : lists)
      if (auto n = numbers(list)) p.push_back(*std::move(n));
    if (lists.size() != 4 || p.size() != 4 || p[0].size() != 2 || p[1].size() != 2 || p[2].size() != 2 ||
        p[3].size() != 1)
      return refuse_parameters("\"GROUPS,N;CHASSIS,N;ROUTERS,N;NODES\"");
    const auto groups = p[0][0], chassis = p[1][0], routers = p[2][0], nodes = p[3][0];
    const auto members = double(chassis) * routers;
    if (auto good =
            check_size({members * groups, members * groups * nodes,
                        members * groups * (routers + chassis - 2) / 2 + double(groups) * (groups - 1) / 2});
        !good)
      return good;
    const auto size = chassis * routers;
    if (groups > size)
      return refuse_value("topo_parameters",
                          "no more groups than routers in a group, each of which leads to one group");
    made_hosts_ = std::uint64_t{size} * groups * nodes;
    const auto wide = [&](std::uint32_t cables) {
      auto f = link;
      f.bandwidth = Bandwidth::bytes_per_second(link.bandwidth->in_bytes_per_second() * cables);
      return site_.builder.add_figures(f);
    };
    const auto blue = wide(p[0][1]), black = wide(p[1][1]), green = wide(p[2][1]);
    site_.add_switches_with_hosts(size * groups, nodes);
    for (std::uint32_t g = 0; g < groups; ++g) {
      for (std::uint32_t a = 0; a < size; ++a)
        for (std::uint32_t b = a + 1; b < size; ++b)
          if (a / routers == b / routers || a % routers == b % routers)
            site_.builder.add_links(g * size + a, g * size + b, a / routers == b / routers ? green : black);
      for (std::uint32_t h = g + 1; h < groups; ++h)
        site_.builder.add_links(g * size + h, h * size + g, blue);
    }
    site_.builder.set_shape(GroupShape{size});
    return {};
  }

  BuildingSite& site_;
  GraphParts parts_;
  pugi::xml_node at_;
  std::uint64_t made_hosts_ = 0;  // 0: from the radical
};

}  // namespace

Expected<void> read_simgrid_xml(BuildingSite& site, const std::string& path, const std::string& text) {
  return ClusterReader(site, path, text).read(text);
}

}  // namespace busline
