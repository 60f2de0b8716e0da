#include "measuring/import/job_nodes.hpp"

#include <algorithm>
#include <map>

namespace busline::measure {

JobNodes::JobNodes(const std::vector<std::string>& hosts) {
  std::map<std::string, std::uint32_t> numbers;
  for (const auto& host : hosts) {
    const auto [at, is_new] = numbers.emplace(host, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(host);
    listed_.push_back(at->second);
  }
}

std::uint32_t JobNodes::of(std::uint32_t rank) const {
  return rank < listed_.size() ? listed_[rank] : rank / ranks_per_node_;
}

std::vector<std::uint32_t> JobNodes::of(const std::vector<std::uint32_t>& ranks) const {
  std::vector<std::uint32_t> nodes;
  nodes.reserve(ranks.size());
  for (const auto rank : ranks) nodes.push_back(of(rank));
  return nodes;
}

std::optional<RouteClass> class_between(std::vector<std::uint32_t> nodes) {
  if (nodes.size() < 2) return std::nullopt;
  const auto ranks = static_cast<std::ptrdiff_t>(nodes.size());
  std::sort(nodes.begin(), nodes.end());
  const auto distinct = std::unique(nodes.begin(), nodes.end()) - nodes.begin();
  if (distinct == 1) return RouteClass::intra_node;
  return distinct == ranks ? RouteClass::inter_node : RouteClass::mixed;
}

}  // namespace busline::measure
