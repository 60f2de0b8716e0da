#include "studies/timeline/paraver_codes.hpp"

#include <algorithm>
#include <array>

namespace busline::timeline {
namespace {

struct Row {
  std::string_view name;
  std::uint32_t type, value;
};

constexpr std::uint32_t kP2p = kPointToPoint.type, kColl = kCollectives.type, kRest = kOther.type,
                        kRma = kOneSided.type, kIo = kFiles.type;

// By Extrae's numbers.
constexpr std::array kRows{
    Row{"MPI_Send", kP2p, 1},
    Row{"MPI_Recv", kP2p, 2},
    Row{"MPI_Isend", kP2p, 3},
    Row{"MPI_Irecv", kP2p, 4},
    Row{"MPI_Wait", kP2p, 5},
    Row{"MPI_Waitall", kP2p, 6},
    Row{"MPI_Bcast", kColl, 7},
    Row{"MPI_Barrier", kColl, 8},
    Row{"MPI_Reduce", kColl, 9},
    Row{"MPI_Allreduce", kColl, 10},
    Row{"MPI_Alltoall", kColl, 11},
    Row{"MPI_Alltoallv", kColl, 12},
    Row{"MPI_Gather", kColl, 13},
    Row{"MPI_Gatherv", kColl, 14},
    Row{"MPI_Scatter", kColl, 15},
    Row{"MPI_Scatterv", kColl, 16},
    Row{"MPI_Allgather", kColl, 17},
    Row{"MPI_Allgatherv", kColl, 18},
    Row{"MPI_Comm_rank", kRest, 19},
    Row{"MPI_Comm_size", kRest, 20},
    Row{"MPI_Comm_create", kRest, 21},
    Row{"MPI_Comm_dup", kRest, 22},
    Row{"MPI_Comm_split", kRest, 23},
    Row{"MPI_Scan", kColl, 30},
    Row{"MPI_Init", kRest, 31},
    Row{"MPI_Finalize", kRest, 32},
    Row{"MPI_Bsend", kP2p, 33},
    Row{"MPI_Ssend", kP2p, 34},
    Row{"MPI_Rsend", kP2p, 35},
    Row{"MPI_Ibsend", kP2p, 36},
    Row{"MPI_Issend", kP2p, 37},
    Row{"MPI_Irsend", kP2p, 38},
    Row{"MPI_Test", kP2p, 39},
    Row{"MPI_Sendrecv", kP2p, 41},
    Row{"MPI_Sendrecv_replace", kP2p, 42},
    Row{"MPI_Cart_create", kRest, 43},
    Row{"MPI_Graph_create", kRest, 54},
    Row{"MPI_Waitany", kP2p, 59},
    Row{"MPI_Waitsome", kP2p, 60},
    Row{"MPI_Probe", kP2p, 61},
    Row{"MPI_Iprobe", kP2p, 62},
    Row{"MPI_Win_create", kRma, 63},
    Row{"MPI_Win_free", kRma, 64},
    Row{"MPI_Put", kRma, 65},
    Row{"MPI_Get", kRma, 66},
    Row{"MPI_Accumulate", kRma, 67},
    Row{"MPI_Win_fence", kRma, 68},
    Row{"MPI_Reduce_scatter", kColl, 80},
    Row{"MPI_Intercomm_create", kRest, 96},
    Row{"MPI_Intercomm_merge", kRest, 97},
    Row{"MPI_Wtime", kRest, 110},
    Row{"MPI_Start", kP2p, 123},
    Row{"MPI_Startall", kP2p, 124},
    Row{"MPI_Testall", kP2p, 125},
    Row{"MPI_Testany", kP2p, 126},
    Row{"MPI_Testsome", kP2p, 128},
    Row{"MPI_File_open", kIo, 141},
    Row{"MPI_File_close", kIo, 142},
    Row{"MPI_File_read", kIo, 143},
    Row{"MPI_File_read_all", kIo, 144},
    Row{"MPI_File_write", kIo, 145},
    Row{"MPI_File_write_all", kIo, 146},
    Row{"MPI_File_read_at", kIo, 147},
    Row{"MPI_File_read_at_all", kIo, 148},
    Row{"MPI_File_write_at", kIo, 149},
    Row{"MPI_File_write_at_all", kIo, 150},
    Row{"MPI_Ireduce", kColl, 154},
    Row{"MPI_Iallreduce", kColl, 155},
    Row{"MPI_Ibarrier", kColl, 156},
    Row{"MPI_Ibcast", kColl, 157},
    Row{"MPI_Ialltoall", kColl, 158},
    Row{"MPI_Ialltoallv", kColl, 159},
    Row{"MPI_Iallgather", kColl, 160},
    Row{"MPI_Iallgatherv", kColl, 161},
    Row{"MPI_Igather", kColl, 162},
    Row{"MPI_Igatherv", kColl, 163},
    Row{"MPI_Iscatter", kColl, 164},
    Row{"MPI_Iscatterv", kColl, 165},
    Row{"MPI_Ireduce_scatter", kColl, 166},
    Row{"MPI_Iscan", kColl, 167},
};

}  // namespace

ParaverState paraver_state(State s) {
  switch (s) {
    case State::ended:
      return {0, "Idle", "{117,195,255}"};
    case State::compute:
      return {1, "Running", "{0,0,255}"};
    case State::in_receive:
      return {3, "Waiting a message", "{255,0,0}"};
    case State::in_send:
      return {4, "Blocking Send", "{255,0,174}"};
    case State::for_members:
      return {5, "Synchronization", "{179,0,0}"};
    case State::for_cpu:
      return {7, "Scheduling and Fork/Join", "{255,255,0}"};
    case State::in_wait:
      return {8, "Wait/WaitAll", "{235,0,0}"};
    case State::file_access:
      return {12, "I/O", "{255,0,96}"};
    case State::collective:
      return {13, "Group Communication", "{255,144,26}"};
    case State::latency:
      return {18, "Startup Latency", "{95,200,0}"};
  }
  return {};
}

ParaverCall paraver_call(std::string_view name, std::uint32_t index) {
  const auto* const row =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == name; });
  if (row != kRows.end()) return {row->type, row->value};
  return {kOther.type, kOtherCalls + index};
}

}  // namespace busline::timeline
