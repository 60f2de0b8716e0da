// Maps an id to a communicator at each point of a rank's trace. Ids are local to the rank and recycled; an
// instance is one communicator that the rank made, numbered in the order of its creating calls.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/dumpi/format/record.hpp"
#include "workloads/dumpi/format/special_numbers.hpp"

namespace busline::dumpi {

/// Instances of one rank; its first, second, ... creating record makes kFirstInstance, kFirstInstance + 1,
/// ...
inline constexpr std::uint32_t kWorldInstance = 0;
inline constexpr std::uint32_t kSelfInstance = 1;
inline constexpr std::uint32_t kFirstInstance = 2;
inline constexpr std::uint32_t kNoInstance = 0xffff'ffff;       ///< no recorded call made the id
inline constexpr std::uint32_t kDynamicInstance = 0xffff'fffe;  ///< joins another job at run time

/// Instances by 16-bit id.
class IdTable {
 public:
  void set(std::int64_t id, std::uint32_t instance) {
    if (index_of(id) >= instances_.size()) instances_.resize(index_of(id) + 1, kNoInstance);
    instances_[index_of(id)] = instance;
  }
  void erase(std::int64_t id) {
    if (index_of(id) < instances_.size()) instances_[index_of(id)] = kNoInstance;
  }
  std::uint32_t find(std::int64_t id) const {
    return index_of(id) < instances_.size() ? instances_[index_of(id)] : kNoInstance;
  }

 private:
  static std::size_t index_of(std::int64_t id) { return static_cast<std::uint16_t>(id); }
  std::vector<std::uint32_t> instances_;
};

/// Argument numbers, in a call that makes a communicator, of its parent and of the new communicator.
struct Creator {
  std::size_t parent = 0, made = 0;
};
/// Nothing if the function makes no communicator inside the job.
std::optional<Creator> creator_of(std::uint16_t function);

/// Argument numbers, in a call that makes a window, of its communicator and of the window.
struct WindowMaker {
  std::size_t communicator = 0, made = 0;
};
std::optional<WindowMaker> window_maker(std::uint16_t function);

/// Follows the ids of communicators, windows and files through a rank's records.
class HandleTable {
 public:
  HandleTable();
  /// Call it with every record, after looking up the ids in the record.
  void apply(const Record& record);

  std::uint32_t communicator(std::int64_t id) const { return communicators_.find(id); }
  /// The communicator that a window or a file was opened on.
  std::uint32_t window(std::int64_t id) const { return windows_.find(id); }
  std::uint32_t file(std::int64_t id) const { return files_.find(id); }
  /// The instance that the next creating record makes.
  std::uint32_t next_instance() const { return next_; }

 private:
  IdTable communicators_, windows_, files_;
  std::uint32_t next_ = kFirstInstance;
};

}  // namespace busline::dumpi
