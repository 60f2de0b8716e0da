// Runs a schedule symbolically, for tests: each rank's data is a set of contributions for each block.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/algorithms/registry.hpp"

namespace busline {

/// The data of a rank: for each block a bit for each rank that contributed; at most 32 ranks.
using Holding = std::vector<std::uint32_t>;

struct ScheduleRun {
  std::vector<Holding> result;   ///< by position
  std::vector<Holding> partial;  ///< for Scan: the data that a rank passes on
  std::uint64_t messages = 0;
  std::uint64_t blocks = 0;  ///< in all messages
  std::uint32_t depth = 0;   ///< messages one after the other on the longest path
  std::string wrong;         ///< the violation of an MPI rule; empty if none
};

inline constexpr std::uint64_t kRunBytes = 70'000;  ///< of a vector: 9 segments of 8 KiB, 3 of 32 KiB

inline constexpr std::uint32_t bit_of(std::uint32_t rank) {
  return 1U << rank;
}

/// The blocks of a message, one by one.
inline std::vector<std::uint32_t> list(const Blocks& b, std::uint32_t of) {
  std::vector<std::uint32_t> all;
  if (b.bit == 0) {
    for (std::uint32_t i = 0; i < b.count; ++i) all.push_back((b.first + i) % of);
    return all;
  }
  for (auto j = b.first; j < of; ++j)
    if ((j & b.bit) != 0) all.push_back(j);
  return all;
}

/// One collective of `ranks` ranks that begin with `initial`.
class ScheduleRunner {
 public:
  ScheduleRunner(const Schedule& schedule, CollectiveKind kind, std::uint32_t ranks, std::uint32_t root,
                 std::vector<Holding> initial)
      : schedule_(schedule), kind_(kind), ranks_(ranks), root_(root), places_(ranks) {
    run_.result = std::move(initial);
    run_.partial = run_.result;
  }

  ScheduleRun run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t p = 0; p < ranks_; ++p)
        while (step(p)) moved = true;
    }
    for (std::uint32_t p = 0; p < ranks_; ++p)
      if (!places_[p].over) fail(p, "never receives what it waits for");
    for (const auto& [ends, queue] : underway_)
      if (!queue.empty()) fail(ends.second, "does not receive a message that is sent to it");
    return std::move(run_);
  }

 private:
  struct Place {
    std::uint32_t round = 0, depth = 0;
    std::optional<Round> now{};  // posted, but not complete
    bool over = false;
  };
  struct Underway {
    Blocks blocks;
    Holding content;  // by block in the order of list()
    std::uint32_t depth = 0;
  };

  bool step(std::uint32_t p) {
    auto& place = places_[p];
    if (place.over || !run_.wrong.empty()) return false;
    const Site site{ranks_, p, root_, schedule_.blocks(ranks_, kRunBytes)};
    if (!place.now) {
      if (!schedule_.round(site, place.round, place.now.emplace())) {
        place.over = true;
        return true;
      }
      for (const auto& s : place.now->sends) send(p, s);
      return true;
    }
    for (const auto& r : place.now->receives)
      if (underway_[{r.peer, p}].empty()) return false;
    auto depth = place.depth + (place.now->sends.empty() ? 0 : 1);
    for (const auto& r : place.now->receives) {
      auto& queue = underway_[{r.peer, p}];
      depth = std::max(depth, queue.front().depth);
      take(p, r, queue.front());
      queue.pop_front();
    }
    place.depth = depth;
    place.now.reset();
    ++place.round;
    return true;
  }

  void send(std::uint32_t p, const Part& part) {
    if (part.peer == p || part.peer >= ranks_)
      return fail(p, "sends to itself or to a rank that does not exist");
    Underway m{part.blocks, {}, places_[p].depth + 1};
    auto& from = is_scan() ? run_.partial[p] : run_.result[p];
    const auto blocks = list(part.blocks, static_cast<std::uint32_t>(from.size()));
    if (part.blocks.count != blocks.size()) return fail(p, "sends a number of blocks other than it states");
    for (const auto b : blocks) {
      if (from[b] == 0) return fail(p, "sends a block that it does not have");
      m.content.push_back(from[b]);
    }
    ++run_.messages;
    run_.blocks += blocks.size();
    run_.depth = std::max(run_.depth, m.depth);
    underway_[{p, part.peer}].push_back(std::move(m));
    if (is_alltoall())
      for (const auto b : blocks) from[b] = 0;
  }

  void take(std::uint32_t p, const Part& part, const Underway& m) {
    if (part.blocks != m.blocks) return fail(p, "expects blocks other than those sent to it");
    const auto blocks = list(m.blocks, static_cast<std::uint32_t>(run_.result[p].size()));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto b = blocks[i];
      if (is_scan()) {
        combine(p, run_.partial[p][b], m.content[i]);
        if (part.peer < p) combine(p, run_.result[p][b], m.content[i]);
      } else {
        combine(p, run_.result[p][b], m.content[i]);
      }
    }
  }

  // Nothing may be added to a sum twice; a complete sum replaces its parts.
  void combine(std::uint32_t p, std::uint32_t& has, std::uint32_t gets) {
    const bool again = (has & gets) != 0;
    const bool moves_data = kind_ != CollectiveKind::barrier && kind_ < CollectiveKind::comm_dup;
    if (again && (has & ~gets) != 0 && moves_data) return fail(p, "combines a contribution twice");
    has |= gets;
  }

  bool is_scan() const { return kind_ == CollectiveKind::scan || kind_ == CollectiveKind::exscan; }
  bool is_alltoall() const {
    using enum CollectiveKind;
    return kind_ == alltoall || kind_ == alltoallv || kind_ == alltoallw;
  }
  void fail(std::uint32_t p, const std::string& what) {
    if (run_.wrong.empty()) run_.wrong = "rank " + std::to_string(p) + " " + what;
  }

  const Schedule& schedule_;
  CollectiveKind kind_;
  std::uint32_t ranks_, root_;
  std::vector<Place> places_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Underway>> underway_;
  ScheduleRun run_;
};

}  // namespace busline
