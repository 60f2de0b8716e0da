// Which calls without a recorded communicator are meetings of all ranks, such as MPI_Comm_dup and MPI_File_open. The
// times tell: nobody leaves such a call before the last one has entered it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/program/collective.hpp"

namespace busline::paraver {

class Meetings {
 public:
  explicit Meetings(std::uint32_t tasks) : tasks_(tasks) {}

  void add(CollectiveKind kind, std::uint32_t task, std::int64_t begin, std::int64_t end) {
    auto& of = kinds_[static_cast<std::size_t>(kind)];
    if (of.made.empty()) of.made.resize(tasks_);
    const auto number = of.made[task]++;
    if (number == of.times.size()) of.times.emplace_back();
    of.times[number].last_begin = std::max(of.times[number].last_begin, begin);
    of.times[number].first_end = std::min(of.times[number].first_end, end);
  }

  /// Whether all ranks made as many calls of this kind, and were in the one of this number, from 0, at one instant.
  bool all_meet(CollectiveKind kind, std::uint64_t number) const {
    const auto& of = kinds_[static_cast<std::size_t>(kind)];
    return all_made_as_many(kind) && of.times[number].last_begin <= of.times[number].first_end;
  }
  bool all_made_as_many(CollectiveKind kind) const {
    const auto& made = kinds_[static_cast<std::size_t>(kind)].made;
    return !made.empty() && std::all_of(made.begin(), made.end(), [&](auto n) { return n == made.front(); });
  }

 private:
  struct Times {
    std::int64_t last_begin = 0;
    std::int64_t first_end = std::numeric_limits<std::int64_t>::max();
  };
  struct OfKind {
    std::vector<std::uint64_t> made;  // by task; empty: none
    std::vector<Times> times;         // by number
  };

  std::uint32_t tasks_;
  std::array<OfKind, kCollectiveKinds> kinds_;
};

}  // namespace busline::paraver
