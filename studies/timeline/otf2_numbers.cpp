#include "studies/timeline/otf2_numbers.hpp"

#ifdef BUSLINE_HAS_OTF2

namespace busline::timeline {

std::optional<OTF2_CollectiveOp> otf2_operation(CollectiveKind kind) {
  static const std::map<CollectiveKind, OTF2_CollectiveOp> all{
      {CollectiveKind::barrier, OTF2_COLLECTIVE_OP_BARRIER},
      {CollectiveKind::bcast, OTF2_COLLECTIVE_OP_BCAST},
      {CollectiveKind::gather, OTF2_COLLECTIVE_OP_GATHER},
      {CollectiveKind::gatherv, OTF2_COLLECTIVE_OP_GATHERV},
      {CollectiveKind::scatter, OTF2_COLLECTIVE_OP_SCATTER},
      {CollectiveKind::scatterv, OTF2_COLLECTIVE_OP_SCATTERV},
      {CollectiveKind::allgather, OTF2_COLLECTIVE_OP_ALLGATHER},
      {CollectiveKind::allgatherv, OTF2_COLLECTIVE_OP_ALLGATHERV},
      {CollectiveKind::alltoall, OTF2_COLLECTIVE_OP_ALLTOALL},
      {CollectiveKind::alltoallv, OTF2_COLLECTIVE_OP_ALLTOALLV},
      {CollectiveKind::alltoallw, OTF2_COLLECTIVE_OP_ALLTOALLW},
      {CollectiveKind::allreduce, OTF2_COLLECTIVE_OP_ALLREDUCE},
      {CollectiveKind::reduce, OTF2_COLLECTIVE_OP_REDUCE},
      {CollectiveKind::reduce_scatter, OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
      {CollectiveKind::reduce_scatter_block, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
      {CollectiveKind::scan, OTF2_COLLECTIVE_OP_SCAN},
      {CollectiveKind::exscan, OTF2_COLLECTIVE_OP_EXSCAN},
  };
  const auto found = all.find(kind);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

Otf2Numbers::Otf2Numbers(const Timeline& timeline)
    : timeline_(timeline), regions_(timeline.calls.size() + kStates, OTF2_UNDEFINED_REGION) {
  for (const auto& t : timeline_.tracks) add_track(t);
  positions_.resize(timeline_.communicators.size());
  for (std::size_t c = 0; c < positions_.size(); ++c)
    for (const auto rank : timeline_.communicators[c].members)
      positions_[c].emplace(rank, static_cast<std::uint32_t>(positions_[c].size()));
}

void Otf2Numbers::add_track(const Track& t) {
  if (first_tracks_.empty() || timeline_.tracks[first_tracks_.back()].rank != t.rank) {
    task_of_rank_.emplace(t.rank, static_cast<std::uint32_t>(first_tracks_.size()));
    first_tracks_.push_back(static_cast<std::uint32_t>(tasks_.size()));
  }
  tasks_.push_back(static_cast<std::uint32_t>(first_tracks_.size() - 1));
}

}  // namespace busline::timeline
#endif
