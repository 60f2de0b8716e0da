// The numbers of OTF2's records, and what the reader knows about those of events.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace busline::otf2 {

/// Bytes that begin something other than a record.
enum Mark : std::uint8_t {
  kEndOfChunk = 0,  ///< the rest of the chunk is unused
  kEndOfFile = 2,
  kChunkHeader = 3,
  kTimeStamp = 5,      ///< only among events
  kAttributeList = 6,  ///< only among events
};

enum class EventType : std::uint8_t {
  buffer_flush = 10,
  measurement_on_off = 11,
  enter = 12,
  leave = 13,
  mpi_send = 14,
  mpi_isend = 15,
  mpi_isend_complete = 16,
  mpi_irecv_request = 17,
  mpi_recv = 18,
  mpi_irecv = 19,
  mpi_request_test = 20,
  mpi_request_cancelled = 21,
  mpi_collective_begin = 22,
  mpi_collective_end = 23,
  omp_fork = 24,
  omp_task_create = 28,
  omp_task_switch = 29,
  omp_task_complete = 30,
  metric = 31,
  rma_win_create = 35,
  rma_win_destroy = 36,
  rma_collective_begin = 37,
  rma_collective_end = 38,
  rma_group_sync = 39,
  rma_release_lock = 43,
  rma_put = 46,
  rma_get = 47,
  rma_atomic = 48,
  rma_op_complete_blocking = 49,
  rma_op_complete_non_blocking = 50,
  rma_op_complete_remote = 52,
  calling_context_enter = 66,
  calling_context_sample = 68,
  non_blocking_collective_request = 85,
  non_blocking_collective_complete = 86,
};

/// Records whose only value is a compressed number: they have no length. OTF2 made none after version 1.1.
constexpr bool has_no_length(EventType t) {
  using enum EventType;
  return t == enter || t == leave || t == mpi_isend_complete || t == mpi_irecv_request ||
         t == mpi_request_test || t == mpi_request_cancelled || t == omp_fork || t == omp_task_create ||
         t == omp_task_switch || t == omp_task_complete;
}

/// Records that only a rank's own thread of MPI writes.
constexpr bool is_of_mpi(EventType t) {
  using enum EventType;
  return (t >= mpi_send && t <= mpi_collective_end) || (t >= rma_win_create && t <= rma_op_complete_remote) ||
         t == non_blocking_collective_request || t == non_blocking_collective_complete;
}

/// As otf2-print calls it; empty for a record that means nothing here.
constexpr std::string_view name_of(EventType t) {
  using enum EventType;
  switch (t) {
    case buffer_flush:
      return "BUFFER_FLUSH";
    case measurement_on_off:
      return "MEASUREMENT_ON_OFF";
    case enter:
      return "ENTER";
    case leave:
      return "LEAVE";
    case mpi_send:
      return "MPI_SEND";
    case mpi_isend:
      return "MPI_ISEND";
    case mpi_isend_complete:
      return "MPI_ISEND_COMPLETE";
    case mpi_irecv_request:
      return "MPI_IRECV_REQUEST";
    case mpi_recv:
      return "MPI_RECV";
    case mpi_irecv:
      return "MPI_IRECV";
    case mpi_request_cancelled:
      return "MPI_REQUEST_CANCELLED";
    case mpi_collective_end:
      return "MPI_COLLECTIVE_END";
    case rma_collective_end:
      return "RMA_COLLECTIVE_END";
    case rma_group_sync:
      return "RMA_GROUP_SYNC";
    case rma_release_lock:
      return "RMA_RELEASE_LOCK";
    case rma_put:
      return "RMA_PUT";
    case rma_get:
      return "RMA_GET";
    case rma_atomic:
      return "RMA_ATOMIC";
    case rma_op_complete_blocking:
      return "RMA_OP_COMPLETE_BLOCKING";
    case rma_op_complete_non_blocking:
      return "RMA_OP_COMPLETE_NON_BLOCKING";
    case rma_op_complete_remote:
      return "RMA_OP_COMPLETE_REMOTE";
    case calling_context_enter:
      return "CALLING_CONTEXT_ENTER";
    case calling_context_sample:
      return "CALLING_CONTEXT_SAMPLE";
    default:
      return "";
  }
}

enum class DefinitionType : std::uint8_t {
  clock_properties = 5,
  text = 10,
  location = 14,
  region = 15,
  group = 18,
  metric_member = 19,
  communicator = 22,
  rma_window = 24,
  inter_communicator = 43,
};

enum class LocalDefinitionType : std::uint8_t { mapping_table = 5, clock_offset = 6 };

}  // namespace busline::otf2
