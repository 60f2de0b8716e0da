// The calls that can be borders of a timed region (measuring/run_times).
#pragma once
#include <array>
#include <string_view>

// Each with the number of its parameters in C. Those that DUMPI has no record for cannot be found in a trace
// and are left out: what MPI-3 added, and MPI_Pcontrol.
// clang-format off
#define BUSLINE_BORDER_CALLS(X) \
  X(Barrier, 1) X(Bcast, 5) X(Gather, 8) X(Gatherv, 9) X(Scatter, 8) X(Scatterv, 9) X(Allgather, 7) \
  X(Allgatherv, 8) X(Alltoall, 7) X(Alltoallv, 9) X(Alltoallw, 9) X(Reduce, 7) X(Allreduce, 6) \
  X(Reduce_scatter, 6) X(Scan, 6) X(Exscan, 6) \
  X(Comm_dup, 2) X(Comm_create, 3) X(Comm_split, 4) X(Intercomm_create, 6) X(Intercomm_merge, 3) \
  X(Cart_create, 6) X(Cart_sub, 3) X(Graph_create, 6) X(Win_create, 6) X(Win_fence, 2) X(Win_free, 1) \
  X(Send, 6) X(Ssend, 6) X(Recv, 7) X(Sendrecv, 12) X(Probe, 4) X(Wait, 2) X(Waitall, 3)
// clang-format on

namespace busline::runs {

#define BUSLINE_BORDER_NAME(name, parameters) "MPI_" #name,
inline constexpr std::array kBorderCalls =
    std::to_array<std::string_view>({BUSLINE_BORDER_CALLS(BUSLINE_BORDER_NAME)});
#undef BUSLINE_BORDER_NAME

/// A border further from the begin or the end than this is refused: of calls counted from the end, that many
/// moments are kept.
inline constexpr long long kMostBorderNumber = 1'000'000;

}  // namespace busline::runs
