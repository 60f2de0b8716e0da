#include "measuring/skampi/ski_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sim/base/error.hpp"

namespace busline::skampi {
namespace {

constexpr std::array<SkiOperation, 33> kOperations{{
    {"Pingpong_Send_Recv", "cdti", 2, 0, false},
    {"Pingpong_Send_Recv_AT", "cdti", 2, 0, false},
    {"Pingpong_Send_Irecv", "cdti", 2, 0, false},
    {"Pingpong_Send_Iprobe_Recv", "cdti", 2, 0, false},
    {"Pingpong_Ssend_Recv", "cdti", 2, 0, false},
    {"Pingpong_Isend_Recv", "cdti", 2, 0, false},
    {"Pingpong_Issend_Recv", "cdti", 2, 0, false},
    {"Pingpong_Bsend_Recv", "cdti", 2, 0, false},
    {"Pingpong_Sendrecv", "cdtcdti", 2, 0, false},
    {"Pingpong_Sendrecv_replace", "cdtti", 1, 0, false},
    {"Bcast", "cdr", 1, 0, false},
    {"Bcast_using_Send_Recv", "cdr", 1, 0, false},
    {"Barrier", "", 0, 0, false},
    {"Reduce", "cdor", 2, 0, false},
    {"Allreduce", "cdo", 2, 0, false},
    {"Allreduce_using_Reduce_Bcast", "cdor", 2, 0, false},
    {"Scan", "cdo", 2, 0, false},
    {"Reduce_scatter", "cdor", 2, 0, true},
    {"Reduce_Scatterv", "cdor", 2, 0, true},
    {"Alltoall", "cdcd", 0, 2, false},
    {"Alltoallv", "cdcd", 0, 2, false},
    {"Alltoall_using_Isend_Irecv", "cdcd", 0, 2, false},
    {"Gather", "cdcdr", 1, 1, false},
    {"Gatherv", "cdcdr", 1, 1, false},
    {"Gather_using_Send_Recv", "cdcdr", 1, 1, false},
    {"Gather_using_Isend_Irecv_Waitall", "cdcdr", 1, 1, false},
    {"Scatter", "cdcdr", 1, 1, false},
    {"Scatterv", "cdcdr", 1, 1, false},
    {"Allgather", "cdcd", 1, 1, false},
    {"Allgatherv", "cdcd", 1, 1, false},
    {"Comm_dup", "", 0, 0, false},
    {"Comm_split", "", 0, 0, false},
    {"Wtime", "i", 0, 0, false},
}};

}  // namespace

const SkiOperation* find_ski_operation(std::string_view name) {
  const auto* const found = std::find_if(kOperations.begin(), kOperations.end(),
                                         [&](const SkiOperation& o) { return o.name == name; });
  return found == kOperations.end() ? nullptr : found;
}

std::string operation_meant(std::string_view name) {
  constexpr std::string_view kPrefix = "MPI_";
  constexpr std::size_t kLongest = 64;
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  std::vector<std::string> known;
  for (const auto& o : kOperations) known.emplace_back(o.name);
  const auto near = nearest_name(known, name.substr(0, kLongest));
  return near.empty() ? "docs/reference/skampi.md lists the operations"
                      : fmt::format("did you mean {}()?", near);
}

}  // namespace busline::skampi
