// Like a conjugate-gradient solver on a line of ranks: a broadcast of parameters; then per iteration the
// borders of `size` bytes up and down with MPI_Sendrecv, and two allreduces of a number.
#include <cstddef>
#include <vector>

#include "validation/cluster/apps/application.hpp"

int main(int argc, char** argv) {
  busline::cluster::Application app("cglike", argc, argv);
  const auto& o = app.options();
  const int up = app.rank() + 1 < app.ranks() ? app.rank() + 1 : MPI_PROC_NULL;
  const int down = app.rank() > 0 ? app.rank() - 1 : MPI_PROC_NULL;
  std::vector<char> own(static_cast<std::size_t>(o.bytes)), border(own.size());
  const auto shift = [&](int to, int from, int tag) {
    MPI_Sendrecv(own.data(), o.bytes, MPI_CHAR, to, tag, border.data(), o.bytes, MPI_CHAR, from, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  const auto dot_product = [] {
    double part = 1, sum = 0;
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  };

  std::vector<double> parameters(1024, 1);
  MPI_Bcast(parameters.data(), static_cast<int>(parameters.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < o.iterations; ++i) {
    shift(up, down, 1);
    shift(down, up, 2);
    app.compute(o.compute_us * 0.7);
    dot_product();
    app.compute(o.compute_us * 0.3);
    dot_product();
  }
  return app.finish();
}
