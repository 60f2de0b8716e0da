#include "measuring/tracer/topology.hpp"

#include <cstddef>
#include <numeric>

#include "measuring/tracer/constants.hpp"

namespace busline::tracer {
namespace {

std::vector<int> of_size(int n) {
  return std::vector<int>(n < 0 ? 0 : static_cast<std::size_t>(n));
}

Neighbours in_grid(MPI_Comm comm) {
  int dimensions = 0;
  PMPI_Cartdim_get(comm, &dimensions);
  Neighbours all;
  for (int d = 0; d < dimensions; ++d) {
    int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
    PMPI_Cart_shift(comm, d, 1, &below, &above);
    all.sources.insert(all.sources.end(), {below, above});
  }
  all.destinations = all.sources;
  return all;
}

Neighbours in_graph(MPI_Comm comm) {
  int rank = 0, n = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Graph_neighbors_count(comm, rank, &n);
  Neighbours all{of_size(n), {}};
  PMPI_Graph_neighbors(comm, rank, n, all.sources.data());
  all.destinations = all.sources;
  return all;
}

Neighbours in_distributed_graph(MPI_Comm comm) {
  int in = 0, out = 0, weighted = 0;
  PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  Neighbours all{of_size(in), of_size(out)};
  auto in_weights = of_size(in), out_weights = of_size(out);
  PMPI_Dist_graph_neighbors(comm, in, all.sources.data(), weighted != 0 ? in_weights.data() : MPI_UNWEIGHTED,
                            out, all.destinations.data(),
                            weighted != 0 ? out_weights.data() : MPI_UNWEIGHTED);
  return all;
}

}  // namespace

Neighbours neighbours_in(MPI_Comm comm) {
  int kind = MPI_UNDEFINED;
  if (comm != MPI_COMM_NULL) PMPI_Topo_test(comm, &kind);
  Neighbours all;
  if (kind == MPI_CART) all = in_grid(comm);
  if (kind == MPI_GRAPH) all = in_graph(comm);
  if (kind == MPI_DIST_GRAPH) all = in_distributed_graph(comm);
  for (auto* const list : {&all.sources, &all.destinations})
    for (auto& rank : *list) rank = rank_of(rank);
  return all;
}

std::vector<int> members_in(MPI_Comm made, MPI_Comm old) {
  if (made == MPI_COMM_NULL) return {};
  MPI_Group group = MPI_GROUP_NULL, old_group = MPI_GROUP_NULL;
  PMPI_Comm_group(made, &group);
  PMPI_Comm_group(old, &old_group);
  int n = 0;
  PMPI_Group_size(group, &n);
  auto ranks = of_size(n), old_ranks = of_size(n);
  std::iota(ranks.begin(), ranks.end(), 0);
  PMPI_Group_translate_ranks(group, n, ranks.data(), old_group, old_ranks.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&old_group);
  return old_ranks;
}

}  // namespace busline::tracer
