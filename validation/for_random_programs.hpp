// Tests of laws: something that holds for every program.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <functional>

#include "validation/random_program.hpp"

namespace busline {

/// Calls `check` for programs like `kind`, small ones first, until it is false for one: the test then fails
/// with that one's seed and sizes. `seeds` programs of each of 12 sizes.
inline void for_random_programs(const RandomProgram& kind, std::uint32_t seeds,
                                const std::function<bool(const RandomProgram&)>& check) {
  for (const std::uint32_t steps : {4U, 12U, 40U, 200U})
    for (const std::uint32_t ranks : {2U, 3U, 8U})
      for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
        auto recipe = kind;
        recipe.seed = seed;
        recipe.ranks = ranks;
        recipe.steps = steps;
        INFO("seed ", seed, ", ranks ", ranks, ", steps ", steps);
        const bool holds = check(recipe);
        REQUIRE(holds);
      }
}

}  // namespace busline
