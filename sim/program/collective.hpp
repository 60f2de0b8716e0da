// The collective operations by name, in the order of Dimemas's ids (docs/model.md, section 5.1) and then the
// operations without data that synchronise.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace busline {

enum class CollectiveKind : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  alltoallw,
  exscan,
  // Synchronise, move no data; cost what Barrier costs unless a platform says otherwise.
  comm_dup,
  comm_split,
  comm_create,
  intercomm_create,
  intercomm_merge,
  cart_create,
  graph_create,
  win_create,
  win_free,
  win_fence,
  file,
  // Synchronise at no cost.
  init,
  finalize,
};
inline constexpr std::size_t kCollectiveKinds = 30;

/// Names in platform files, by kind.
inline constexpr std::array<std::string_view, kCollectiveKinds> kCollectiveNames{"MPI_Barrier",
                                                                                 "MPI_Bcast",
                                                                                 "MPI_Gather",
                                                                                 "MPI_Gatherv",
                                                                                 "MPI_Scatter",
                                                                                 "MPI_Scatterv",
                                                                                 "MPI_Allgather",
                                                                                 "MPI_Allgatherv",
                                                                                 "MPI_Alltoall",
                                                                                 "MPI_Alltoallv",
                                                                                 "MPI_Reduce",
                                                                                 "MPI_Allreduce",
                                                                                 "MPI_Reduce_scatter",
                                                                                 "MPI_Reduce_scatter_block",
                                                                                 "MPI_Scan",
                                                                                 "MPI_Alltoallw",
                                                                                 "MPI_Exscan",
                                                                                 "MPI_Comm_dup",
                                                                                 "MPI_Comm_split",
                                                                                 "MPI_Comm_create",
                                                                                 "MPI_Intercomm_create",
                                                                                 "MPI_Intercomm_merge",
                                                                                 "MPI_Cart_create",
                                                                                 "MPI_Graph_create",
                                                                                 "MPI_Win_create",
                                                                                 "MPI_Win_free",
                                                                                 "MPI_Win_fence",
                                                                                 "MPI_File",
                                                                                 "MPI_Init",
                                                                                 "MPI_Finalize"};

constexpr std::string_view name_of(CollectiveKind k) {
  return kCollectiveNames[static_cast<std::size_t>(k)];
}
/// The operation with a name of kCollectiveNames.
constexpr std::optional<CollectiveKind> find_collective(std::string_view name) {
  const auto at = std::find(kCollectiveNames.begin(), kCollectiveNames.end(), name);
  if (at == kCollectiveNames.end()) return std::nullopt;
  return static_cast<CollectiveKind>(at - kCollectiveNames.begin());
}
/// True for operations that combine numbers.
constexpr bool reduces(CollectiveKind k) {
  using enum CollectiveKind;
  return k == reduce || k == allreduce || k == reduce_scatter || k == reduce_scatter_block || k == scan ||
         k == exscan;
}
/// True for operations in which one rank has a special part; its sizes then count.
constexpr bool has_root(CollectiveKind k) {
  using enum CollectiveKind;
  return k == bcast || k == gather || k == gatherv || k == scatter || k == scatterv || k == reduce;
}

}  // namespace busline
