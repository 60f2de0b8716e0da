#include "models/costs/listed_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "sim/algorithms/block_sizes.hpp"

namespace busline {
namespace {

/// What a node must send and receive.
struct Traffic {
  double sent = 0, received = 0;
};
using TrafficByNode = std::map<NodeId, Traffic>;

/// The calls by position in the communicator; empty if they are not one of each member.
std::vector<CallOfMember> by_position(const Program& program, std::span<const CallOfMember> calls) {
  const auto& members = program.communicators()[calls.front().args->communicator].members;
  std::vector<CallOfMember> sorted(calls.begin(), calls.end());
  const auto rank = [](const CallOfMember& c) { return c.rank; };
  std::ranges::sort(sorted, {}, rank);
  std::vector<CallOfMember> all;
  for (const auto m : members) {
    const auto found = std::ranges::lower_bound(sorted, RankId{m}, {}, rank);
    if (found == sorted.end() || found->rank != RankId{m}) return {};
    all.push_back(*found);
  }
  return all;
}

TrafficByNode of_pairs(const DimemasCosts& costs, const BlockLists& lists,
                       std::span<const CallOfMember> calls) {
  std::vector<std::uint64_t> means;
  std::vector<std::uint32_t> numbers;
  std::vector<Traffic*> nodes;
  TrafficByNode all;
  for (const auto& c : calls) {
    means.push_back(c.args->send_bytes);
    numbers.push_back(c.args->block_list);
    nodes.push_back(&all[costs.node_of(c.rank)]);
  }
  const auto sizes = BlockSizes::by_pair(lists, numbers, means);
  const auto n = static_cast<std::uint32_t>(calls.size());
  for (std::uint32_t from = 0; from < n; ++from)
    for (std::uint32_t distance = 1; distance < n; ++distance) {
      auto* const to = nodes[(std::uint64_t{from} + distance) % n];
      if (to == nodes[from]) continue;
      const auto bytes = static_cast<double>(sizes.bytes({n, from, 0, n}, from, {distance, 1}));
      nodes[from]->sent += bytes;
      to->received += bytes;
    }
  return all;
}

/// Each node must have all parts in the end; for a Gatherv and a Scatterv the root alone has or gives them.
/// (A Scatterv and a Reduce_scatter go the other way, over the links in the other direction.)
TrafficByNode of_parts(const DimemasCosts& costs, std::span<const std::uint64_t> parts,
                       std::span<const CallOfMember> calls) {
  TrafficByNode all;
  for (std::size_t i = 0; i < calls.size(); ++i)
    all[costs.node_of(calls[i].rank)].sent += static_cast<double>(parts[i]);
  const auto total = std::accumulate(all.begin(), all.end(), 0.,
                                     [](double sum, const auto& entry) { return sum + entry.second.sent; });
  const auto kind = calls.front().args->kind;
  const bool one_by_one = kind == CollectiveKind::gatherv || kind == CollectiveKind::scatterv;
  const auto root = std::ranges::find_if(calls, [](const CallOfMember& c) { return c.args->is_root; });
  for (auto& [node, traffic] : all) {
    const bool of_root = one_by_one && costs.node_of(root->rank) == node;
    if (!one_by_one || of_root) traffic.received = total - traffic.sent;
    if (of_root) traffic.sent = 0;
  }
  return all;
}

}  // namespace

std::optional<Duration> listed_link_bound(const DimemasCosts& costs, const CommunicatorShape& shape,
                                          const Program& program, std::span<const CallOfMember> calls) {
  if (!costs.binds_links(shape)) return std::nullopt;
  const auto listed =
      std::ranges::find_if(calls, [](const CallOfMember& c) { return c.args->block_list != 0; });
  if (listed == calls.end()) return std::nullopt;
  const auto all = by_position(program, calls);
  if (all.empty()) return std::nullopt;
  using enum CollectiveKind;
  const auto& args = *listed->args;
  const auto traffic = args.kind == alltoallv || args.kind == alltoallw
                           ? of_pairs(costs, program.block_lists(), all)
                           : of_parts(costs, program.block_lists().list(args.block_list), all);
  Duration least;
  for (const auto& [node, bytes] : traffic)
    least = std::max(least, costs.through_links(node, std::max(bytes.sent, bytes.received)));
  return least;
}

}  // namespace busline
