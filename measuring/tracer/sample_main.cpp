// A small MPI program for 3 ranks that is run under the tracer; trace_check_main.cpp knows what it does. With
// an argument it does nothing.
#include <array>
#include <vector>

#include "measuring/tracer/mpi.hpp"

namespace {

void messages(int rank) {
  std::array<int, 8> data{};
  if (rank == 0) {
    for (int i = 0; i < 2; ++i)  // from whom, the program does not ask
      MPI_Recv(data.data(), 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(data.data(), rank, MPI_INT, 0, 10 * rank, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // or rank 0 could take one of the following messages
  const int left = rank == 0 ? MPI_PROC_NULL : rank - 1, right = rank == 2 ? MPI_PROC_NULL : rank + 1;
  std::array<double, 2> from{};
  std::array<MPI_Request, 4> requests{};
  MPI_Irecv(&from[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&from[1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
  const double own = rank;
  MPI_Isend(&own, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&own, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  int flag = 1;
  MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);  // there is none
}

// A type that is freed, and another one that may get its handle.
void datatypes(int rank) {
  std::array<int, 16> data{};
  for (const int blocks : {2, 4}) {
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 1) MPI_Send(data.data(), 1, column, 2, 5, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(data.data(), 1, column, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
  }
}

void collectives(int rank) {
  std::array<int, 3> counts{1, 2, 3}, places{0, 1, 3};
  std::array<int, 6> parts{};
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  // Only the root has to give counts and types, and its own part is in place already.
  if (rank == 0)
    MPI_Gatherv(MPI_IN_PLACE, 99, MPI_DATATYPE_NULL, parts.data(), counts.data(), places.data(), MPI_INT, 0,
                MPI_COMM_WORLD);
  else
    MPI_Gatherv(parts.data(), rank + 1, MPI_INT, nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, 0,
                MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, -rank, &half);
  if (half != MPI_COMM_NULL) {
    MPI_Bcast(parts.data(), 6, MPI_INT, 1, half);
    MPI_Comm_free(&half);
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return 0;  // before the first call
  int initialized = 0, rank = 0;
  MPI_Initialized(&initialized);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  messages(rank);
  datatypes(rank);
  collectives(rank);
  MPI_Pcontrol(2, "phase %d", 7);
  MPI_Pcontrol(0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  MPI_Finalize();
}
