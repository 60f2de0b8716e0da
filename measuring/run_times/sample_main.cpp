// A small MPI program that is recorded: two rounds between its first MPI_Barrier and its second MPI_Allreduce
// from the end. With the argument "fail" it ends with exit code 3; with "exit" it leaves without
// MPI_Finalize.
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "measuring/tracer/mpi.hpp"

int main(int argc, char** argv) {
  const std::string_view wish = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  int own = rank, from_left = 0, sum = 0;
  for (int round = 0; round < 2; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    MPI_Sendrecv(&own, 1, MPI_INT, (rank + 1) % ranks, 0, &from_left, 1, MPI_INT, (rank + ranks - 1) % ranks,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (wish == "exit") std::_Exit(0);
  for (int i = 0; i < 2; ++i) MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (wish == "fail" && rank == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return 0;
}
