#include "workloads/dumpi/compile/functions.hpp"

namespace busline::dumpi {

std::optional<CollectiveKind> collective_kind(std::uint16_t function) {
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
    case function_id("MPI_Scan"):
      return scan;
    case function_id("MPI_Exscan"):
      return exscan;
    case function_id("MPI_Comm_dup"):
      return comm_dup;
    case function_id("MPI_Comm_split"):
    case function_id("MPI_Cart_sub"):
      return comm_split;
    case function_id("MPI_Comm_create"):
      return comm_create;
    case function_id("MPI_Intercomm_create"):
      return intercomm_create;
    case function_id("MPI_Intercomm_merge"):
      return intercomm_merge;
    case function_id("MPI_Cart_create"):
      return cart_create;
    case function_id("MPI_Graph_create"):
      return graph_create;
    case function_id("MPI_Win_create"):
      return win_create;
    case function_id("MPI_Win_free"):
      return win_free;
    case function_id("MPI_Win_fence"):
      return win_fence;
    case function_id("MPI_File_open"):
    case function_id("MPI_File_close"):
    case function_id("MPI_File_set_size"):
    case function_id("MPI_File_preallocate"):
    case function_id("MPI_File_set_info"):
    case function_id("MPI_File_set_view"):
    case function_id("MPI_File_read_at_all"):
    case function_id("MPI_File_write_at_all"):
    case function_id("MPI_File_read_all"):
    case function_id("MPI_File_write_all"):
    case function_id("MPI_File_read_ordered"):
    case function_id("MPI_File_write_ordered"):
    case function_id("MPI_File_seek_shared"):
    case function_id("MPI_File_read_at_all_begin"):
    case function_id("MPI_File_write_at_all_begin"):
    case function_id("MPI_File_read_all_begin"):
    case function_id("MPI_File_write_all_begin"):
    case function_id("MPI_File_read_ordered_begin"):
    case function_id("MPI_File_write_ordered_begin"):
    case function_id("MPI_File_set_atomicity"):
    case function_id("MPI_File_sync"):
      return file;
    default:
      return std::nullopt;
  }
}

bool is_one_sided(std::uint16_t function) {
  switch (function) {
    case function_id("MPI_Accumulate"):
    case function_id("MPI_Get"):
    case function_id("MPI_Put"):
    case function_id("MPI_Win_complete"):
    case function_id("MPI_Win_lock"):
    case function_id("MPI_Win_post"):
    case function_id("MPI_Win_start"):
    case function_id("MPI_Win_test"):
    case function_id("MPI_Win_unlock"):
    case function_id("MPI_Win_wait"):
      return true;
    default:
      return false;
  }
}

bool is_not_simulated(std::uint16_t function) {
  switch (function) {
    case function_id("MPI_Comm_accept"):
    case function_id("MPI_Comm_connect"):
    case function_id("MPI_Comm_join"):
    case function_id("MPI_Comm_spawn"):
    case function_id("MPI_Comm_spawn_multiple"):
      return true;
    default:
      break;
  }
  // MPI_File_read_at to MPI_File_iwrite, and so on: what reads or writes, and what waits for it.
  const bool access = function >= function_id("MPI_File_read_at") && function <= function_id("MPIO_Testsome");
  switch (function) {
    case function_id("MPI_File_seek"):
    case function_id("MPI_File_get_position"):
    case function_id("MPI_File_get_byte_offset"):
    case function_id("MPI_File_seek_shared"):
    case function_id("MPI_File_get_position_shared"):
    case function_id("MPI_File_get_type_extent"):
    case function_id("MPI_Register_datarep"):
    case function_id("MPI_File_set_atomicity"):
    case function_id("MPI_File_get_atomicity"):
      return false;
    default:
      return access;
  }
}

bool has_partner(std::uint16_t function) {
  switch (function) {
    case function_id("MPI_Recv"):
    case function_id("MPI_Irecv"):
    case function_id("MPI_Recv_init"):
    case function_id("MPI_Start"):
    case function_id("MPI_Startall"):
    case function_id("MPI_Sendrecv"):
    case function_id("MPI_Sendrecv_replace"):
    case function_id("MPI_Win_post"):
    case function_id("MPI_Win_start"):
    case function_id("MPI_Win_complete"):
    case function_id("MPI_Win_test"):
    case function_id("MPI_Win_wait"):
      return true;
    default:
      return send_call(function).has_value() || collective_kind(function).has_value();
  }
}

}  // namespace busline::dumpi
