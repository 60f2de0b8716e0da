#include "workloads/paraver/collective_sizes.hpp"

#include <algorithm>

namespace busline::paraver {
namespace {

std::uint64_t mean_over(std::uint64_t bytes, std::uint64_t members) {
  return members == 0 ? bytes : bytes / members + (bytes % members * 2 >= members ? 1 : 0);
}

}  // namespace

CollectiveSizes sizes_per_peer(CollectiveKind kind, CollectiveSizes recorded, std::uint64_t members) {
  using enum CollectiveKind;
  const auto [sent, received, marked] = recorded;
  const auto both = [](std::uint64_t size, bool is_root) { return CollectiveSizes{size, size, is_root}; };
  switch (kind) {
    case bcast:
    case reduce:
    case allreduce:
    case scan:
    case exscan:
      return both(std::max(sent, received), marked);
    case gather:
    case gatherv: {
      const bool root = received > 0 || (marked && sent == 0);
      return both(root ? mean_over(received, members) : sent, root);
    }
    case scatter:
    case scatterv: {
      const bool root = sent > 0 || (marked && received == 0);
      return both(root ? mean_over(sent, members) : received, root);
    }
    case allgather:
      return {sent == 0 ? mean_over(received, members) : sent, mean_over(received, members), false};
    case allgatherv:
      return both(mean_over(received, members), false);
    case alltoall: {
      const auto part = mean_over(received, members);
      return {sent == 0 ? part : sent, part, false};  // MPI_IN_PLACE has no size to send
    }
    case alltoallv:
    case alltoallw: {
      const auto part = mean_over(received, members);
      return {sent == 0 ? part : mean_over(sent, members), part, false};
    }
    case reduce_scatter:
    case reduce_scatter_block:
      return {sent, mean_over(sent, members), false};
    default:
      return {};  // moves no data
  }
}

CollectiveSizes recorded_sizes(CollectiveKind kind, CollectiveSizes per_peer, std::uint64_t members) {
  using enum CollectiveKind;
  const auto [sent, received, root] = per_peer;
  switch (kind) {
    case bcast:
      return root ? CollectiveSizes{sent, 0, true} : CollectiveSizes{0, received, false};
    case reduce:
      return root ? CollectiveSizes{0, received, true} : CollectiveSizes{sent, 0, false};
    case gather:
    case gatherv:
      return {sent, root ? received * members : 0, root};
    case scatter:
    case scatterv:
      return {root ? sent * members : 0, received, root};
    case allgather:
    case allgatherv:
    case alltoall:
      return {sent, received * members, false};
    case alltoallv:
    case alltoallw:
      return {sent * members, received * members, false};
    default:
      return {sent, received, false};
  }
}

}  // namespace busline::paraver
