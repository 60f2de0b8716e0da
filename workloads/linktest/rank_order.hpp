// The order of the ranks on LinkTest's circle: each rank from 0 to N - 1 once.
#pragma once
#include <cstdint>
#include <vector>

namespace busline::linktest {

using RankOrder = std::vector<std::uint32_t>;

/// 0, 1, 2, ...
RankOrder identity_order(std::uint32_t ranks);
/// Every order is equally likely; the same seed gives the same order on every machine.
RankOrder shuffled_order(std::uint32_t ranks, std::uint64_t seed);
/// The "mixed" order of LinkTest 1.2. LinkTest never seeds the C library's rand(), so every run on Linux has
/// this order. (In the one case of 2^31 in which rand() returns RAND_MAX, LinkTest writes past its array;
/// this code uses the last element.)
RankOrder linktest12_mixed_order(std::uint32_t ranks);

}  // namespace busline::linktest
