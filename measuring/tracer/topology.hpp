// Who takes part in a call, where its parameters do not say it.
#pragma once
#include <vector>

#include "measuring/tracer/mpi.hpp"

namespace busline::tracer {

/// The neighbours of this rank in the topology of a communicator, in the order in which neighbourhood
/// collectives have their buffers (MPI 4.0, 8.6). MPI_PROC_NULL is kProcNull. Without a topology there are
/// none.
struct Neighbours {
  std::vector<int> sources, destinations;
};
Neighbours neighbours_in(MPI_Comm comm);

/// The members of `made` as ranks of `old`; none if it is MPI_COMM_NULL.
std::vector<int> members_in(MPI_Comm made, MPI_Comm old);

}  // namespace busline::tracer
