#include "validation/measure/testbed.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace busline::measure {

Expected<ziatest::LaunchTimes> Testbed::launch(const ziatest::LaunchJob&) {
  Error e;
  e.kind = Error::Kind::unsupported;
  e.message = "this testbed cannot launch other jobs";
  return tl::unexpected(std::move(e));
}

std::vector<std::uint32_t> all_ranks(const Testbed& testbed) {
  std::vector<std::uint32_t> ranks(testbed.ranks());
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

std::vector<std::uint32_t> first_rank_of_each_node(const Testbed& testbed) {
  const auto& places = testbed.placement();
  std::vector<std::uint32_t> ranks;
  std::vector<bool> seen;
  for (std::uint32_t rank = 0; rank < places.size(); ++rank) {
    const auto node = places[rank].node;
    if (node >= seen.size()) seen.resize(node + 1);
    if (!seen[node]) ranks.push_back(rank);
    seen[node] = true;
  }
  std::sort(ranks.begin(), ranks.end(),
            [&](std::uint32_t a, std::uint32_t b) { return places[a].node < places[b].node; });
  return ranks;
}

std::vector<std::uint32_t> nodes_of(const Testbed& testbed, const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> nodes;
  nodes.reserve(ranks.size());
  for (const auto rank : ranks) nodes.push_back(testbed.placement()[rank].node);
  return nodes;
}

RouteClass route_class(const Testbed& testbed, const std::vector<std::uint32_t>& ranks) {
  auto nodes = nodes_of(testbed, ranks);
  std::sort(nodes.begin(), nodes.end());
  const auto distinct = std::unique(nodes.begin(), nodes.end()) - nodes.begin();
  if (distinct <= 1) return RouteClass::intra_node;
  return static_cast<std::size_t>(distinct) == nodes.size() ? RouteClass::inter_node : RouteClass::mixed;
}

std::vector<Duration> sample_times(const KernelSamples& samples, const Kernel& kernel, TimeOf time) {
  std::vector<Duration> times;
  if (samples.empty()) return times;
  const double parts = kernel.messages * (time == TimeOf::half_round_trip ? 2.0 : 1.0);
  for (std::size_t i = 0; i < samples.front().size(); ++i) {
    auto span = samples.front()[i];
    if (time == TimeOf::max_over_ranks)
      for (const auto& of_rank : samples) {
        span.begin = std::min(span.begin, of_rank[i].begin);
        span.end = std::max(span.end, of_rank[i].end);
      }
    times.push_back(Duration::from_double(static_cast<double>(span.length().count()) / parts));
  }
  return times;
}

}  // namespace busline::measure
