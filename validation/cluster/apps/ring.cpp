// A pipeline in a ring: `iters` blocks of `size` bytes go round once, and every rank computes on each.
// Blocking sends: with blocks beyond the eager limit all ranks wait for each other, and the program hangs.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "validation/cluster/apps/application.hpp"

int main(int argc, char** argv) {
  busline::cluster::Application app("ring", argc, argv);
  const auto& o = app.options();
  const int next = (app.rank() + 1) % app.ranks(), previous = (app.rank() + app.ranks() - 1) % app.ranks();
  std::vector<char> block(static_cast<std::size_t>(o.bytes));
  const auto send = [&](int n) { MPI_Send(block.data(), o.bytes, MPI_CHAR, next, n, MPI_COMM_WORLD); };
  const auto receive = [&](int n) {
    MPI_Recv(block.data(), o.bytes, MPI_CHAR, previous, n, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };

  // Rank 0 takes blocks back once the ring is full; those that are left come at the end.
  const int in_ring = app.ranks() - 1;
  for (int n = 0; n < o.iterations; ++n) {
    if (app.rank() != 0) receive(n);
    app.compute(o.compute_us);
    send(n);
    if (app.rank() == 0 && n >= in_ring) receive(n - in_ring);
  }
  if (app.rank() == 0)
    for (int n = std::max(0, o.iterations - in_ring); n < o.iterations; ++n) receive(n);
  return app.finish();
}
