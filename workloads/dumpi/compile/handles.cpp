#include "workloads/dumpi/compile/handles.hpp"

#include "workloads/dumpi/format/blocking_form.hpp"

namespace busline::dumpi {

std::optional<Creator> creator_of(std::uint16_t function) {
  switch (blocking_form(function)) {  // MPI_Comm_idup
    case function_id("MPI_Comm_dup"):
      return Creator{argument("MPI_Comm_dup", "oldcomm"), argument("MPI_Comm_dup", "newcomm")};
    case function_id("MPI_Comm_create"):
      return Creator{argument("MPI_Comm_create", "oldcomm"), argument("MPI_Comm_create", "newcomm")};
    case function_id("MPI_Comm_split"):
      return Creator{argument("MPI_Comm_split", "oldcomm"), argument("MPI_Comm_split", "newcomm")};
    case function_id("MPI_Cart_create"):
      return Creator{argument("MPI_Cart_create", "oldcomm"), argument("MPI_Cart_create", "newcomm")};
    case function_id("MPI_Cart_sub"):
      return Creator{argument("MPI_Cart_sub", "oldcomm"), argument("MPI_Cart_sub", "newcomm")};
    case function_id("MPI_Graph_create"):
      return Creator{argument("MPI_Graph_create", "oldcomm"), argument("MPI_Graph_create", "newcomm")};
    case function_id("MPI_Intercomm_create"):
      return Creator{argument("MPI_Intercomm_create", "localcomm"),
                     argument("MPI_Intercomm_create", "newcomm")};
    case function_id("MPI_Intercomm_merge"):
      return Creator{argument("MPI_Intercomm_merge", "comm"), argument("MPI_Intercomm_merge", "newcomm")};
    case function_id("MPI_Comm_dup_with_info"):
      return Creator{argument("MPI_Comm_dup_with_info", "oldcomm"),
                     argument("MPI_Comm_dup_with_info", "newcomm")};
    case function_id("MPI_Comm_split_type"):
      return Creator{argument("MPI_Comm_split_type", "oldcomm"), argument("MPI_Comm_split_type", "newcomm")};
    case function_id("MPI_Comm_create_group"):
      return Creator{argument("MPI_Comm_create_group", "oldcomm"),
                     argument("MPI_Comm_create_group", "newcomm")};
    case function_id("MPI_Dist_graph_create"):
    case function_id("MPI_Dist_graph_create_adjacent"):
      return Creator{argument("MPI_Dist_graph_create", "oldcomm"),
                     argument("MPI_Dist_graph_create", "newcomm")};
    default:
      return std::nullopt;
  }
}

std::optional<WindowMaker> window_maker(std::uint16_t function) {
  switch (function) {
    case function_id("MPI_Win_create"):
      return WindowMaker{argument("MPI_Win_create", "comm"), argument("MPI_Win_create", "win")};
    case function_id("MPI_Win_allocate"):
    case function_id("MPI_Win_allocate_shared"):
      return WindowMaker{argument("MPI_Win_allocate", "comm"), argument("MPI_Win_allocate", "win")};
    case function_id("MPI_Win_create_dynamic"):
      return WindowMaker{argument("MPI_Win_create_dynamic", "comm"),
                         argument("MPI_Win_create_dynamic", "win")};
    default:
      return std::nullopt;
  }
}

HandleTable::HandleTable() {
  communicators_.set(kCommWorld, kWorldInstance);
  communicators_.set(kCommSelf, kSelfInstance);
}

void HandleTable::apply(const Record& r) {
  const auto dynamic = [&](std::int64_t made) {
    if (made > kCommSelf || made < 0) communicators_.set(made, kDynamicInstance);
  };
  if (const auto creator = creator_of(r.function)) {
    const auto made = r[creator->made];
    if (made > kCommSelf || made < 0) communicators_.set(made, next_);
    ++next_;
    return;
  }
  if (const auto maker = window_maker(r.function))
    return windows_.set(r[maker->made], communicator(r[maker->communicator]));
  switch (r.function) {
    case function_id("MPI_Comm_free"):
    case function_id("MPI_Comm_disconnect"):
      if (r[0] > kCommSelf || r[0] < 0) communicators_.erase(r[0]);
      break;
    case function_id("MPI_Win_free"):
      windows_.erase(r[0]);
      break;
    case function_id("MPI_File_open"):
      files_.set(r[argument("MPI_File_open", "file")], communicator(r[argument("MPI_File_open", "comm")]));
      break;
    case function_id("MPI_File_close"):
      files_.erase(r[0]);
      break;
    case function_id("MPI_Comm_spawn"):
      dynamic(r[argument("MPI_Comm_spawn", "newcomm")]);
      break;
    case function_id("MPI_Comm_spawn_multiple"):
      dynamic(r[argument("MPI_Comm_spawn_multiple", "newcomm")]);
      break;
    case function_id("MPI_Comm_accept"):
    case function_id("MPI_Comm_connect"):
      dynamic(r[argument("MPI_Comm_accept", "newcomm")]);
      break;
    case function_id("MPI_Comm_join"):
      dynamic(r[argument("MPI_Comm_join", "comm")]);
      break;
    case function_id("MPI_Comm_get_parent"):
      dynamic(r[argument("MPI_Comm_get_parent", "parent")]);
      break;
    default:
      break;
  }
}

}  // namespace busline::dumpi
