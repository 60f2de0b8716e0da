#include "platforms/topology/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include "documents/fields/cursor.hpp"
#include "platforms/topology/families.hpp"
#include "platforms/topology/hop_counts.hpp"
#include "sim/base/random.hpp"

namespace busline {
namespace {

// The effect of faults on one link.
struct LinkState {
  double bandwidth = 1, latency = 1;  // factors; a bandwidth of 0: gone
};

class Damage {
 public:
  explicit Damage(const Topology& whole)
      : whole_(whole), gone_(whole.switches()), links_(whole.links()), host_links_(whole.hosts()) {}

  Expected<void> add(const NetworkFault& fault, const std::string& where) {
    for (std::size_t i = 0; i < fault.switches.size(); ++i)
      if (fault.switches[i] >= whole_.switches())
        return refuse_parameter(
            fmt::format("{}/switches/{}", where, i),
            fmt::format("there is no switch {}, expected 0 to {}", fault.switches[i], whole_.switches() - 1));
    for (std::size_t i = 0; i < fault.links.size(); ++i)
      if (!hit_pair(fault.links[i][0], fault.links[i][1], fault))
        return refuse_parameter(
            fmt::format("{}/links/{}", where, i),
            fmt::format("no link joins switches {} and {}", fault.links[i][0], fault.links[i][1]));
    for (const auto s : fault.switches) hit_switch(s, fault);
    Random random(fault.seed);
    auto switches = left(gone_.size(), [&](std::size_t s) { return !gone_[s]; });
    if (auto good = check(fault.random_switches, switches, where + "/random_switches", "switches"); !good)
      return good;
    shuffle(switches, random);
    for (std::size_t i = 0; i < fault.random_switches; ++i) hit_switch(switches[i], fault);
    auto links = left(links_.size(), [&](std::size_t l) { return links_[l].bandwidth > 0; });
    if (auto good = check(fault.random_links, links, where + "/random_links", "links"); !good) return good;
    shuffle(links, random);
    for (std::size_t i = 0; i < fault.random_links; ++i) hit(links_[links[i]], fault);
    return {};
  }

  // The remains of the network: the switches that the first host reaches, and those with hosts.
  Topology rest() const {
    bool all = true;
    for (const auto& l : links_) all = all && l.bandwidth > 0;
    for (const bool gone : gone_) all = all && !gone;
    const auto everything = rebuilt(std::vector<bool>(gone_.size(), true), all);
    if (all || everything.hosts() == 0) return everything;
    BreadthSearch search(everything);
    const auto& hops = search.from(everything.switch_of(0));
    std::vector<bool> with_hosts(everything.switches());
    for (const auto s : everything.host_switches()) with_hosts[s] = true;
    std::vector<bool> kept(gone_.size());
    for (std::size_t s = 0, number = 0; s < gone_.size(); ++s) {
      if (gone_[s]) continue;
      kept[s] = with_hosts[number] || hops[number] != kNotJoined;
      ++number;
    }
    return rebuilt(kept, false);
  }

 private:
  static void hit(LinkState& link, const NetworkFault& fault) {
    link.bandwidth *= fault.bandwidth_factor;
    link.latency *= fault.latency_factor;
  }
  bool hit_pair(std::uint32_t a, std::uint32_t b, const NetworkFault& fault) {
    bool found = false;
    if (a < whole_.switches())
      for (const auto& port : whole_.ports(a))
        if (port.neighbour == b) {
          hit(links_[port.directed_link / 2], fault);
          found = true;
        }
    return found;
  }
  void hit_switch(std::uint32_t s, const NetworkFault& fault) {
    for (const auto& port : whole_.ports(s)) hit(links_[port.directed_link / 2], fault);
    if (fault.bandwidth_factor == 0) gone_[s] = true;
    for (std::uint32_t h = 0; h < whole_.hosts(); ++h)
      if (whole_.switch_of(h) == s) hit(host_links_[h], fault);
  }
  template <class Predicate>
  static std::vector<std::uint32_t> left(std::size_t count, Predicate is_left) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < count; ++i)
      if (is_left(i)) numbers.push_back(static_cast<std::uint32_t>(i));
    return numbers;
  }
  static Expected<void> check(std::uint32_t wanted, const std::vector<std::uint32_t>& there,
                              std::string where, const char* what) {
    if (wanted <= there.size()) return {};
    return refuse_parameter(std::move(where),
                            fmt::format("{} {}, but {} are left", wanted, what, there.size()));
  }
  static std::uint32_t changed(TopologyBuilder& builder, LinkFigures figures, const LinkState& state) {
    figures.speed *= state.bandwidth;
    if (state.latency != 1)
      figures.latency = std::min(
          kLongestTime, Duration::from_double(static_cast<double>(figures.latency.count()) * state.latency));
    return builder.add_figures(figures);
  }

  Topology rebuilt(const std::vector<bool>& kept, bool same_shape) const {
    TopologyBuilder builder;
    std::vector<std::uint32_t> number(gone_.size());
    std::vector<std::string> names;
    for (std::uint32_t s = 0; s < gone_.size(); ++s)
      if (kept[s] && !gone_[s]) {
        number[s] = builder.add_switches(1);
        names.push_back(whole_.name_of(s));
      }
    if (names.size() < gone_.size() || !whole_.names().empty()) builder.set_names(std::move(names));
    for (std::uint32_t h = 0; h < whole_.hosts(); ++h)
      if (const auto s = whole_.switch_of(h); kept[s] && !gone_[s])
        builder.add_hosts(number[s], 1,
                          changed(builder, whole_.figures_of(whole_.host_up(h)), host_links_[h]));
    for (std::uint32_t l = 0; l < whole_.links(); ++l) {
      const auto [a, b, figures] = whole_.link(l);
      if (links_[l].bandwidth > 0 && kept[a] && kept[b])
        builder.add_links(number[a], number[b], changed(builder, whole_.figures_of(2 * l), links_[l]));
    }
    builder.set_host_ports(whole_.host_ports());
    if (same_shape) builder.set_shape(whole_.shape());
    return std::move(builder).build();
  }

  const Topology& whole_;
  std::vector<bool> gone_;
  std::vector<LinkState> links_, host_links_;
};

}  // namespace

Expected<void> check_one_piece(const Topology& topology, const std::string& where) {
  if (topology.hosts() == 0) return refuse_parameter(where, "the network has no hosts");
  BreadthSearch search(topology);
  const auto& hops = search.from(topology.switch_of(0));
  for (std::uint32_t h = 0; h < topology.hosts(); ++h)
    if (const auto s = topology.switch_of(h); hops[s] == kNotJoined)
      return refuse_parameter(where,
                              fmt::format("host {} at switch {} has no path to host 0 at switch {}", h,
                                          topology.name_of(s), topology.name_of(topology.switch_of(0))));
  return {};
}

Expected<Topology> with_faults(const Topology& whole, const std::vector<NetworkFault>& faults) {
  if (faults.empty()) {
    // The families' networks are connected by construction.
    if (!std::holds_alternative<std::monostate>(whole.shape())) return whole;
    if (auto good = check_one_piece(whole, ""); !good) return tl::unexpected(std::move(good.error()));
    return whole;
  }
  Damage damage(whole);
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (auto good = damage.add(faults[i], fmt::format("/faults/{}", i)); !good)
      return tl::unexpected(std::move(good.error()));
  auto rest = damage.rest();
  if (auto good = check_one_piece(rest, "/faults"); !good) return tl::unexpected(std::move(good.error()));
  return rest;
}

}  // namespace busline
