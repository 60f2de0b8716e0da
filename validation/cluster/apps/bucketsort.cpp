// Bucket sort of uneven data: an allreduce of the buckets' counts, an all-to-all of how much goes where, and
// one of the keys, on average `size` bytes between each two ranks; the sorting; a sum over all.
#include <cstddef>
#include <numeric>
#include <vector>

#include "validation/cluster/apps/application.hpp"

namespace {

std::vector<int> offsets(const std::vector<int>& counts) {
  std::vector<int> o(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), o.begin(), 0);
  return o;
}

std::size_t sum(const std::vector<int>& counts) {
  return static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0));
}

}  // namespace

int main(int argc, char** argv) {
  busline::cluster::Application app("bucketsort", argc, argv);
  const auto& o = app.options();
  const int mean_keys = o.bytes / static_cast<int>(sizeof(int));
  std::vector<int> out(static_cast<std::size_t>(app.ranks())), in(out.size());

  for (int i = 0; i < o.iterations; ++i) {
    std::vector<int> buckets(1024, app.rank()), all_buckets(buckets.size());
    app.compute(o.compute_us * 0.4);
    MPI_Allreduce(buckets.data(), all_buckets.data(), static_cast<int>(buckets.size()), MPI_INT, MPI_SUM,
                  MPI_COMM_WORLD);
    for (int to = 0; to < app.ranks(); ++to)  // 0.5 to 1.5 of the mean
      out[static_cast<std::size_t>(to)] = mean_keys * (2 + (app.rank() * 3 + to * 5 + i) % 5) / 4;
    MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> keys(sum(out), app.rank()), sorted(sum(in));
    MPI_Alltoallv(keys.data(), out.data(), offsets(out).data(), MPI_INT, sorted.data(), in.data(),
                  offsets(in).data(), MPI_INT, MPI_COMM_WORLD);
    app.compute(o.compute_us * 0.6);
    const double own = static_cast<double>(sorted.size());
    double all = 0;
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  }
  return app.finish();
}
