// Which collective algorithms there are, and for which operations: what platform documents name. A new one is
// an entry in registry.cpp (and its phases). Each one's messages, rounds and time:
// docs/reference/algorithms.md.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/algorithms/schedule.hpp"
#include "sim/program/collective.hpp"

namespace busline {

enum class Algorithm : std::uint8_t {
  linear,
  binomial,
  chain,
  ring,
  pairwise,
  recursive_doubling,
  recursive_halving,
  bruck,
  rabenseifner,
  scatter_allgather,
};
inline constexpr std::array<std::pair<std::string_view, Algorithm>, 10> kAlgorithmNames{
    {{"linear", Algorithm::linear},
     {"binomial", Algorithm::binomial},
     {"chain", Algorithm::chain},
     {"ring", Algorithm::ring},
     {"pairwise", Algorithm::pairwise},
     {"recursive-doubling", Algorithm::recursive_doubling},
     {"recursive-halving", Algorithm::recursive_halving},
     {"bruck", Algorithm::bruck},
     {"rabenseifner", Algorithm::rabenseifner},
     {"scatter-allgather", Algorithm::scatter_allgather}}};
std::string_view name_of(Algorithm algorithm);

/// An algorithm as one operation, or several alike, use it.
struct Schedule {
  enum class Cut : std::uint8_t {
    by_rank,  ///< a block for each rank
    halved,   ///< a block for each rank of the largest power of two among them
  };
  static constexpr std::size_t kMostPhases = 4;

  Algorithm algorithm{};
  std::uint32_t kinds = 0;  ///< a bit for each CollectiveKind
  Cut cut = Cut::by_rank;
  std::array<const SchedulePhase*, kMostPhases> phases{};  ///< in their order; null at the end

  /// Site::blocks for this many ranks.
  std::uint32_t blocks(std::uint32_t ranks) const;
  /// What the rank does in round `index`, from 0. False, with `out` empty, beyond the last round. Cost:
  /// linear in what the rank does in it.
  bool round(const Site& site, std::uint32_t index, Round& out) const;
};

/// The algorithm's form for an operation, or null if it is none for that. An operation without data that
/// synchronises has Barrier's. `kind` is neither Init nor Finalize.
const Schedule* find_schedule(Algorithm algorithm, CollectiveKind kind);
/// The names of those that there are for an operation.
std::vector<std::string_view> algorithms_for(CollectiveKind kind);

}  // namespace busline
