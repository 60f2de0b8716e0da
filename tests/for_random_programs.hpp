// Tests of laws: something that holds for every program.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>

#include "sim/program/program.hpp"
#include "sim/results/result.hpp"
#include "tests/random_program.hpp"

namespace busline {

/// How many random cases a test tries: BUSLINE_CASES=10000 in the environment asks for more than the few of
/// every run.
inline std::uint64_t wanted_cases(std::uint64_t by_default) {
  const char* const wanted = std::getenv("BUSLINE_CASES");
  return wanted == nullptr ? by_default : std::strtoull(wanted, nullptr, 10);
}

/// Calls `check` for programs like `kind`, small ones first, until it is false for one: the test then fails
/// with that one's seed and sizes. `seeds` programs of each of 12 sizes, or BUSLINE_CASES in all.
inline void for_random_programs(const RandomProgram& kind, std::uint32_t seeds,
                                const std::function<bool(const RandomProgram&)>& check) {
  constexpr std::uint64_t kSizes = 12;
  const auto of_each_size = (wanted_cases(seeds * kSizes) + kSizes - 1) / kSizes;
  for (const std::uint32_t steps : {4U, 12U, 40U, 200U})
    for (const std::uint32_t ranks : {2U, 3U, 8U})
      for (std::uint64_t seed = 1; seed <= of_each_size; ++seed) {
        auto recipe = kind;
        recipe.seed = seed;
        recipe.ranks = ranks;
        recipe.steps = steps;
        INFO("seed ", seed, ", ranks ", ranks, ", steps ", steps);
        const bool holds = check(recipe);
        REQUIRE(holds);
      }
}

/// Whether each rank has computed as long as its bursts are. `program` has one strand for each rank, on nodes
/// of speed 1.
inline bool computes_its_bursts(const Program& program, const Result& result) {
  bool all = true;
  for (const auto& s : program.strands()) {
    Duration bursts;
    for (const auto& op : program.operations(s))
      if (op.kind == OpKind::compute) bursts += Duration::picoseconds(op.amount);
    all = all && result.ranks[s.rank].times.compute == bursts;
  }
  return all;
}

}  // namespace busline
