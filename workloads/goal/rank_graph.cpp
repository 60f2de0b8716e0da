#include "workloads/goal/rank_graph.hpp"

#include <algorithm>
#include <cstddef>

namespace busline::goal {

void RankGraph::clear() {
  nodes.clear();
  first_.assign(1, 0);
  all_.clear();
  edges_.clear();
}

void RankGraph::arrange() {
  first_.assign(nodes.size() + 1, 0);
  for (const auto& e : edges_) ++first_[e.node + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  all_.resize(edges_.size());
  auto next = first_;
  for (const auto& e : edges_) all_[next[e.node]++] = e.on;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto at = [&](std::size_t n) { return all_.begin() + static_cast<std::ptrdiff_t>(first_[n]); };
    if (first_[i + 1] - first_[i] > 1)
      std::stable_sort(at(i), at(i + 1), [](Dependence a, Dependence b) { return a.on() < b.on(); });
  }
}

// While edges are added, first_[n + 1] is where the next one of node n goes; afterwards, where node n + 1
// begins.
bool RankGraph::begin_edges(std::span<const std::uint32_t> counts, std::uint64_t edges) {
  first_.resize(counts.size() + 1);
  std::uint64_t sum = 0;
  first_[0] = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    first_[i + 1] = sum;
    sum += counts[i];
  }
  if (sum != edges) return false;
  all_.resize(edges);
  return true;
}

bool RankGraph::end_edges(std::span<const std::uint32_t> counts) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (first_[i + 1] != (sum += counts[i])) return false;
  return true;
}

}  // namespace busline::goal
