#include "workloads/dumpi/compile/communicator_log.hpp"

#include <fmt/format.h>

#include <utility>

namespace busline::dumpi {
namespace {

constexpr std::uint32_t kUnknownGroup = 0, kEmptyGroup = 1;  // indices
constexpr std::int64_t kGroupNull = 1, kGroupEmptyId = 2;
constexpr std::size_t kRange = 3;  // first, last, stride

std::vector<std::int32_t> copy(IntegerView<std::int32_t> from) {
  std::vector<std::int32_t> to(from.size());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i];
  return to;
}

// The rows of a list of lists that are ranges.
std::vector<std::int32_t> copy_ranges(const Argument& rows) {
  std::vector<std::int32_t> to;
  const char* at = rows.data;
  for (std::int64_t i = 0; i < rows.number; ++i) {
    const auto n = static_cast<std::size_t>(load_big_endian<std::int32_t>(at));
    const IntegerView<std::int32_t> row(at + 4, n);
    if (n == kRange) to.insert(to.end(), {row[0], row[1], row[2]});
    at += 4 + 4 * n;
  }
  return to;
}

}  // namespace

std::string unknown_communicator(std::int64_t id, std::uint32_t instance) {
  if (instance == kDynamicInstance)
    return fmt::format("communicator {} joins another job: dynamic processes are not simulated", id);
  if (id == kCommNull) return "the communicator is MPI_COMM_NULL";
  return fmt::format("no recorded call made communicator {}", id);
}

std::optional<std::string> CommunicatorLog::apply(const Record& r, const HandleTable& handles) {
  if (const auto creator = creator_of(r.function)) return log_creation(r, *creator, handles);
  switch (r.function) {
    case function_id("MPI_Comm_rank"):
      if (const auto c = handles.communicator(r[0]); c < kDynamicInstance) told_of(c).rank = r.i32(1);
      break;
    case function_id("MPI_Comm_size"):
      if (const auto c = handles.communicator(r[0]); c < kDynamicInstance) told_of(c).size = r.i32(1);
      break;
    default:
      log_group(r, handles);
  }
  return std::nullopt;
}

std::optional<std::string> CommunicatorLog::log_creation(const Record& r, const Creator& creator,
                                                         const HandleTable& handles) {
  Creation c;
  c.function = r.function;
  c.parent = handles.communicator(r[creator.parent]);
  if (c.parent >= kDynamicInstance) return unknown_communicator(r[creator.parent], c.parent);
  c.member = r[creator.made] != kCommNull;
  c.offset = r.offset;
  c.record = r.number;
  switch (r.function) {
    case function_id("MPI_Comm_split"):
      c.color = r.i32(argument("MPI_Comm_split", "color"));
      c.key = r.i32(argument("MPI_Comm_split", "key"));
      break;
    case function_id("MPI_Comm_create"):
      c.group = group(r[argument("MPI_Comm_create", "group")]);
      break;
    case function_id("MPI_Cart_create"):
      c.dimensions = copy(r.list(argument("MPI_Cart_create", "dims")));
      c.reordered = r[argument("MPI_Cart_create", "reorder")] != 0;
      break;
    case function_id("MPI_Cart_sub"):
      c.dimensions = copy(r.list(argument("MPI_Cart_sub", "remain_dims")));
      break;
    case function_id("MPI_Graph_create"):
      c.color = r.i32(argument("MPI_Graph_create", "nodes"));
      c.reordered = r[argument("MPI_Graph_create", "reorder")] != 0;
      break;
    case function_id("MPI_Comm_split_type"):
      c.dimensions = copy(r.list(argument("MPI_Comm_split_type", "ranks")));
      break;
    case function_id("MPI_Comm_create_group"):
      c.dimensions = copy(r.list(argument("MPI_Comm_create_group", "ranks")));
      break;
    case function_id("MPI_Dist_graph_create"):
    case function_id("MPI_Dist_graph_create_adjacent"):
      c.dimensions = copy(r.list(argument("MPI_Dist_graph_create", "ranks")));
      break;
    case function_id("MPI_Intercomm_create"):
      c.local_leader = r.i32(argument("MPI_Intercomm_create", "localleader"));
      c.remote_leader = r.i32(argument("MPI_Intercomm_create", "remoteleader"));
      c.tag = r.i32(argument("MPI_Intercomm_create", "tag"));
      c.peer = handles.communicator(r[argument("MPI_Intercomm_create", "remotecomm")]);
      break;
    case function_id("MPI_Intercomm_merge"):
      c.color = r[argument("MPI_Intercomm_merge", "high")] != 0 ? 1 : 0;
      c.reordered = true;  // if both sides say the same, the library chooses
      break;
    default:
      break;
  }
  if (r.function == function_id("MPI_Comm_create_group")) {
    c.ordinal = groups_made_[{c.parent, c.dimensions}]++;
  } else {
    if (c.parent >= made_on_.size()) made_on_.resize(c.parent + 1, 0);
    c.ordinal = made_on_[c.parent]++;
  }
  creations_.push_back(std::move(c));
  return std::nullopt;
}

void CommunicatorLog::log_group(const Record& r, const HandleTable& handles) {
  using enum Group::Made;
  const auto of = [&](Group::Made made, std::uint32_t instance) {
    make_group(r[1], {made, 0, 0, instance, {}});
  };
  const auto from_two = [&](Group::Made made) {
    make_group(r[2], {made, group(r[0]), group(r[1]), kNoInstance, {}});
  };
  switch (r.function) {
    case function_id("MPI_Comm_group"):
      of(local_group, handles.communicator(r[0]));
      break;
    case function_id("MPI_Comm_remote_group"):
      of(remote_group, handles.communicator(r[0]));
      break;
    case function_id("MPI_Win_get_group"):
      of(local_group, handles.window(r[0]));
      break;
    case function_id("MPI_File_get_group"):
      of(local_group, handles.file(r[0]));
      break;
    case function_id("MPI_Group_union"):
      from_two(set_union);
      break;
    case function_id("MPI_Group_intersection"):
      from_two(set_intersection);
      break;
    case function_id("MPI_Group_difference"):
      from_two(set_difference);
      break;
    case function_id("MPI_Group_incl"):
    case function_id("MPI_Group_excl"): {
      const auto made = r.function == function_id("MPI_Group_incl") ? incl : excl;
      make_group(r[argument("MPI_Group_incl", "newgroup")],
                 {made, group(r[0]), 0, kNoInstance, copy(r.list(argument("MPI_Group_incl", "ranks")))});
      break;
    }
    case function_id("MPI_Group_range_incl"):
    case function_id("MPI_Group_range_excl"): {
      const auto made = r.function == function_id("MPI_Group_range_incl") ? range_incl : range_excl;
      make_group(r[argument("MPI_Group_range_incl", "newgroup")],
                 {made, group(r[0]), 0, kNoInstance,
                  copy_ranges(r.arguments[argument("MPI_Group_range_incl", "ranges")])});
      break;
    }
    case function_id("MPI_Win_post"):
    case function_id("MPI_Win_start"):
      epoch_groups_.push_back(group(r[argument("MPI_Win_post", "group")]));
      break;
    case function_id("MPI_Group_free"):
      group_ids_.erase(r[0]);
      break;
    default:
      break;
  }
}

void CommunicatorLog::make_group(std::int64_t id, Group made) {
  if (id >= 0 && id <= kGroupEmptyId) return;
  group_ids_.set(id, static_cast<std::uint32_t>(groups_.size()));
  groups_.push_back(std::move(made));
}

std::uint32_t CommunicatorLog::group(std::int64_t id) const {
  if (id == kGroupEmptyId) return kEmptyGroup;
  if (id == kGroupNull) return kUnknownGroup;
  const auto found = group_ids_.find(id);
  return found == kNoInstance ? kUnknownGroup : found;
}

CommunicatorLog::Told& CommunicatorLog::told_of(std::uint32_t instance) {
  if (instance >= told_.size()) told_.resize(instance + 1);
  return told_[instance];
}

}  // namespace busline::dumpi
