#include "validation/calibrate/lead_in_search.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "validation/calibrate/collective_candidates.hpp"

namespace busline::calibrate {
namespace {

using Points = std::vector<CollectivePoint>;

// The Barrier and the Bcast of a verdict. Each is measured after the other, and so is everything else: the
// pairs that explain Barrier's and the smallest Bcast's times together are tried with the smallest sizes of
// the others.
class LeadInSearch {
 public:
  LeadInSearch(const PointsByKind& by_kind, const Platform& platform, const KnownAlgorithms& known)
      : platform_(platform), known_(known) {
    for (const auto& [kind, points] : by_kind) smallest_[kind] = of_smallest_size(points);
  }

  LeadInCosts find() const {
    struct Pair {
      double misfit;
      LeadInCosts costs;
    };
    std::vector<Pair> pairs;
    for (const auto& barrier : candidates(CollectiveKind::barrier))
      for (const auto& bcast : candidates(CollectiveKind::bcast)) {
        const LeadInCosts costs{barrier, bcast};
        pairs.push_back(
            {misfit(CollectiveKind::barrier, costs, barrier) + misfit(CollectiveKind::bcast, costs, bcast),
             costs});
      }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.misfit < b.misfit; });
    constexpr std::size_t kTried = 16;
    pairs.resize(std::min(pairs.size(), kTried));
    for (auto& pair : pairs) pair.misfit += misfit_of_others(pair.costs);
    const auto best = std::min_element(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
      return a.misfit < b.misfit - kSameTimes;
    });
    return best->costs;
  }

 private:
  static Points of_smallest_size(const Points& points) {
    const auto least = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
                         return a.bytes < b.bytes;
                       })->bytes;
    Points smallest;
    for (const auto& p : points)
      if (p.bytes == least) smallest.push_back(p);
    return smallest;
  }

  // The platform's algorithm for an operation without times. Only programs on real machines broadcast
  // verdicts, and MPI libraries there have algorithms.
  std::vector<CollectiveCost> candidates(CollectiveKind kind) const {
    if (const auto at = smallest_.find(kind); at != smallest_.end()) {
      auto found = candidates_for(kind, known_);
      if (at->second.front().suite->lead_in == LeadIn::verdict_and_barrier)
        std::erase_if(found, [](const CollectiveCost& c) { return !c.algorithm; });
      return found;
    }
    const auto& row = platform_.mpi.collectives.by_kind[static_cast<std::size_t>(kind)];
    return {row.empty() || known_.contains(kind) ? candidates_for(kind, known_).front() : row.front()};
  }

  double misfit(CollectiveKind kind, const LeadInCosts& lead_in, const CollectiveCost& cost) const {
    const auto at = smallest_.find(kind);
    if (at == smallest_.end()) return 0;
    double sum = 0;
    for (const auto& p : at->second)
      sum += collective_misfit(p, platform_, cost, predicted_ps(p, platform_, lead_in, cost));
    return sum;
  }

  // With the algorithm for each that suits it best.
  double misfit_of_others(const LeadInCosts& lead_in) const {
    double sum = 0;
    for (const auto& [kind, points] : smallest_) {
      if (kind == CollectiveKind::barrier || kind == CollectiveKind::bcast) continue;
      double least = std::numeric_limits<double>::infinity();
      for (const auto& c : candidates_for(kind, known_)) least = std::min(least, misfit(kind, lead_in, c));
      sum += least;
    }
    return sum;
  }

  const Platform& platform_;
  const KnownAlgorithms& known_;
  std::map<CollectiveKind, Points> smallest_;
};

}  // namespace

LeadIns find_lead_ins(const PointsByKind& points, const Platform& platform, const KnownAlgorithms& known) {
  std::map<std::uint32_t, PointsByKind> by_ranks;
  for (const auto& [kind, of_kind] : points)
    for (const auto& p : of_kind) by_ranks[p.ranks][kind].push_back(p);
  LeadIns lead_ins;
  for (const auto& [ranks, of_ranks] : by_ranks)
    lead_ins[ranks] = LeadInSearch(of_ranks, platform, known).find();
  return lead_ins;
}

}  // namespace busline::calibrate
