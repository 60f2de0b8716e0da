#include "workloads/paraver/mpi_codes.hpp"

#include <algorithm>
#include <array>

namespace busline::paraver {
namespace {

constexpr std::uint32_t kP2p = kPointToPoint, kColl = kCollective, kRest = kOther, kRma = kOneSided,
                        kIo = kFile;

// By Extrae's numbers.
constexpr std::array kRows{
    MpiCode{"MPI_Send", kP2p, 1},
    MpiCode{"MPI_Recv", kP2p, 2},
    MpiCode{"MPI_Isend", kP2p, 3},
    MpiCode{"MPI_Irecv", kP2p, 4},
    MpiCode{"MPI_Wait", kP2p, 5},
    MpiCode{"MPI_Waitall", kP2p, 6},
    MpiCode{"MPI_Bcast", kColl, 7},
    MpiCode{"MPI_Barrier", kColl, 8},
    MpiCode{"MPI_Reduce", kColl, 9},
    MpiCode{"MPI_Allreduce", kColl, 10},
    MpiCode{"MPI_Alltoall", kColl, 11},
    MpiCode{"MPI_Alltoallv", kColl, 12},
    MpiCode{"MPI_Gather", kColl, 13},
    MpiCode{"MPI_Gatherv", kColl, 14},
    MpiCode{"MPI_Scatter", kColl, 15},
    MpiCode{"MPI_Scatterv", kColl, 16},
    MpiCode{"MPI_Allgather", kColl, 17},
    MpiCode{"MPI_Allgatherv", kColl, 18},
    MpiCode{"MPI_Comm_rank", kRest, 19},
    MpiCode{"MPI_Comm_size", kRest, 20},
    MpiCode{"MPI_Comm_create", kRest, 21},
    MpiCode{"MPI_Comm_dup", kRest, 22},
    MpiCode{"MPI_Comm_split", kRest, 23},
    MpiCode{"MPI_Comm_free", kRest, 25},
    MpiCode{"MPI_Scan", kColl, 30},
    MpiCode{"MPI_Init", kRest, 31},
    MpiCode{"MPI_Finalize", kRest, 32},
    MpiCode{"MPI_Bsend", kP2p, 33},
    MpiCode{"MPI_Ssend", kP2p, 34},
    MpiCode{"MPI_Rsend", kP2p, 35},
    MpiCode{"MPI_Ibsend", kP2p, 36},
    MpiCode{"MPI_Issend", kP2p, 37},
    MpiCode{"MPI_Irsend", kP2p, 38},
    MpiCode{"MPI_Test", kP2p, 39},
    MpiCode{"MPI_Cancel", kP2p, 40},
    MpiCode{"MPI_Sendrecv", kP2p, 41},
    MpiCode{"MPI_Sendrecv_replace", kP2p, 42},
    MpiCode{"MPI_Cart_create", kRest, 43},
    MpiCode{"MPI_Cart_sub", kRest, 49},
    MpiCode{"MPI_Graph_create", kRest, 54},
    MpiCode{"MPI_Waitany", kP2p, 59},
    MpiCode{"MPI_Waitsome", kP2p, 60},
    MpiCode{"MPI_Probe", kP2p, 61},
    MpiCode{"MPI_Iprobe", kP2p, 62},
    MpiCode{"MPI_Win_create", kRma, 63},
    MpiCode{"MPI_Win_free", kRma, 64},
    MpiCode{"MPI_Put", kRma, 65},
    MpiCode{"MPI_Get", kRma, 66},
    MpiCode{"MPI_Accumulate", kRma, 67},
    MpiCode{"MPI_Win_fence", kRma, 68},
    MpiCode{"MPI_Win_start", kRma, 69},
    MpiCode{"MPI_Win_complete", kRma, 70},
    MpiCode{"MPI_Win_post", kRma, 71},
    MpiCode{"MPI_Win_wait", kRma, 72},
    MpiCode{"MPI_Win_test", kRma, 73},
    MpiCode{"MPI_Win_lock", kRma, 74},
    MpiCode{"MPI_Win_unlock", kRma, 75},
    MpiCode{"MPI_Reduce_scatter", kColl, 80},
    MpiCode{"MPI_Intercomm_create", kRest, 96},
    MpiCode{"MPI_Intercomm_merge", kRest, 97},
    MpiCode{"MPI_Wtime", kRest, 110},
    MpiCode{"MPI_Recv_init", kP2p, 112},
    MpiCode{"MPI_Request_free", kP2p, 115},
    MpiCode{"MPI_Send_init", kP2p, 116},
    MpiCode{"MPI_Bsend_init", kP2p, 117},
    MpiCode{"MPI_Rsend_init", kP2p, 121},
    MpiCode{"MPI_Ssend_init", kP2p, 122},
    MpiCode{"MPI_Start", kP2p, 123},
    MpiCode{"MPI_Startall", kP2p, 124},
    MpiCode{"MPI_Testall", kP2p, 125},
    MpiCode{"MPI_Testany", kP2p, 126},
    MpiCode{"MPI_Testsome", kP2p, 128},
    MpiCode{"MPI_File_open", kIo, 141},
    MpiCode{"MPI_File_close", kIo, 142},
    MpiCode{"MPI_File_read", kIo, 143},
    MpiCode{"MPI_File_read_all", kIo, 144},
    MpiCode{"MPI_File_write", kIo, 145},
    MpiCode{"MPI_File_write_all", kIo, 146},
    MpiCode{"MPI_File_read_at", kIo, 147},
    MpiCode{"MPI_File_read_at_all", kIo, 148},
    MpiCode{"MPI_File_write_at", kIo, 149},
    MpiCode{"MPI_File_write_at_all", kIo, 150},
    MpiCode{"MPI_Ireduce", kColl, 154},
    MpiCode{"MPI_Iallreduce", kColl, 155},
    MpiCode{"MPI_Ibarrier", kColl, 156},
    MpiCode{"MPI_Ibcast", kColl, 157},
    MpiCode{"MPI_Ialltoall", kColl, 158},
    MpiCode{"MPI_Ialltoallv", kColl, 159},
    MpiCode{"MPI_Iallgather", kColl, 160},
    MpiCode{"MPI_Iallgatherv", kColl, 161},
    MpiCode{"MPI_Igather", kColl, 162},
    MpiCode{"MPI_Igatherv", kColl, 163},
    MpiCode{"MPI_Iscatter", kColl, 164},
    MpiCode{"MPI_Iscatterv", kColl, 165},
    MpiCode{"MPI_Ireduce_scatter", kColl, 166},
    MpiCode{"MPI_Iscan", kColl, 167},
    MpiCode{"MPI_Reduce_scatter_block", kColl, 168},
    MpiCode{"MPI_Ireduce_scatter_block", kColl, 169},
    MpiCode{"MPI_Alltoallw", kColl, 170},
    MpiCode{"MPI_Ialltoallw", kColl, 171},
};

}  // namespace

std::span<const MpiCode> mpi_codes() {
  return kRows;
}

const MpiCode* find_mpi_code(std::string_view name) {
  const auto* const row =
      std::find_if(kRows.begin(), kRows.end(), [&](const MpiCode& r) { return r.name == name; });
  return row == kRows.end() ? nullptr : row;
}

}  // namespace busline::paraver
