#include "workloads/linktest/rank_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sim/base/random.hpp"

namespace busline::linktest {
namespace {

// rand() of the GNU C library with its seed 1 (its TYPE_3 generator): each number is the sum, modulo 2^32, of
// those 3 and 31 before it, and its lowest bit is dropped. A linear congruence gives the first 31 numbers,
// the first three are used again as the next three, and the 310 after them are thrown away.
class GnuRand {
 public:
  static constexpr double kMost = 2147483647;

  GnuRand() {
    std::int64_t x = 1;
    for (std::uint32_t i = 0; i < kHistory; ++i, x = x * 16807 % 2147483647)
      history_[i] = static_cast<std::uint32_t>(x);
    for (int i = 0; i < 310; ++i) next();
  }
  std::uint32_t next() {
    auto& oldest = history_[at_];
    oldest += history_[(at_ + kHistory - 3) % kHistory];
    at_ = (at_ + 1) % kHistory;
    return oldest >> 1;
  }

 private:
  static constexpr std::uint32_t kHistory = 31;
  std::array<std::uint32_t, kHistory> history_{};
  std::uint32_t at_ = 3;  // of the number 31 back, the oldest
};

}  // namespace

RankOrder identity_order(std::uint32_t ranks) {
  RankOrder order(ranks);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

RankOrder shuffled_order(std::uint32_t ranks, std::uint64_t seed) {
  auto order = identity_order(ranks);
  Random random(seed);
  shuffle(order, random);
  return order;
}

RankOrder linktest12_mixed_order(std::uint32_t ranks) {
  auto order = identity_order(ranks);
  GnuRand random;
  for (std::uint32_t i = 0; i < ranks; ++i) {
    const auto other =
        static_cast<std::uint32_t>(random.next() * static_cast<double>(ranks) / GnuRand::kMost);
    std::swap(order[i], order[std::min(other, ranks - 1)]);
  }
  return order;
}

}  // namespace busline::linktest
