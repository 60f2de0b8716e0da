#include "studies/timeline/paraver_codes.hpp"

#include <algorithm>
#include <array>

namespace busline::timeline {
namespace {

struct CodeRow {
  std::string_view name;
  std::uint32_t type, value;
};

constexpr std::uint32_t kP2p = kPointToPoint.type, kColl = kCollectives.type, kRest = kOther.type,
                        kRma = kOneSided.type, kIo = kFiles.type;

// By Extrae's numbers.
constexpr std::array kCodeRows{
    CodeRow{"MPI_Send", kP2p, 1},
    CodeRow{"MPI_Recv", kP2p, 2},
    CodeRow{"MPI_Isend", kP2p, 3},
    CodeRow{"MPI_Irecv", kP2p, 4},
    CodeRow{"MPI_Wait", kP2p, 5},
    CodeRow{"MPI_Waitall", kP2p, 6},
    CodeRow{"MPI_Bcast", kColl, 7},
    CodeRow{"MPI_Barrier", kColl, 8},
    CodeRow{"MPI_Reduce", kColl, 9},
    CodeRow{"MPI_Allreduce", kColl, 10},
    CodeRow{"MPI_Alltoall", kColl, 11},
    CodeRow{"MPI_Alltoallv", kColl, 12},
    CodeRow{"MPI_Gather", kColl, 13},
    CodeRow{"MPI_Gatherv", kColl, 14},
    CodeRow{"MPI_Scatter", kColl, 15},
    CodeRow{"MPI_Scatterv", kColl, 16},
    CodeRow{"MPI_Allgather", kColl, 17},
    CodeRow{"MPI_Allgatherv", kColl, 18},
    CodeRow{"MPI_Comm_rank", kRest, 19},
    CodeRow{"MPI_Comm_size", kRest, 20},
    CodeRow{"MPI_Comm_create", kRest, 21},
    CodeRow{"MPI_Comm_dup", kRest, 22},
    CodeRow{"MPI_Comm_split", kRest, 23},
    CodeRow{"MPI_Scan", kColl, 30},
    CodeRow{"MPI_Init", kRest, 31},
    CodeRow{"MPI_Finalize", kRest, 32},
    CodeRow{"MPI_Bsend", kP2p, 33},
    CodeRow{"MPI_Ssend", kP2p, 34},
    CodeRow{"MPI_Rsend", kP2p, 35},
    CodeRow{"MPI_Ibsend", kP2p, 36},
    CodeRow{"MPI_Issend", kP2p, 37},
    CodeRow{"MPI_Irsend", kP2p, 38},
    CodeRow{"MPI_Test", kP2p, 39},
    CodeRow{"MPI_Sendrecv", kP2p, 41},
    CodeRow{"MPI_Sendrecv_replace", kP2p, 42},
    CodeRow{"MPI_Cart_create", kRest, 43},
    CodeRow{"MPI_Graph_create", kRest, 54},
    CodeRow{"MPI_Waitany", kP2p, 59},
    CodeRow{"MPI_Waitsome", kP2p, 60},
    CodeRow{"MPI_Probe", kP2p, 61},
    CodeRow{"MPI_Iprobe", kP2p, 62},
    CodeRow{"MPI_Win_create", kRma, 63},
    CodeRow{"MPI_Win_free", kRma, 64},
    CodeRow{"MPI_Put", kRma, 65},
    CodeRow{"MPI_Get", kRma, 66},
    CodeRow{"MPI_Accumulate", kRma, 67},
    CodeRow{"MPI_Win_fence", kRma, 68},
    CodeRow{"MPI_Reduce_scatter", kColl, 80},
    CodeRow{"MPI_Intercomm_create", kRest, 96},
    CodeRow{"MPI_Intercomm_merge", kRest, 97},
    CodeRow{"MPI_Wtime", kRest, 110},
    CodeRow{"MPI_Start", kP2p, 123},
    CodeRow{"MPI_Startall", kP2p, 124},
    CodeRow{"MPI_Testall", kP2p, 125},
    CodeRow{"MPI_Testany", kP2p, 126},
    CodeRow{"MPI_Testsome", kP2p, 128},
    CodeRow{"MPI_File_open", kIo, 141},
    CodeRow{"MPI_File_close", kIo, 142},
    CodeRow{"MPI_File_read", kIo, 143},
    CodeRow{"MPI_File_read_all", kIo, 144},
    CodeRow{"MPI_File_write", kIo, 145},
    CodeRow{"MPI_File_write_all", kIo, 146},
    CodeRow{"MPI_File_read_at", kIo, 147},
    CodeRow{"MPI_File_read_at_all", kIo, 148},
    CodeRow{"MPI_File_write_at", kIo, 149},
    CodeRow{"MPI_File_write_at_all", kIo, 150},
    CodeRow{"MPI_Ireduce", kColl, 154},
    CodeRow{"MPI_Iallreduce", kColl, 155},
    CodeRow{"MPI_Ibarrier", kColl, 156},
    CodeRow{"MPI_Ibcast", kColl, 157},
    CodeRow{"MPI_Ialltoall", kColl, 158},
    CodeRow{"MPI_Ialltoallv", kColl, 159},
    CodeRow{"MPI_Iallgather", kColl, 160},
    CodeRow{"MPI_Iallgatherv", kColl, 161},
    CodeRow{"MPI_Igather", kColl, 162},
    CodeRow{"MPI_Igatherv", kColl, 163},
    CodeRow{"MPI_Iscatter", kColl, 164},
    CodeRow{"MPI_Iscatterv", kColl, 165},
    CodeRow{"MPI_Ireduce_scatter", kColl, 166},
    CodeRow{"MPI_Iscan", kColl, 167},
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
      std::find_if(kCodeRows.begin(), kCodeRows.end(), [&](const CodeRow& r) { return r.name == name; });
  if (row != kCodeRows.end()) return {row->type, row->value};
  return {kOther.type, kOtherCalls + index};
}

}  // namespace busline::timeline
