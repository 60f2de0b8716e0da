#include "platforms/topology/topology.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/assert.hpp"

namespace busline {

std::string Topology::name_of(std::uint32_t sw) const {
  return names_.empty() ? std::to_string(sw) : names_[sw];
}

const LinkFigures& Topology::figures_of(std::uint32_t directed_link) const {
  const auto link = directed_link / 2;
  if (link < links()) return figures_[links_[link].figures];
  return figures_[host_figures_[(link - links()) / host_ports_]];
}

std::uint32_t TopologyBuilder::add_figures(const LinkFigures& figures) {
  auto& all = made_.figures_;
  const auto known = std::find(all.begin(), all.end(), figures);
  if (known != all.end()) return static_cast<std::uint32_t>(known - all.begin());
  all.push_back(figures);
  return static_cast<std::uint32_t>(all.size() - 1);
}

std::uint32_t TopologyBuilder::add_switches(std::uint32_t count) {
  return std::exchange(made_.switches_, made_.switches_ + count);
}

void TopologyBuilder::add_hosts(std::uint32_t sw, std::uint32_t count, std::uint32_t figures) {
  made_.host_switch_.insert(made_.host_switch_.end(), count, sw);
  made_.host_figures_.insert(made_.host_figures_.end(), count, figures);
}

void TopologyBuilder::add_links(std::uint32_t a, std::uint32_t b, std::uint32_t figures,
                                std::uint32_t count) {
  SIM_ASSERT(a != b && a < made_.switches_ && b < made_.switches_);
  made_.links_.insert(made_.links_.end(), count, SwitchLink{a, b, figures});
}

Topology TopologyBuilder::build() && {
  auto& first = made_.first_port_;
  first.assign(std::size_t{made_.switches_} + 1, 0);
  for (const auto& l : made_.links_) {
    ++first[l.a + 1];
    ++first[l.b + 1];
  }
  for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
  auto next = first;
  made_.ports_.resize(2 * made_.links_.size());
  for (std::uint32_t l = 0; l < made_.links(); ++l) {
    const auto& [a, b, figures] = made_.links_[l];
    made_.ports_[next[a]++] = {b, 2 * l};
    made_.ports_[next[b]++] = {a, 2 * l + 1};
  }
  return std::move(made_);
}

}  // namespace busline
