#include "workloads/dumpi/compile/requests.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace busline::dumpi {

RequestTable::Queue* RequestTable::other_queue(std::int32_t id) {
  const auto at = other_queues_.find(id);
  return at == other_queues_.end() ? nullptr : &at->second;
}

RequestTable::Queue& RequestTable::new_queue(std::int32_t id) {
  if (id != static_cast<std::int16_t>(id)) return other_queues_[id];
  const std::size_t at = static_cast<std::uint16_t>(id);
  if (at >= queues_.size()) queues_.resize(at + 1);
  return queues_[at];
}

std::uint32_t RequestTable::activate(std::int32_t id) {
  const auto operation = operations_++;
  if (id == kRequestNull) return operation;  // complete from the start
  auto node = free_;
  if (node == kNone) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[node].next;
  }
  nodes_[node] = {operation, kNone};
  auto& q = new_queue(id);
  (q.head == kNone ? q.head : nodes_[q.tail].next) = node;
  q.tail = node;
  return operation;
}

std::optional<std::string> CompletionList::read(const Record& r) {
  all_.clear();
  switch (r.function) {
    case function_id("MPI_Test"):
      if (r[argument("MPI_Test", "flag")] == 0) return std::nullopt;
      [[fallthrough]];
    case function_id("MPI_Wait"): {
      const auto status = r.function == function_id("MPI_Wait") ? argument("MPI_Wait", "status")
                                                                : argument("MPI_Test", "status");
      all_.push_back({r.i32(0), std::nullopt});
      if (r.statuses(status) > 0) all_.back().status = r.status(status);
      return std::nullopt;
    }
    case function_id("MPI_Waitall"):
      all_of(r, argument("MPI_Waitall", "requests"), argument("MPI_Waitall", "statuses"));
      return std::nullopt;
    case function_id("MPI_Testall"):
      if (r[argument("MPI_Testall", "flag")] != 0)
        all_of(r, argument("MPI_Testall", "requests"), argument("MPI_Testall", "statuses"));
      return std::nullopt;
    case function_id("MPI_Waitany"):
      return one_of(r, argument("MPI_Waitany", "requests"), r[argument("MPI_Waitany", "index")],
                    argument("MPI_Waitany", "status"));
    case function_id("MPI_Testany"):
      if (r[argument("MPI_Testany", "flag")] == 0) return std::nullopt;
      return one_of(r, argument("MPI_Testany", "requests"), r[argument("MPI_Testany", "index")],
                    argument("MPI_Testany", "status"));
    case function_id("MPI_Waitsome"):
    case function_id("MPI_Testsome"):
      return some_of(r);
    default:
      return std::nullopt;
  }
}

void CompletionList::all_of(const Record& r, std::size_t requests, std::size_t statuses) {
  const auto ids = r.list(requests);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    all_.push_back({ids[i], std::nullopt});
    if (i < r.statuses(statuses)) all_.back().status = r.status(statuses, i);
  }
}

std::optional<std::string> CompletionList::one_of(const Record& r, std::size_t requests, std::int64_t index,
                                                  std::size_t statuses) {
  const auto ids = r.list(requests);
  if (index < 0) return std::nullopt;  // MPI_UNDEFINED: none was active
  if (index >= static_cast<std::int64_t>(ids.size()))
    return fmt::format("completes request {} of {}", index, ids.size());
  all_.push_back({ids[static_cast<std::size_t>(index)], std::nullopt});
  if (r.statuses(statuses) > 0) all_.back().status = r.status(statuses);
  return std::nullopt;
}

std::optional<std::string> CompletionList::some_of(const Record& r) {
  static_assert(argument("MPI_Waitsome", "statuses") == argument("MPI_Testsome", "statuses"));
  const auto ids = r.list(argument("MPI_Waitsome", "requests"));
  const auto indices = r.list(argument("MPI_Waitsome", "indices"));
  const auto statuses = argument("MPI_Waitsome", "statuses");
  const auto completed = std::max(r[argument("MPI_Waitsome", "outcount")], std::int64_t{0});
  for (std::size_t i = 0; i < indices.size() && static_cast<std::int64_t>(i) < completed; ++i) {
    const auto index = indices[i];
    if (index < 0 || static_cast<std::size_t>(index) >= ids.size())
      return fmt::format("completes request {} of {}", index, ids.size());
    all_.push_back({ids[static_cast<std::size_t>(index)], std::nullopt});
    if (i < r.statuses(statuses)) all_.back().status = r.status(statuses, i);
  }
  return std::nullopt;
}

}  // namespace busline::dumpi
