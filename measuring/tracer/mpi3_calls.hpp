// The functions of MPI-3 and later that move data, wait for others or make communicators, and of which no
// record exists (workloads/dumpi/format/mpi3_table.hpp has those with one). Each with the number of its
// parameters. Local ones are left alone; the time in them is computation. docs/how-to/tracer.md lists both,
// and a test compares it with this and with mpi.h.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

// Lists are not code:
// clang-format off
#define BUSLINE_MPI3_CALLS(X) \
  X(File_iread_at_all, 6) X(File_iwrite_at_all, 6) X(File_iread_all, 5) X(File_iwrite_all, 5)

#define BUSLINE_MPI4_CALLS(X) \
  X(Intercomm_create_from_groups, 8) X(Comm_create_from_group, 5) \
  X(Group_from_session_pset, 3) X(Session_finalize, 1) X(Session_init, 3) X(Parrived, 3) X(Pready, 2) \
  X(Pready_list, 3) X(Pready_range, 3) X(Precv_init, 9) X(Psend_init, 9) X(Isendrecv, 12) \
  X(Isendrecv_replace, 9) X(Allgather_c, 7) X(Allgather_init_c, 9) X(Allgatherv_c, 8) \
  X(Allgatherv_init_c, 10) X(Allreduce_c, 6) X(Allreduce_init_c, 8) X(Alltoall_c, 7) X(Alltoall_init_c, 9) \
  X(Alltoallv_c, 9) X(Alltoallv_init_c, 11) X(Alltoallw_c, 9) X(Alltoallw_init_c, 11) X(Bcast_c, 5) \
  X(Bcast_init_c, 7) X(Exscan_c, 6) X(Exscan_init_c, 8) X(Gather_c, 8) X(Gather_init_c, 10) X(Gatherv_c, 9) \
  X(Gatherv_init_c, 11) X(Iallgather_c, 8) X(Iallgatherv_c, 9) X(Iallreduce_c, 7) X(Ialltoall_c, 8) \
  X(Ialltoallv_c, 10) X(Ialltoallw_c, 10) X(Ibcast_c, 6) X(Iexscan_c, 7) X(Igather_c, 9) X(Igatherv_c, 10) \
  X(Ineighbor_allgather_c, 8) X(Ineighbor_allgatherv_c, 9) X(Ineighbor_alltoall_c, 8) \
  X(Ineighbor_alltoallv_c, 10) X(Ineighbor_alltoallw_c, 10) X(Ireduce_c, 8) X(Ireduce_scatter_c, 7) \
  X(Ireduce_scatter_block_c, 7) X(Iscan_c, 7) X(Iscatter_c, 9) X(Iscatterv_c, 10) \
  X(Neighbor_allgather_c, 7) X(Neighbor_allgather_init_c, 9) X(Neighbor_allgatherv_c, 8) \
  X(Neighbor_allgatherv_init_c, 10) X(Neighbor_alltoall_c, 7) X(Neighbor_alltoall_init_c, 9) \
  X(Neighbor_alltoallv_c, 9) X(Neighbor_alltoallv_init_c, 11) X(Neighbor_alltoallw_c, 9) \
  X(Neighbor_alltoallw_init_c, 11) X(Reduce_c, 7) X(Reduce_init_c, 9) X(Reduce_scatter_c, 6) \
  X(Reduce_scatter_block_c, 6) X(Reduce_scatter_block_init_c, 8) X(Reduce_scatter_init_c, 8) X(Scan_c, 6) \
  X(Scan_init_c, 8) X(Scatter_c, 8) X(Scatter_init_c, 10) X(Scatterv_c, 9) X(Scatterv_init_c, 11) \
  X(Bsend_c, 6) X(Bsend_init_c, 7) X(Ibsend_c, 7) X(Imrecv_c, 5) X(Irecv_c, 7) X(Irsend_c, 7) X(Isend_c, 7) \
  X(Isendrecv_c, 12) X(Isendrecv_replace_c, 9) X(Issend_c, 7) X(Mrecv_c, 5) X(Recv_c, 7) X(Recv_init_c, 7) \
  X(Rsend_c, 6) X(Rsend_init_c, 7) X(Send_c, 6) X(Send_init_c, 7) X(Sendrecv_c, 12) \
  X(Sendrecv_replace_c, 9) X(Ssend_c, 6) X(Ssend_init_c, 7) X(Accumulate_c, 9) X(Get_c, 8) \
  X(Get_accumulate_c, 12) X(Put_c, 8) X(Raccumulate_c, 10) X(Rget_c, 9) X(Rget_accumulate_c, 13) \
  X(Rput_c, 9) X(Win_allocate_c, 6) X(Win_allocate_shared_c, 6) X(Win_create_c, 6) X(File_iread_all_c, 5) \
  X(File_iread_at_all_c, 6) X(File_iread_at_c, 6) X(File_iread_c, 5) X(File_iread_shared_c, 5) \
  X(File_iwrite_all_c, 5) X(File_iwrite_at_all_c, 6) X(File_iwrite_at_c, 6) X(File_iwrite_c, 5) \
  X(File_iwrite_shared_c, 5) X(File_read_all_begin_c, 4) X(File_read_all_c, 5) \
  X(File_read_at_all_begin_c, 5) X(File_read_at_all_c, 6) X(File_read_at_c, 6) X(File_read_c, 5) \
  X(File_read_ordered_begin_c, 4) X(File_read_ordered_c, 5) X(File_read_shared_c, 5) \
  X(File_write_all_begin_c, 4) X(File_write_all_c, 5) X(File_write_at_all_begin_c, 5) \
  X(File_write_at_all_c, 6) X(File_write_at_c, 6) X(File_write_c, 5) X(File_write_ordered_begin_c, 4) \
  X(File_write_ordered_c, 5) X(File_write_shared_c, 5)

namespace busline::tracer {

#define BUSLINE_ENUMERATOR(name, parameters) name,
enum class Mpi3Call : std::size_t {
  BUSLINE_MPI3_CALLS(BUSLINE_ENUMERATOR) BUSLINE_MPI4_CALLS(BUSLINE_ENUMERATOR) count
};
#undef BUSLINE_ENUMERATOR
// clang-format on

inline constexpr auto kMpi3Calls = static_cast<std::size_t>(Mpi3Call::count);

#define BUSLINE_NAME(name, parameters) "MPI_" #name,
inline constexpr std::array<std::string_view, kMpi3Calls> kMpi3Names{BUSLINE_MPI3_CALLS(BUSLINE_NAME)
                                                                         BUSLINE_MPI4_CALLS(BUSLINE_NAME)};
#undef BUSLINE_NAME

}  // namespace busline::tracer
