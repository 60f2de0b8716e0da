// Two-dimensional halo exchange: non-blocking messages of `size` bytes to four neighbours while the interior
// is computed, then the borders; every fifth sweep an allreduce of the residual.
#include <array>
#include <cstddef>
#include <vector>

#include "validation/cluster/apps/application.hpp"

int main(int argc, char** argv) {
  busline::cluster::Application app("jacobi2d", argc, argv);
  const auto& o = app.options();
  std::array<int, 2> dimensions{}, periodic{};
  MPI_Dims_create(app.ranks(), 2, dimensions.data());
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions.data(), periodic.data(), 0, &grid);
  constexpr std::size_t kSides = 4;
  std::array<int, kSides> neighbour{};  // MPI_PROC_NULL at the edges
  MPI_Cart_shift(grid, 0, 1, &neighbour[0], &neighbour[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbour[2], &neighbour[3]);
  const int cells = o.bytes / static_cast<int>(sizeof(double));
  std::array<std::vector<double>, kSides> own, halo;
  for (std::size_t side = 0; side < kSides; ++side) {
    own[side].assign(static_cast<std::size_t>(cells), app.rank() + static_cast<double>(side));
    halo[side].assign(static_cast<std::size_t>(cells), 0);
  }

  double residual = 1, sum = 0;
  for (int sweep = 0; sweep < o.iterations; ++sweep) {
    std::array<MPI_Request, 2 * kSides> requests{};
    std::size_t n = 0;
    for (std::size_t side = 0; side < kSides; ++side)  // a message is tagged with the side that it leaves by
      MPI_Irecv(halo[side].data(), cells, MPI_DOUBLE, neighbour[side], static_cast<int>(side ^ 1), grid,
                &requests[n++]);
    for (std::size_t side = 0; side < kSides; ++side)
      MPI_Isend(own[side].data(), cells, MPI_DOUBLE, neighbour[side], static_cast<int>(side), grid,
                &requests[n++]);
    app.compute(o.compute_us * 0.8);
    MPI_Waitall(static_cast<int>(n), requests.data(), MPI_STATUSES_IGNORE);
    app.compute(o.compute_us * 0.2);
    if (sweep % 5 == 4) {
      MPI_Allreduce(&residual, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
      residual = sum / app.ranks();
    }
  }
  MPI_Comm_free(&grid);
  return app.finish();
}
