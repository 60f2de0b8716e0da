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
  direct,
  binomial_at_once,
  pipeline_8k,
  pipeline_32k,
};
inline constexpr std::array<std::pair<std::string_view, Algorithm>, 21> kAlgorithmNames{
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
     {"context-id", Algorithm::context_id},
     {"direct", Algorithm::direct},
     {"binomial-at-once", Algorithm::binomial_at_once},
     {"pipeline-8KiB", Algorithm::pipeline_8k},
     {"pipeline-32KiB", Algorithm::pipeline_32k}}};
std::string_view name_of(Algorithm algorithm);

/// The form of an algorithm for one operation, or for several similar ones.
struct Schedule {
  enum class Cut : std::uint8_t {
    by_rank,  ///< a block for each rank
    halved,   ///< a block for each rank of the largest power of two among them
    by_8k,    ///< a block for each 8 KiB of the vector
    by_32k,   ///< a block for each 32 KiB of it
  };
  static constexpr std::uint32_t kMostSegments = 1U << 20U;  ///< longer ones are made of a larger vector
  static constexpr std::size_t kMostPhases = 8;

  Algorithm algorithm{};
  std::uint32_t kinds = 0;  ///< a bit for each CollectiveKind
  Cut cut = Cut::by_rank;
  std::array<const SchedulePhase*, kMostPhases> phases{};  ///< in their order; null at the end

  /// Site::blocks for this many ranks, and a vector of this many bytes.
  std::uint32_t blocks(std::uint32_t ranks, std::uint64_t bytes) const;
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
