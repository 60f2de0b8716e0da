// How the simulation classifies each call of a trace. docs/reference/dumpi-calls.md says how each class is
// replayed; a test compares that page with this table.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "workloads/dumpi/format/function_table.hpp"

namespace busline::dumpi {

enum class CallClass : std::uint8_t {
  // Calls that create and free no handles except requests (leaves_handles).
  send,
  receive,
  sendrecv,
  start,
  probe,
  wait,
  // Others.
  request,
  border,
  collective,
  creation,  ///< of a communicator, by all its members
  window,
  transfer,
  epoch,
  file_collective,
  file,
  dynamic,
  handle,  ///< local, but defines what an id means
  local,
  event,
  unrecorded,
  // Of MPI-3 and later.
  nonblocking_collective,
  persistent_collective,
  neighbourhood,
  matched,  ///< messages that a probe takes
};
inline constexpr std::size_t kCallClasses = 24;

/// A class with the title of its section in docs/reference/dumpi-calls.md and its functions.
struct ClassRow {
  CallClass of = CallClass::local;
  std::string_view title;
  std::string_view functions;  ///< separated by blanks
};

/// All classes; functions that none of them names are local.
inline constexpr std::array<ClassRow, kCallClasses> kCallClassTable{{
    {CallClass::send, "Sends",
     "MPI_Send MPI_Rsend MPI_Ssend MPI_Bsend MPI_Isend MPI_Irsend MPI_Issend MPI_Ibsend MPI_Send_init "
     "MPI_Rsend_init MPI_Ssend_init MPI_Bsend_init"},
    {CallClass::receive, "Receives", "MPI_Recv MPI_Irecv MPI_Recv_init"},
    {CallClass::sendrecv, "Sendrecv", "MPI_Sendrecv MPI_Sendrecv_replace"},
    {CallClass::start, "Persistent starts", "MPI_Start MPI_Startall"},
    {CallClass::probe, "Probes", "MPI_Probe MPI_Iprobe"},
    {CallClass::wait, "Waits and tests",
     "MPI_Wait MPI_Waitall MPI_Waitany MPI_Waitsome MPI_Test MPI_Testall MPI_Testany MPI_Testsome"},
    {CallClass::request, "Requests", "MPI_Request_free MPI_Cancel MPI_Grequest_start MPI_Grequest_complete"},
    {CallClass::border, "Init and Finalize", "MPI_Init MPI_Init_thread MPI_Finalize"},
    {CallClass::collective, "Collectives",
     "MPI_Barrier MPI_Bcast MPI_Gather MPI_Gatherv MPI_Scatter MPI_Scatterv MPI_Allgather MPI_Allgatherv "
     "MPI_Alltoall MPI_Alltoallv MPI_Alltoallw MPI_Reduce MPI_Allreduce MPI_Reduce_scatter "
     "MPI_Reduce_scatter_block MPI_Scan MPI_Exscan"},
    {CallClass::creation, "New communicators",
     "MPI_Comm_dup MPI_Comm_create MPI_Comm_split MPI_Cart_create MPI_Cart_sub MPI_Graph_create "
     "MPI_Intercomm_create MPI_Intercomm_merge MPI_Comm_dup_with_info MPI_Comm_idup MPI_Comm_idup_with_info "
     "MPI_Comm_split_type "
     "MPI_Comm_create_group MPI_Dist_graph_create MPI_Dist_graph_create_adjacent"},
    {CallClass::window, "Windows and fences",
     "MPI_Win_create MPI_Win_fence MPI_Win_free MPI_Win_allocate MPI_Win_allocate_shared "
     "MPI_Win_create_dynamic"},
    {CallClass::transfer, "One-sided transfers and locks",
     "MPI_Put MPI_Get MPI_Accumulate MPI_Win_lock MPI_Win_unlock MPI_Rput MPI_Rget MPI_Raccumulate "
     "MPI_Get_accumulate MPI_Rget_accumulate MPI_Fetch_and_op MPI_Compare_and_swap MPI_Win_lock_all "
     "MPI_Win_unlock_all MPI_Win_flush MPI_Win_flush_all MPI_Win_flush_local MPI_Win_flush_local_all"},
    {CallClass::epoch, "Post, start, complete, wait",
     "MPI_Win_post MPI_Win_start MPI_Win_complete MPI_Win_wait MPI_Win_test"},
    {CallClass::file_collective, "Collective file calls",
     "MPI_File_open MPI_File_close MPI_File_set_size MPI_File_preallocate MPI_File_set_info "
     "MPI_File_set_view "
     "MPI_File_read_at_all MPI_File_write_at_all MPI_File_read_all MPI_File_write_all MPI_File_read_ordered "
     "MPI_File_write_ordered MPI_File_read_at_all_begin MPI_File_write_at_all_begin MPI_File_read_all_begin "
     "MPI_File_write_all_begin MPI_File_read_ordered_begin MPI_File_write_ordered_begin MPI_File_seek_shared "
     "MPI_File_set_atomicity MPI_File_sync"},
    {CallClass::file, "Other file calls",
     "MPI_File_delete MPI_File_get_size MPI_File_get_position_shared MPI_File_read_at MPI_File_write_at "
     "MPI_File_iread_at MPI_File_iwrite_at MPI_File_read MPI_File_write MPI_File_iread MPI_File_iwrite "
     "MPI_File_read_shared MPI_File_write_shared MPI_File_iread_shared MPI_File_iwrite_shared "
     "MPI_File_read_at_all_end MPI_File_write_at_all_end MPI_File_read_all_end MPI_File_write_all_end "
     "MPI_File_read_ordered_end MPI_File_write_ordered_end MPIO_Test MPIO_Wait MPIO_Testall MPIO_Waitall "
     "MPIO_Testany MPIO_Waitany MPIO_Waitsome MPIO_Testsome"},
    {CallClass::dynamic, "Dynamic processes",
     "MPI_Comm_accept MPI_Comm_connect MPI_Comm_join MPI_Comm_spawn MPI_Comm_spawn_multiple"},
    {CallClass::handle, "Handles",
     "MPI_Comm_free MPI_Comm_disconnect MPI_Comm_get_parent MPI_Comm_rank MPI_Comm_size MPI_Comm_group "
     "MPI_Comm_remote_group MPI_Win_get_group MPI_File_get_group MPI_Group_union MPI_Group_intersection "
     "MPI_Group_difference MPI_Group_incl MPI_Group_excl MPI_Group_range_incl MPI_Group_range_excl "
     "MPI_Group_free MPI_Type_contiguous MPI_Type_vector MPI_Type_hvector MPI_Type_indexed MPI_Type_hindexed "
     "MPI_Type_struct MPI_Type_dup MPI_Type_create_darray MPI_Type_create_hindexed MPI_Type_create_hvector "
     "MPI_Type_create_indexed_block MPI_Type_create_resized MPI_Type_create_struct MPI_Type_create_subarray "
     "MPI_Type_size MPI_Type_match_size MPI_Type_free"},
    {CallClass::local, "Local calls", ""},
    {CallClass::event, "Functions and annotations", "Function_enter Function_exit"},
    {CallClass::unrecorded, "Never recorded", "MPI_Pcontrol"},
    {CallClass::nonblocking_collective, "Non-blocking collectives",
     "MPI_Ibarrier MPI_Ibcast MPI_Igather MPI_Igatherv MPI_Iscatter MPI_Iscatterv MPI_Iallgather "
     "MPI_Iallgatherv MPI_Ialltoall MPI_Ialltoallv MPI_Ialltoallw MPI_Ireduce MPI_Iallreduce "
     "MPI_Ireduce_scatter MPI_Ireduce_scatter_block MPI_Iscan MPI_Iexscan"},
    {CallClass::persistent_collective, "Persistent collectives",
     "MPI_Barrier_init MPI_Bcast_init MPI_Gather_init MPI_Gatherv_init MPI_Scatter_init MPI_Scatterv_init "
     "MPI_Allgather_init MPI_Allgatherv_init MPI_Alltoall_init MPI_Alltoallv_init MPI_Alltoallw_init "
     "MPI_Reduce_init MPI_Allreduce_init MPI_Reduce_scatter_init MPI_Reduce_scatter_block_init MPI_Scan_init "
     "MPI_Exscan_init"},
    {CallClass::neighbourhood, "Neighbourhood collectives",
     "MPI_Neighbor_allgather MPI_Neighbor_allgatherv MPI_Neighbor_alltoall MPI_Neighbor_alltoallv "
     "MPI_Neighbor_alltoallw MPI_Ineighbor_allgather MPI_Ineighbor_allgatherv MPI_Ineighbor_alltoall "
     "MPI_Ineighbor_alltoallv MPI_Ineighbor_alltoallw MPI_Neighbor_allgather_init "
     "MPI_Neighbor_allgatherv_init "
     "MPI_Neighbor_alltoall_init MPI_Neighbor_alltoallv_init MPI_Neighbor_alltoallw_init"},
    {CallClass::matched, "Matched messages", "MPI_Mprobe MPI_Improbe MPI_Mrecv MPI_Imrecv"},
}};

namespace detail {

consteval std::array<CallClass, kFunctions> make_call_classes() {
  std::array<CallClass, kFunctions> all{};
  all.fill(CallClass::local);
  for (std::size_t f = kFileFunctions; f < kFirstMpi3; ++f) all[f] = CallClass::unrecorded;  // no functions
  for (const auto& row : kCallClassTable) {
    auto rest = row.functions;
    while (!rest.empty()) {
      const auto name = rest.substr(0, rest.find(' '));
      all[function_id(name)] = row.of;
      rest.remove_prefix(name.size() == rest.size() ? name.size() : name.size() + 1);
    }
  }
  return all;
}
inline constexpr auto kClassOfFunction = make_call_classes();

}  // namespace detail

constexpr CallClass call_class(std::uint16_t function) {
  return detail::kClassOfFunction[function];
}

/// Sends, receives, and the calls that complete them: most of a trace. Code that tracks handles other than
/// requests need not see them.
constexpr bool leaves_handles(std::uint16_t function) {
  return call_class(function) <= CallClass::wait;
}

/// Calls that all members of a communicator make.
constexpr bool is_collective(CallClass c) {
  using enum CallClass;
  return c == collective || c == creation || c == window || c == file_collective ||
         c == nonblocking_collective;
}

/// Calls that send or may send a message.
constexpr bool may_send(std::uint16_t function) {
  using enum CallClass;
  const auto c = call_class(function);
  return c == send || c == sendrecv || c == start || c == epoch;
}

/// Calls that send, receive or synchronise, so that a partner misses them if they were not recorded.
constexpr bool has_partner(std::uint16_t function) {
  using enum CallClass;
  const auto c = call_class(function);
  return may_send(function) || c == receive || is_collective(c);
}

/// Calls that read, write or wait for the file system.
constexpr bool is_on_file(CallClass c) {
  return c == CallClass::file || c == CallClass::file_collective;
}

}  // namespace busline::dumpi
