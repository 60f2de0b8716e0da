// Requests of one rank: finds the operation that a Wait or Test completed. Request ids are recycled, and one
// id can stand for several outstanding operations at once, which then complete in the order in which they
// began.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "workloads/dumpi/format/record.hpp"

namespace busline::dumpi {

inline constexpr std::int32_t kRequestNull = 1;

/// Outstanding operations by request id. They are numbered from 0 in the order of `activate`.
class RequestTable {
 public:
  /// An operation has begun and will be completed through `id`.
  std::uint32_t activate(std::int32_t id);
  /// Completes and returns the oldest outstanding operation of `id`; nothing for an id without one.
  std::optional<std::uint32_t> complete(std::int32_t id) {
    auto* const q = queue_of(id);
    if (q == nullptr) return std::nullopt;
    const auto node = q->head;
    const auto operation = nodes_[node].operation;
    q->head = nodes_[node].next;
    nodes_[node].next = free_;
    free_ = node;
    return operation;
  }
  /// The same operation, which stays outstanding.
  std::optional<std::uint32_t> oldest(std::int32_t id) {
    const auto* const q = queue_of(id);
    if (q == nullptr) return std::nullopt;
    return nodes_[q->head].operation;
  }
  std::uint32_t operations() const { return operations_; }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  struct Queue {
    std::uint32_t head = kNone, tail = kNone;
  };
  struct Node {
    std::uint32_t operation = 0, next = kNone;
  };
  // Nothing if none is outstanding. No operation waits at kRequestNull, although the table contains it.
  Queue* queue_of(std::int32_t id) {
    const auto at = static_cast<std::uint16_t>(id);
    auto* q = at < queues_.size() ? &queues_[at] : nullptr;
    if (id != static_cast<std::int16_t>(id)) q = other_queue(id);
    return q == nullptr || q->head == kNone ? nullptr : q;
  }
  Queue* other_queue(std::int32_t id);
  Queue& new_queue(std::int32_t id);

  std::uint32_t operations_ = 0;
  std::vector<Queue> queues_;                             // ids of 16 bits, as in files
  std::unordered_map<std::int32_t, Queue> other_queues_;  // others
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;
};

/// Non-blocking file calls that may still be in progress. The tracer numbers their requests apart from
/// others, so that an MPI_Wait for one names a request that no recorded call made.
class FileRequests {
 public:
  /// Call it with every call that is not about messages.
  void apply(std::uint16_t function) {
    switch (function) {
      case function_id("MPI_File_iread_at"):
      case function_id("MPI_File_iwrite_at"):
      case function_id("MPI_File_iread"):
      case function_id("MPI_File_iwrite"):
      case function_id("MPI_File_iread_shared"):
      case function_id("MPI_File_iwrite_shared"):
        ++open_;
        break;
      default:
        break;
    }
  }
  /// An unknown request was completed; true if it can be one of these.
  bool complete() {
    if (open_ == 0) return false;
    --open_;
    return true;
  }

 private:
  std::uint64_t open_ = 0;
};

/// A request that a record of the Wait and Test family says was completed.
struct Completion {
  std::int32_t request = kRequestNull;
  std::optional<Status> status;
};

/// The requests that such records complete; made once and used for all records of a rank.
class CompletionList {
 public:
  /// Returns the error in the record, or nothing. Records of other calls complete nothing.
  std::optional<std::string> read(const Record& record);
  const std::vector<Completion>& all() const { return all_; }

 private:
  std::optional<std::string> one_of(const Record& r, std::size_t requests, std::int64_t index,
                                    std::size_t statuses);
  void all_of(const Record& r, std::size_t requests, std::size_t statuses);
  std::optional<std::string> some_of(const Record& r);

  std::vector<Completion> all_;
};

}  // namespace busline::dumpi
