// A solver that transposes, like a parallel Fourier transform: computes, exchanges `size` bytes between each
// two ranks, computes and exchanges them back.
#include <cstddef>
#include <vector>

#include "validation/cluster/apps/application.hpp"

int main(int argc, char** argv) {
  busline::cluster::Application app("fftlike", argc, argv);
  const auto& o = app.options();
  const auto all = static_cast<std::size_t>(o.bytes) * static_cast<std::size_t>(app.ranks());
  std::vector<char> rows(all, 1), columns(all);
  const auto transpose = [&](const std::vector<char>& from, std::vector<char>& to) {
    MPI_Alltoall(from.data(), o.bytes, MPI_CHAR, to.data(), o.bytes, MPI_CHAR, MPI_COMM_WORLD);
  };

  for (int i = 0; i < o.iterations; ++i) {
    app.compute(o.compute_us);
    transpose(rows, columns);
    app.compute(o.compute_us);
    transpose(columns, rows);
  }
  return app.finish();
}
