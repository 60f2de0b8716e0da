#include "measuring/testbed/testbed.hpp"

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

namespace {

// For sample `i`, in picoseconds.
double length_of(const KernelSamples& samples, std::size_t i, TimeOf time) {
  auto span = samples.front()[i];
  auto last_begin = span.begin, longest = span.length();
  double sum = 0;
  for (const auto& of_rank : samples) {
    const auto& own = of_rank[i];
    span.begin = std::min(span.begin, own.begin);
    span.end = std::max(span.end, own.end);
    last_begin = std::max(last_begin, own.begin);
    longest = std::max(longest, own.length());
    sum += static_cast<double>(own.length().count());
  }
  switch (time) {
    case TimeOf::max_over_ranks:
      return static_cast<double>(span.length().count());
    case TimeOf::after_last:
      return static_cast<double>((span.end - last_begin).count());
    case TimeOf::longest_call:
      return static_cast<double>(longest.count());
    case TimeOf::mean_call:
      return sum / static_cast<double>(samples.size());
    default:
      return static_cast<double>(samples.front()[i].length().count());
  }
}

}  // namespace

std::vector<Duration> sample_times(const KernelSamples& samples, const Kernel& kernel, TimeOf time) {
  std::vector<Duration> times;
  if (samples.empty()) return times;
  const double parts = kernel.messages * (time == TimeOf::half_round_trip ? 2.0 : 1.0);
  for (std::size_t i = 0; i < samples.front().size(); ++i) {
    times.push_back(Duration::from_double(length_of(samples, i, time) / parts));
  }
  return times;
}

}  // namespace busline::measure
