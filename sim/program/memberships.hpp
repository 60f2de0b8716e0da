// The communicators of each rank.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/program/program.hpp"

namespace busline {

/// All members must be below `ranks`, and communicator 0 must hold all ranks. Memory: 4 bytes for each member
/// of the other communicators and 8 for each rank.
class Memberships {
 public:
  Memberships(std::span<const Communicator> communicators, std::size_t ranks) : first_(ranks + 1) {
    if (communicators.empty()) return;
    for (const auto& c : communicators.subspan(1))
      for (const auto rank : c.members) ++first_[rank + 1];
    for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
    of_rank_.resize(first_.back());
    auto next = first_;
    for (std::uint32_t c = 1; c < communicators.size(); ++c)
      for (const auto rank : communicators[c].members) of_rank_[next[rank]++] = c;
  }

  /// Logarithmic in the number of the rank's communicators.
  bool has(std::uint32_t communicator, std::uint32_t rank) const {
    const auto at = [&](std::size_t r) { return of_rank_.begin() + static_cast<std::ptrdiff_t>(first_[r]); };
    return communicator == 0 || std::binary_search(at(rank), at(rank + 1), communicator);
  }

 private:
  std::vector<std::uint64_t> first_;    // by rank: start of its communicators in of_rank_
  std::vector<std::uint32_t> of_rank_;  // ascending for each rank; without communicator 0
};

}  // namespace busline
