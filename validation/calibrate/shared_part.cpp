#include "validation/calibrate/shared_part.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "workloads/kernels/operations.hpp"

namespace busline::calibrate {
namespace {

NodeGroup& nodes_of(Platform& platform) {
  return platform.machines.front().nodes.front();
}

Links& network_links(Platform& p) {
  return nodes_of(p).links;
}
Count& network_buses(Platform& p) {
  return p.machines.front().network.buses;
}
Links& memory_links(Platform& p) {
  return nodes_of(p).intra_node.links;
}
Count& memory_buses(Platform& p) {
  return nodes_of(p).intra_node.buses;
}

}  // namespace

Links server_links(bool half_duplex, Count n) {
  if (n == kUnlimited) return {};
  return {half_duplex ? Links::Kind::half_duplex : Links::Kind::full_duplex, n, n};
}

Suites SharedPart::all() const {
  Suites both = flows;
  both.insert(both.end(), pairs.begin(), pairs.end());
  return both;
}

SharedPart network_part() {
  return {{}, {}, 0, network_links, network_buses};
}

SharedPart memory_part() {
  return {{}, {}, 0, memory_links, memory_buses};
}

Count most_pairs(const Suites& suites) {
  std::uint64_t most = 0;
  for (const auto* s : suites) {
    const auto last = s->varies == measure::Varies::bytes ? 1 : s->points.back().argument;
    // If the number of ranks varies, one of them sends to all others.
    most =
        std::max(most, s->varies == measure::Varies::ranks ? last - std::min<std::uint64_t>(last, 1) : last);
  }
  return static_cast<Count>(std::min<std::uint64_t>(most, kMaxServers / 2));
}

Count messages_of_a_pair(const measure::Suite& suite) {
  const auto* operation = find_operation(suite.operation);
  return operation != nullptr && operation->first != operation->second ? 1 : 2;
}

Count most_at_once(const Suites& pairs) {
  Count most = 0;
  for (const auto* s : pairs) most = std::max(most, messages_of_a_pair(*s) * most_pairs({s}));
  return most;
}

Count most_at_once(const Suites& pairs, const Links& links) {
  std::uint64_t most = 0;
  for (const auto* s : pairs) {
    const std::uint64_t window = std::max<std::uint64_t>(s->messages, 1), ways = messages_of_a_pair(*s);
    auto of_a_pair = window * ways;
    if (links.kind == Links::Kind::full_duplex) of_a_pair = std::min<std::uint64_t>(window, links.out) * ways;
    if (links.kind == Links::Kind::half_duplex) of_a_pair = std::min<std::uint64_t>(of_a_pair, links.out);
    most = std::max(most, of_a_pair * most_pairs({s}));
  }
  return static_cast<Count>(std::min<std::uint64_t>(most, kMaxServers));
}

Count most_on_a_node(const Suites& suites) {
  std::size_t most = 1;
  for (const auto* s : suites) {
    if (s->route_class == measure::RouteClass::intra_node) continue;
    std::map<std::uint32_t, std::size_t> ranks_on;
    for (const auto node : s->nodes) most = std::max(most, ++ranks_on[node]);
  }
  return static_cast<Count>(std::min<std::size_t>(most, kMaxServers));
}

std::vector<std::string> suite_names(const Suites& suites) {
  std::vector<std::string> all;
  for (const auto* s : suites) all.push_back(s->name);
  return all;
}

}  // namespace busline::calibrate
