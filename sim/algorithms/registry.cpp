#include "sim/algorithms/registry.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "sim/algorithms/phases.hpp"

namespace busline {
namespace {

using enum CollectiveKind;
using namespace phases;

constexpr std::uint32_t bit(CollectiveKind kind) {
  return 1U << static_cast<unsigned>(kind);
}
constexpr std::uint32_t only(std::initializer_list<CollectiveKind> kinds) {
  std::uint32_t bits = 0;
  for (const auto k : kinds) bits |= bit(k);
  return bits;
}
static_assert(kCollectiveKinds <= 32);

constexpr auto kGathers = only({gather, gatherv}), kScatters = only({scatter, scatterv}),
               kAllgathers = only({allgather, allgatherv}),
               kAlltoalls = only({alltoall, alltoallv, alltoallw}),
               kReduceScatters = only({reduce_scatter, reduce_scatter_block}), kScans = only({scan, exscan}),
               kConstructors = only(
                   {comm_dup, comm_create, cart_create, graph_create, intercomm_create, intercomm_merge});
constexpr auto kByRank = Schedule::Cut::by_rank, kHalved = Schedule::Cut::halved;

constexpr std::array kSchedules{
    Schedule{Algorithm::linear, only({bcast}), kByRank, {&kStarDownAll}},
    Schedule{Algorithm::linear, only({reduce}), kByRank, {&kStarUpAll}},
    Schedule{Algorithm::linear, only({barrier, allreduce}), kByRank, {&kStarUpAll, &kStarDownAll}},
    Schedule{Algorithm::linear, kGathers, kByRank, {&kStarUpParts}},
    Schedule{Algorithm::linear, kScatters, kByRank, {&kStarDownParts}},
    Schedule{Algorithm::linear, kAllgathers, kByRank, {&kStarUpParts, &kStarDownAll}},
    Schedule{Algorithm::linear, kReduceScatters, kByRank, {&kStarUpAll, &kStarDownParts}},
    Schedule{Algorithm::linear, kAlltoalls, kByRank, {&kStarAlltoall}},
    Schedule{Algorithm::linear, kScans, kByRank, {&kChainDown}},

    Schedule{Algorithm::binomial, only({bcast}), kByRank, {&kTreeDownAll}},
    Schedule{Algorithm::binomial, only({reduce}), kByRank, {&kTreeUpAll}},
    Schedule{Algorithm::binomial, only({barrier, allreduce}), kByRank, {&kTreeUpAll, &kTreeDownAll}},
    Schedule{Algorithm::binomial, only({gather}), kByRank, {&kTreeUpParts}},
    Schedule{Algorithm::binomial, only({scatter}), kByRank, {&kTreeDownParts}},
    Schedule{Algorithm::binomial, kAllgathers, kByRank, {&kTreeUpParts, &kTreeDownAll}},
    Schedule{Algorithm::binomial, kReduceScatters, kByRank, {&kTreeUpAll, &kTreeDownParts}},

    Schedule{Algorithm::chain, only({bcast}), kByRank, {&kChainDown}},
    Schedule{Algorithm::chain, only({reduce}), kByRank, {&kChainUp}},

    Schedule{Algorithm::ring, only({barrier}), kByRank, {&kTwoLaps}},
    Schedule{Algorithm::ring, kAllgathers, kByRank, {&kRingAllgather}},
    Schedule{Algorithm::ring, kReduceScatters, kByRank, {&kRingReduceScatter}},
    Schedule{Algorithm::ring, only({allreduce}), kByRank, {&kRingReduceScatter, &kRingAllgather}},

    Schedule{Algorithm::pairwise, kAlltoalls, kByRank, {&kPairwiseAlltoall}},
    Schedule{Algorithm::pairwise, kReduceScatters, kByRank, {&kPairwiseReduceScatter}},

    // A Barrier releases the ranks that folded with MPI_Ssend (Open MPI), which ends with their answer.
    Schedule{Algorithm::recursive_doubling,
             only({barrier}),
             kByRank,
             {&kFold, &kDoublingAll, &kUnfoldAll, &kFold}},
    Schedule{Algorithm::recursive_doubling, only({allreduce}), kByRank, {&kFold, &kDoublingAll, &kUnfoldAll}},
    Schedule{Algorithm::recursive_doubling, kAllgathers, kByRank, {&kDoublingAllgather}},
    Schedule{Algorithm::recursive_doubling, kScans, kByRank, {&kScanDoubling}},

    Schedule{Algorithm::recursive_halving, kReduceScatters, kByRank, {&kFold, &kHalving, &kUnfoldPart}},

    Schedule{Algorithm::bruck, only({barrier}), kByRank, {&kDissemination}},
    Schedule{Algorithm::bruck, kAllgathers, kByRank, {&kBruckAllgather}},
    Schedule{Algorithm::bruck, only({alltoall}), kByRank, {&kBruckAlltoall}},

    Schedule{Algorithm::rabenseifner,
             only({allreduce}),
             kHalved,
             {&kFold, &kHalving, &kDoublingParts, &kUnfoldAll}},
    Schedule{Algorithm::rabenseifner, only({reduce}), kHalved, {&kFold, &kHalving, &kGatherHalves}},

    Schedule{Algorithm::scatter_allgather, only({bcast}), kByRank, {&kTreeDownVector, &kRingAllgatherVector}},
    Schedule{
        Algorithm::scatter_doubling, only({bcast}), kByRank, {&kTreeDownVector, &kDoublingAllgatherVector}},

    Schedule{Algorithm::binary, only({bcast}), kByRank, {&kBinaryDown}},
    Schedule{Algorithm::binary, only({reduce}), kByRank, {&kBinaryUp}},
    Schedule{Algorithm::knomial, only({bcast}), kByRank, {&kKnomialDown}},
    Schedule{Algorithm::knomial, only({reduce}), kByRank, {&kKnomialUp}},
    Schedule{Algorithm::neighbor_exchange, kAllgathers, kByRank, {&kNeighborExchange}},
    Schedule{Algorithm::gather_bcast, kAllgathers, kByRank, {&kStarUpParts, &kTreeDownAll}},
    Schedule{Algorithm::linear_sync, kGathers, kByRank, {&kStarUpOnRequest}},

    Schedule{Algorithm::direct, kAllgathers, kByRank, {&kStarAllgather}},
    Schedule{Algorithm::direct, kGathers, kByRank, {&kStarUpPartsAtOnce}},
    Schedule{Algorithm::binomial_at_once, only({bcast}), kByRank, {&kDoublingTreeDown}},
    Schedule{Algorithm::binomial_at_once, only({allreduce}), kByRank, {&kTreeUpAll, &kDoublingTreeDown}},
    Schedule{Algorithm::pipeline_8k, only({bcast}), Schedule::Cut::by_8k, {&kPipelineDown}},
    Schedule{Algorithm::pipeline_8k, only({reduce}), Schedule::Cut::by_8k, {&kPipelineUp}},
    Schedule{Algorithm::pipeline_32k, only({bcast}), Schedule::Cut::by_32k, {&kPipelineDown}},
    Schedule{Algorithm::pipeline_32k, only({reduce}), Schedule::Cut::by_32k, {&kPipelineUp}},

    // Three Allreduces of an int: two agree on the number, the third starts the communicator.
    Schedule{Algorithm::context_id,
             kConstructors,
             kByRank,
             {&kTreeUpAll, &kTreeDownAll, &kTreeUpAll, &kTreeDownAll, &kTreeUpAll, &kTreeDownAll}},
    // Before, an Allgather of colours and keys.
    Schedule{Algorithm::context_id,
             only({comm_split}),
             kByRank,
             {&kDoublingAllgather, &kTreeUpAll, &kTreeDownAll, &kTreeUpAll, &kTreeDownAll, &kTreeUpAll,
              &kTreeDownAll}},
};

}  // namespace

std::string_view name_of(Algorithm algorithm) {
  return kAlgorithmNames[static_cast<std::size_t>(algorithm)].first;
}

std::uint32_t Schedule::blocks(std::uint32_t ranks, std::uint64_t bytes) const {
  const auto segments_of = [&](std::uint64_t segment) {
    return static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(bytes / segment + (bytes % segment == 0 ? 0 : 1), 1, kMostSegments));
  };
  switch (cut) {
    case Cut::by_rank:
      break;
    case Cut::halved:
      return std::bit_floor(ranks);
    case Cut::by_8k:
      return segments_of(8 * 1024);
    case Cut::by_32k:
      return segments_of(32 * 1024);
  }
  return ranks;
}

bool Schedule::round(const Site& site, std::uint32_t index, Round& out) const {
  out.clear();
  for (const auto* phase : phases) {
    if (phase == nullptr) return false;
    const auto rounds = phase->rounds(site);
    if (index < rounds) {
      phase->add(site, index, out);
      return true;
    }
    index -= rounds;
  }
  return false;
}

const Schedule* find_schedule(Algorithm algorithm, CollectiveKind kind) {
  const auto wanted = bit(kind) | (kind >= comm_dup ? bit(barrier) : 0);
  const auto found = std::find_if(kSchedules.begin(), kSchedules.end(), [&](const Schedule& s) {
    return s.algorithm == algorithm && (s.kinds & wanted) != 0;
  });
  return found == kSchedules.end() ? nullptr : &*found;
}

std::vector<std::string_view> algorithms_for(CollectiveKind kind) {
  std::vector<std::string_view> names;
  for (const auto& [name, algorithm] : kAlgorithmNames)
    if (find_schedule(algorithm, kind) != nullptr) names.push_back(name);
  return names;
}

}  // namespace busline
