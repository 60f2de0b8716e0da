#include "sim/algorithms/registry.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "sim/algorithms/schedule_run.hpp"

using namespace busline;

namespace {

using enum CollectiveKind;

bool is_any_of(CollectiveKind k, std::initializer_list<CollectiveKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), k) != kinds.end();
}

// The rank's data before and after the operation according to MPI, in Schedule's blocks.
struct Contract {
  CollectiveKind kind;
  std::uint32_t ranks, root, blocks;

  std::uint32_t everybody() const { return ranks == 32 ? ~0U : bit_of(ranks) - 1; }

  Holding before(std::uint32_t p) const {
    Holding h(blocks, 0);
    for (std::uint32_t b = 0; b < blocks; ++b) {
      if (is_any_of(kind, {bcast, scatter, scatterv}))
        h[b] = p == root ? bit_of(root) : 0;
      else if (is_any_of(kind, {gather, gatherv, allgather, allgatherv}))
        h[b] = p == b ? bit_of(p) : 0;
      else
        h[b] = bit_of(p);
    }
    return h;
  }

  // Whether the rank must have the block, and its expected contents.
  bool has(std::uint32_t p, std::uint32_t b) const {
    if (is_any_of(kind, {gather, gatherv, reduce})) return p == root;
    if (is_any_of(kind, {scatter, scatterv, reduce_scatter, reduce_scatter_block})) return p == b;
    return true;
  }
  std::uint32_t after(std::uint32_t p, std::uint32_t b) const {
    if (is_any_of(kind, {bcast, scatter, scatterv})) return bit_of(root);
    if (is_any_of(kind, {gather, gatherv, allgather, allgatherv})) return bit_of(b);
    if (is_any_of(kind, {scan, exscan})) return 2 * bit_of(p) - 1;  // Exscan leaves its own out at the end
    if (is_any_of(kind, {alltoall, alltoallv, alltoallw})) return bit_of((p + ranks - b) % ranks);
    return everybody();
  }
};

ScheduleRun carry_out(const Schedule& schedule, CollectiveKind kind, std::uint32_t ranks,
                      std::uint32_t root = 0) {
  const Contract contract{kind, ranks, root, schedule.blocks(ranks, kRunBytes)};
  std::vector<Holding> initial;
  for (std::uint32_t p = 0; p < ranks; ++p) initial.push_back(contract.before(p));
  return ScheduleRunner(schedule, kind, ranks, root, std::move(initial)).run();
}

ScheduleRun carry_out(Algorithm algorithm, CollectiveKind kind, std::uint32_t ranks) {
  return carry_out(*find_schedule(algorithm, kind), kind, ranks);
}

std::uint32_t log2_up(std::uint32_t n) {
  return n <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(n - 1));
}
std::uint32_t log2_down(std::uint32_t n) {
  return static_cast<std::uint32_t>(std::bit_width(n)) - 1;
}

constexpr std::uint32_t kSomeRanks[] = {2, 3, 5, 8, 13, 16};

}  // namespace

TEST_CASE("after every algorithm every rank has the data that MPI requires") {
  for (const auto& named : kAlgorithmNames)
    for (std::size_t k = 0; k <= static_cast<std::size_t>(exscan); ++k) {
      const auto kind = static_cast<CollectiveKind>(k);
      const auto* schedule = find_schedule(named.second, kind);
      if (schedule == nullptr) continue;
      for (std::uint32_t ranks = 1; ranks <= 17; ++ranks)
        for (const std::uint32_t root : {0U, 1U, ranks / 2, ranks - 1}) {
          if (root >= ranks || (root > 0 && !has_root(kind))) continue;
          CAPTURE(std::string(named.first));
          CAPTURE(std::string(name_of(kind)));
          CAPTURE(ranks);
          CAPTURE(root);
          const auto run = carry_out(*schedule, kind, ranks, root);
          REQUIRE(run.wrong == "");
          const Contract contract{kind, ranks, root, schedule->blocks(ranks, kRunBytes)};
          bool as_promised = true;
          for (std::uint32_t p = 0; p < ranks; ++p)
            for (std::uint32_t b = 0; b < contract.blocks; ++b)
              as_promised = as_promised && (!contract.has(p, b) || run.result[p][b] == contract.after(p, b));
          REQUIRE(as_promised);
          if (ranks == 1) REQUIRE(run.messages == 0);
        }
    }
}

TEST_CASE("every operation with data has two algorithms or more, and every name an operation") {
  for (std::size_t k = 0; k <= static_cast<std::size_t>(exscan); ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    CAPTURE(std::string(name_of(kind)));
    CHECK((algorithms_for(kind).size() >= 2 || is_any_of(kind, {gatherv, scatterv})));
  }
  for (const auto& [name, algorithm] : kAlgorithmNames) {
    CHECK(name_of(algorithm) == name);
    bool used = false;
    for (std::size_t k = 0; k < static_cast<std::size_t>(init); ++k)
      used = used || find_schedule(algorithm, static_cast<CollectiveKind>(k)) != nullptr;
    CHECK(used);
  }
  CHECK(find_schedule(Algorithm::bruck, comm_dup) == find_schedule(Algorithm::bruck, barrier));
  CHECK(find_schedule(Algorithm::pairwise, bcast) == nullptr);
}

TEST_CASE("a tree of P ranks sends P - 1 messages, ceil(log2 P) one after the other on the way down") {
  for (const auto p : kSomeRanks) {
    for (const auto kind : {bcast, scatter}) {
      const auto run = carry_out(Algorithm::binomial, kind, p);
      CHECK(run.messages == p - 1);
      CHECK(run.depth == log2_up(p));
    }
    // On the way up no rank waits to send to another: depth is the maximum number of bits in a position.
    std::uint32_t most_bits = 0;
    for (std::uint32_t v = 1; v < p; ++v)
      most_bits = std::max(most_bits, static_cast<std::uint32_t>(std::popcount(v)));
    for (const auto kind : {reduce, gather}) {
      const auto run = carry_out(Algorithm::binomial, kind, p);
      CHECK(run.messages == p - 1);
      CHECK(run.depth == most_bits);
    }
    for (const auto kind : {barrier, allreduce, allgather, reduce_scatter}) {
      const auto run = carry_out(Algorithm::binomial, kind, p);
      CHECK(run.messages == 2 * (p - 1));
      CHECK(run.depth <= 2 * log2_up(p));
    }
  }
}

TEST_CASE("binary and k-nomial trees are as deep as their levels: children are served at once") {
  // A rank's parent lacks its last digit that is not 0, in base 4.
  const auto most_digits = [](std::uint32_t ranks) {
    std::uint32_t most = 0;
    for (std::uint32_t v = 1; v < ranks; ++v) {
      std::uint32_t digits = 0;
      for (auto rest = v; rest > 0; rest /= 4) digits += rest % 4 != 0 ? 1 : 0;
      most = std::max(most, digits);
    }
    return most;
  };
  for (const auto p : {2U, 3U, 4U, 5U, 7U, 8U, 15U, 16U, 17U}) {
    CAPTURE(p);
    const auto binary = carry_out(Algorithm::binary, bcast, p);
    CHECK(binary.messages == p - 1);
    CHECK(binary.depth == log2_down(p));  // levels of 1, 2, 4, ... ranks
    CHECK(carry_out(Algorithm::binary, reduce, p).depth == log2_down(p));
    const auto knomial = carry_out(Algorithm::knomial, bcast, p);
    CHECK(knomial.messages == p - 1);
    CHECK(knomial.depth == most_digits(p));
    CHECK(carry_out(Algorithm::knomial, reduce, p).messages == p - 1);
  }
}

TEST_CASE("a neighbour exchange takes P/2 rounds on an even number of ranks") {
  for (const auto p : {2U, 4U, 6U, 16U}) {
    const auto run = carry_out(Algorithm::neighbor_exchange, allgather, p);
    CHECK(run.messages == p * p / 2);
    CHECK(run.depth == p / 2);
    CHECK(run.blocks == p * (p - 1));
  }
}

TEST_CASE("a synchronised Gather asks one rank after the other") {
  for (const auto p : kSomeRanks) {
    const auto run = carry_out(Algorithm::linear_sync, gather, p);
    CHECK(run.messages == 2 * (p - 1));
    CHECK(run.depth == 2 * (p - 1));
  }
}

TEST_CASE("a new communicator is agreed on in three Allreduces, a split one after an Allgather") {
  for (const auto p : {2U, 4U, 8U, 16U}) {
    CHECK(carry_out(Algorithm::context_id, comm_dup, p).depth == 6 * log2_down(p));
    CHECK(carry_out(Algorithm::context_id, comm_split, p).depth == 7 * log2_down(p));
  }
  CHECK(find_schedule(Algorithm::context_id, barrier) == nullptr);
  CHECK(find_schedule(Algorithm::context_id, win_create) == nullptr);
}

TEST_CASE("in a linear Gather the root receives one message after another, as a loop of MPI_Recv does") {
  const auto sources = [](CollectiveKind kind, std::uint32_t root) {
    const auto* schedule = find_schedule(Algorithm::linear, kind);
    const Site site{5, root, root, schedule->blocks(5, kRunBytes)};
    std::vector<std::uint32_t> peers;
    Round round;
    for (std::uint32_t i = 0; schedule->round(site, i, round); ++i) {
      CHECK(round.receives.size() == 1);
      for (const auto& r : round.receives) peers.push_back(r.peer);
    }
    return peers;
  };
  CHECK(sources(gather, 0) == std::vector<std::uint32_t>{1, 2, 3, 4});
  CHECK(sources(gatherv, 2) == std::vector<std::uint32_t>{0, 1, 3, 4});
}

TEST_CASE("a linear algorithm sends one message between the root and each other rank, at once") {
  for (const auto p : kSomeRanks) {
    for (const auto kind : {bcast, reduce, gather, gatherv, scatter, scatterv}) {
      const auto run = carry_out(Algorithm::linear, kind, p);
      CHECK(run.messages == p - 1);
      CHECK(run.depth == 1);
    }
    CHECK(carry_out(Algorithm::linear, alltoallw, p).messages == p * (p - 1));
    CHECK(carry_out(Algorithm::linear, alltoallw, p).depth == 1);
    CHECK(carry_out(Algorithm::linear, scan, p).depth == p - 1);
    CHECK(carry_out(Algorithm::linear, barrier, p).messages == 2 * (p - 1));
  }
}

TEST_CASE("a ring and a pairwise exchange take P - 1 rounds of P messages with a block each") {
  for (const auto p : kSomeRanks) {
    for (const auto& [algorithm, kind] :
         {std::pair{Algorithm::ring, allgather}, std::pair{Algorithm::ring, reduce_scatter},
          std::pair{Algorithm::pairwise, reduce_scatter}, std::pair{Algorithm::pairwise, alltoall}}) {
      const auto run = carry_out(algorithm, kind, p);
      CHECK(run.messages == p * (p - 1));
      CHECK(run.blocks == p * (p - 1));
      CHECK(run.depth == p - 1);
    }
    const auto run = carry_out(Algorithm::ring, allreduce, p);
    CHECK(run.depth == 2 * (p - 1));
    CHECK(run.blocks == 2 * p * (p - 1));
    CHECK(carry_out(Algorithm::ring, barrier, p).messages == 2 * p);
    CHECK(carry_out(Algorithm::chain, bcast, p).depth == p - 1);
  }
}

TEST_CASE(
    "recursive doubling takes log2 P' rounds, and two more if P is not P', a power of two, or three for a "
    "Barrier") {
  for (const auto p : kSomeRanks) {
    const auto extra = p - std::bit_floor(p);
    for (const auto kind : {barrier, allreduce}) {
      const auto run = carry_out(Algorithm::recursive_doubling, kind, p);
      const auto more = kind == barrier ? 3U : 2U;
      CHECK(run.messages == (p - extra) * log2_down(p) + more * extra);
      CHECK(run.depth == log2_down(p) + (extra > 0 ? more : 0));
    }
    CHECK(carry_out(Algorithm::recursive_doubling, allgather, p).depth == log2_up(p));
    CHECK(carry_out(Algorithm::recursive_doubling, allgather, p).blocks == p * (p - 1));
    CHECK(carry_out(Algorithm::recursive_doubling, scan, p).depth == log2_up(p));
  }
}

TEST_CASE("Bruck takes ceil(log2 P) rounds of P messages") {
  for (const auto p : kSomeRanks)
    for (const auto kind : {barrier, allgather, alltoall}) {
      const auto run = carry_out(Algorithm::bruck, kind, p);
      CHECK(run.messages == p * log2_up(p));
      CHECK(run.depth == log2_up(p));
      if (kind == allgather) CHECK(run.blocks == p * (p - 1));
      // Each of the P - 1 blocks of a rank moves once for each bit of its distance.
      std::uint64_t bits = 0;
      for (std::uint32_t d = 1; d < p; ++d) bits += static_cast<std::uint64_t>(std::popcount(d));
      if (kind == alltoall) CHECK(run.blocks == p * bits);
    }
}

TEST_CASE("Rabenseifner's Allreduce moves (P' - 1) / P' of the vector out and in") {
  for (const auto p : {2U, 8U, 16U}) {
    const auto run = carry_out(Algorithm::rabenseifner, allreduce, p);
    CHECK(run.depth == 2 * log2_down(p));
    CHECK(run.messages == 2 * p * log2_down(p));
    CHECK(run.blocks == 2 * p * (p - 1));  // of P blocks each
    const auto rooted = carry_out(Algorithm::rabenseifner, reduce, p);
    CHECK(rooted.depth == 2 * log2_down(p));
    CHECK(rooted.messages == p * log2_down(p) + p - 1);
  }
  // Five of 13 fold into their neighbours, and get the whole vector of 8 blocks back.
  const auto run = carry_out(Algorithm::rabenseifner, allreduce, 13);
  CHECK(run.depth == 2 * 3 + 2);
  CHECK(run.blocks == 2 * 8 * 7 + 2 * 5 * 8);
}

TEST_CASE("recursive halving sends half of the rest in each round") {
  for (const auto p : {2U, 8U, 16U}) {
    const auto run = carry_out(Algorithm::recursive_halving, reduce_scatter, p);
    CHECK(run.depth == log2_down(p));
    CHECK(run.blocks == p * (p - 1));
  }
  CHECK(carry_out(Algorithm::recursive_halving, reduce_scatter, 13).depth == 3 + 2);
}

TEST_CASE("scatter-allgather scatters a vector down a tree and passes its parts around a ring") {
  for (const auto p : kSomeRanks) {
    const auto run = carry_out(Algorithm::scatter_allgather, bcast, p);
    CHECK(run.messages == p - 1 + p * (p - 1));
    CHECK(run.depth <= log2_up(p) + p - 1);
  }
}

TEST_CASE("a schedule that adds a contribution to a sum twice is found") {
  // 0 sends its data to 1, twice.
  const SchedulePhase twice{[](const Site&) { return 2U; },
                            [](const Site& site, std::uint32_t, Round& round) {
                              if (site.position == 0) round.sends.push_back({1, site.all()});
                              if (site.position == 1) round.receives.push_back({0, site.all()});
                            }};
  Schedule schedule;
  schedule.phases[0] = &twice;
  CHECK(carry_out(schedule, allreduce, 2).wrong == "rank 1 combines a contribution twice");
}
