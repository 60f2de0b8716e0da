// A call of each family that MPI-3 added, `iters` times: non-blocking collectives with computation beside
// them, neighbours in a ring, matched messages, a window. `size`: bytes of a vector.
#include <cstddef>
#include <vector>

#include "validation/cluster/apps/application.hpp"

namespace {

using busline::cluster::Application;

void collectives(Application& app) {
  const int n = app.options().bytes / 8, ranks = app.ranks();
  const auto vector = static_cast<std::size_t>(n * ranks);
  std::vector<double> own(vector), sums(vector), parts(vector), all(static_cast<std::size_t>(ranks * ranks));
  std::vector<int> counts(static_cast<std::size_t>(ranks)), places(counts);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = static_cast<int>(i) + 1;
    places[i] = static_cast<int>(i) * ranks;
  }
  MPI_Request requests[3];
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  app.compute(app.options().compute_us);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Ibcast(own.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Iallreduce(own.data(), sums.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ialltoall(own.data(), n, MPI_DOUBLE, parts.data(), n, MPI_DOUBLE, MPI_COMM_WORLD, &requests[1]);
  app.compute(app.options().compute_us);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Igatherv(own.data(), app.rank() + 1, MPI_DOUBLE, all.data(), counts.data(), places.data(), MPI_DOUBLE,
               0, MPI_COMM_WORLD, &requests[0]);
  MPI_Ireduce_scatter_block(own.data(), parts.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Iexscan(own.data(), sums.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Reduce_scatter_block(own.data(), parts.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void neighbours(Application& app) {
  const int n = app.options().bytes / 8, ranks = app.ranks();
  const int next = (app.rank() + 1) % ranks, previous = (app.rank() + ranks - 1) % ranks;
  std::vector<double> own(static_cast<std::size_t>(2 * n)), others(own);
  MPI_Comm copy = MPI_COMM_NULL, node = MPI_COMM_NULL, same = MPI_COMM_NULL, ring = MPI_COMM_NULL,
           line = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_split_type(copy, MPI_COMM_TYPE_SHARED, -app.rank(), MPI_INFO_NULL, &node);
  MPI_Barrier(node);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm_group(copy, &group);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &same);
  MPI_Barrier(same);
  MPI_Dist_graph_create_adjacent(same, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 0, &ring);
  MPI_Neighbor_allgather(own.data(), n, MPI_DOUBLE, others.data(), n, MPI_DOUBLE, ring);
  const int extent = ranks, open = 0;
  MPI_Cart_create(copy, 1, &extent, &open, 0, &line);
  const int sent[] = {n, n / 2}, received[] = {n / 2, n}, places[] = {0, n};
  MPI_Ineighbor_alltoallv(own.data(), sent, places, MPI_DOUBLE, others.data(), received, places, MPI_DOUBLE,
                          line, &request);
  app.compute(app.options().compute_us);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Group_free(&group);
  for (auto* const made : {&line, &ring, &same, &node, &copy}) MPI_Comm_free(made);
}

void messages(Application& app) {
  const int n = app.options().bytes / 8, next = (app.rank() + 1) % app.ranks();
  std::vector<double> own(static_cast<std::size_t>(n)), other(own);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Isend(own.data(), n, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &request);
  MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(other.data(), n, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void window(Application& app) {
  const int n = app.options().bytes / 8, next = (app.rank() + 1) % app.ranks();
  std::vector<double> own(static_cast<std::size_t>(n)), other(own);
  double* memory = nullptr;
  double one = 1, before = 0;
  MPI_Win win = MPI_WIN_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Win_allocate(8 * n, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_lock_all(0, win);
  MPI_Put(own.data(), n, MPI_DOUBLE, next, 0, n, MPI_DOUBLE, win);
  MPI_Win_flush(next, win);
  MPI_Rget(other.data(), n, MPI_DOUBLE, next, 0, n, MPI_DOUBLE, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Fetch_and_op(&one, &before, MPI_DOUBLE, next, 0, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

}  // namespace

int main(int argc, char** argv) {
  Application app("mpi3", argc, argv);
  for (int i = 0; i < app.options().iterations; ++i) {
    collectives(app);
    neighbours(app);
    messages(app);
    window(app);
  }
  return app.finish();
}
