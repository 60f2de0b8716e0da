// The registry of collective algorithms and their operations, by the names in platform documents. To add one,
// add an entry to registry.cpp (and its phases). docs/reference/algorithms.md describes the messages, rounds
// and time of each.
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
  scatter_doubling,
  binary,
  knomial,
  neighbor_exchange,
  gather_bcast,
  linear_sync,
  context_id,
};
inline constexpr std::array<std::pair<std::string_view, Algorithm>, 17> kAlgorithmNames{
    {{"linear", Algorithm::linear},
     {"binomial", Algorithm::binomial},
     {"chain", Algorithm::chain},
     {"ring", Algorithm::ring},
     {"pairwise", Algorithm::pairwise},
     {"recursive-doubling", Algorithm::recursive_doubling},
     {"recursive-halving", Algorithm::recursive_halving},
     {"bruck", Algorithm::bruck},
     {"rabenseifner", Algorithm::rabenseifner},
     {"scatter-allgather", Algorithm::scatter_allgather},
     {"scatter-doubling", Algorithm::scatter_doubling},
     {"binary", Algorithm::binary},
     {"knomial", Algorithm::knomial},
     {"neighbor-exchange", Algorithm::neighbor_exchange},
     {"gather-bcast", Algorithm::gather_bcast},
     {"linear-sync", Algorithm::linear_sync},
     {"context-id", Algorithm::context_id}}};
std::string_view name_of(Algorithm algorithm);

/// The form of an algorithm for one operation, or for several similar ones.
struct Schedule {
  enum class Cut : std::uint8_t {
    by_rank,  ///< a block for each rank
    halved,   ///< a block for each rank of the largest power of two among them
  };
  static constexpr std::size_t kMostPhases = 8;

  Algorithm algorithm{};
  std::uint32_t kinds = 0;  ///< a bit for each CollectiveKind
  Cut cut = Cut::by_rank;
  std::array<const SchedulePhase*, kMostPhases> phases{};  ///< in their order; null at the end

  /// Site::blocks for this many ranks.
  std::uint32_t blocks(std::uint32_t ranks) const;
  /// The rank's part in round `index`, from 0. False, with `out` empty, after the last round. Cost: linear in
  /// that part.
  bool round(const Site& site, std::uint32_t index, Round& out) const;
};

/// The algorithm's form for an operation, or null if it has none. Synchronising operations without data have
/// Barrier's, and constructors of communicators `context_id` besides. `kind` is neither Init nor Finalize.
const Schedule* find_schedule(Algorithm algorithm, CollectiveKind kind);
/// The names of an operation's algorithms.
std::vector<std::string_view> algorithms_for(CollectiveKind kind);

}  // namespace busline
