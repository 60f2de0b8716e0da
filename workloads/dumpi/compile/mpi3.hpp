// Calls of MPI-3 and later. The format has no function ids for them; a tracer that knows them writes an
// annotation around each, with the text "MPI-3: " and the call's name (docs/reference/dumpi.md, "MPI-3").
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "workloads/dumpi/format/mpi3_table.hpp"

namespace busline::dumpi {

/// The call that an annotation stands for, if `label` is one of a call of MPI-3.
constexpr std::optional<std::string_view> mpi3_call(std::string_view label) {
  for (const auto prefix : {kAnnotationPrefix, kMpi3Prefix}) {
    if (!label.starts_with(prefix)) return std::nullopt;
    label.remove_prefix(prefix.size());
  }
  return label;
}

/// Calls that neither move data nor wait: nothing is missing without them.
constexpr bool is_local_mpi3(std::string_view call) {
  constexpr std::array<std::string_view, 20> kLocal{"MPI_Comm_get_info",
                                                    "MPI_Comm_set_info",
                                                    "MPI_Dist_graph_neighbors",
                                                    "MPI_Dist_graph_neighbors_count",
                                                    "MPI_Get_elements_x",
                                                    "MPI_Get_library_version",
                                                    "MPI_Info_create_env",
                                                    "MPI_Info_get_string",
                                                    "MPI_Status_set_elements_x",
                                                    "MPI_Type_create_hindexed_block",
                                                    "MPI_Type_get_extent_x",
                                                    "MPI_Type_get_true_extent_x",
                                                    "MPI_Type_size_x",
                                                    "MPI_Win_attach",
                                                    "MPI_Win_detach",
                                                    "MPI_Win_get_info",
                                                    "MPI_Win_set_info",
                                                    "MPI_Win_shared_query",
                                                    "MPI_Win_sync",
                                                    "MPI_Get_hw_resource_info"};
  return call.starts_with("MPI_T_") || std::find(kLocal.begin(), kLocal.end(), call) != kLocal.end();
}

}  // namespace busline::dumpi
