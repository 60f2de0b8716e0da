// In which order LinkTest puts the ranks on its circle: each rank from 0 to N - 1 once.
#pragma once
#include <cstdint>
#include <vector>

namespace busline::linktest {

using RankOrder = std::vector<std::uint32_t>;

/// 0, 1, 2, ...
RankOrder identity_order(std::uint32_t ranks);
/// Every order is equally likely; the same seed gives the same order on every machine.
RankOrder shuffled_order(std::uint32_t ranks, std::uint64_t seed);
/// The "mixed" order of LinkTest 1.2. It never seeds the C library's rand(), so that every run on Linux has
/// this one order. (LinkTest writes behind its array in the one case of 2^31 that rand() gives RAND_MAX; here
/// the last element is meant.)
RankOrder linktest12_mixed_order(std::uint32_t ranks);

}  // namespace busline::linktest
