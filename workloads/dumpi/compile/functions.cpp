#include "workloads/dumpi/compile/functions.hpp"

namespace busline::dumpi {

std::optional<CollectiveKind> collective_kind(std::uint16_t function) {
  if (call_class(function) == CallClass::persistent_collective) return std::nullopt;  // it meets at its start
  return collective_kind_of_form(blocking_form(function));
}

std::optional<CollectiveKind> collective_kind_of_form(std::uint16_t function) {
  using enum CollectiveKind;
  switch (function) {
    case function_id("MPI_Barrier"):
      return barrier;
    case function_id("MPI_Bcast"):
      return bcast;
    case function_id("MPI_Gather"):
      return gather;
    case function_id("MPI_Gatherv"):
      return gatherv;
    case function_id("MPI_Scatter"):
      return scatter;
    case function_id("MPI_Scatterv"):
      return scatterv;
    case function_id("MPI_Allgather"):
      return allgather;
    case function_id("MPI_Allgatherv"):
      return allgatherv;
    case function_id("MPI_Alltoall"):
      return alltoall;
    case function_id("MPI_Alltoallv"):
      return alltoallv;
    case function_id("MPI_Alltoallw"):
      return alltoallw;
    case function_id("MPI_Reduce"):
      return reduce;
    case function_id("MPI_Allreduce"):
      return allreduce;
    case function_id("MPI_Reduce_scatter"):
      return reduce_scatter;
    case function_id("MPI_Reduce_scatter_block"):
      return reduce_scatter_block;
    case function_id("MPI_Scan"):
      return scan;
    case function_id("MPI_Exscan"):
      return exscan;
    case function_id("MPI_Comm_dup"):
    case function_id("MPI_Comm_dup_with_info"):
      return comm_dup;
    case function_id("MPI_Comm_split"):
    case function_id("MPI_Comm_split_type"):
    case function_id("MPI_Cart_sub"):
      return comm_split;
    case function_id("MPI_Comm_create"):
    case function_id("MPI_Comm_create_group"):
      return comm_create;
    case function_id("MPI_Intercomm_create"):
      return intercomm_create;
    case function_id("MPI_Intercomm_merge"):
      return intercomm_merge;
    case function_id("MPI_Cart_create"):
      return cart_create;
    case function_id("MPI_Graph_create"):
    case function_id("MPI_Dist_graph_create"):
    case function_id("MPI_Dist_graph_create_adjacent"):
      return graph_create;
    case function_id("MPI_Win_create"):
    case function_id("MPI_Win_allocate"):
    case function_id("MPI_Win_allocate_shared"):
    case function_id("MPI_Win_create_dynamic"):
      return win_create;
    case function_id("MPI_Win_free"):
      return win_free;
    case function_id("MPI_Win_fence"):
      return win_fence;
    default:
      if (call_class(function) == CallClass::file_collective) return file;
      return std::nullopt;
  }
}

}  // namespace busline::dumpi
