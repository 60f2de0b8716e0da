#include "workloads/linktest/schedule.hpp"

#include <numeric>
#include <utility>

#include "sim/base/assert.hpp"
#include "sim/base/random.hpp"

namespace busline::linktest {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;

std::uint32_t number_of_steps(std::uint32_t ranks, Scope scope) {
  if (ranks < 2) return 0;
  if (scope == Scope::bisection) return ranks - ranks / 2;
  return ranks % 2 == 0 ? ranks - 1 : ranks;
}

}  // namespace

Schedule::Schedule(RankOrder order, Scope scope)
    : order_(std::move(order)),
      scope_(scope),
      position_(order_.size(), kNowhere),
      rounds_(number_of_steps(ranks(), scope)) {
  std::iota(rounds_.begin(), rounds_.end(), 0U);
  for (std::uint32_t i = 0; i < ranks(); ++i) {
    SIM_ASSERT(order_[i] < ranks() && position_[order_[i]] == kNowhere);
    position_[order_[i]] = i;
  }
}

void Schedule::shuffle_steps(std::uint64_t seed) {
  Random random(seed);
  shuffle(rounds_, random);
}

std::optional<Schedule::Turn> Schedule::turn(std::uint32_t rank, std::uint32_t step) const {
  SIM_ASSERT(rank < ranks() && step < steps());
  const auto meeting = scope_ == Scope::bisection ? across(position_[rank], rounds_[step])
                                                  : on_circle(position_[rank], rounds_[step]);
  if (meeting.partner >= ranks()) return std::nullopt;
  return Turn{order_[meeting.partner], meeting.first};
}

// The first element of the order meets place 0 of the ring; place i meets place m - i. In LinkTest's step s,
// from 1, place i holds element i - s of the ring, which is element i - s + 1 of the order.
Schedule::Meeting Schedule::on_circle(std::uint32_t position, std::uint32_t round) const {
  const auto ring = ranks() % 2 == 0 ? ranks() - 1 : ranks();  // an odd number: the last rank does not exist
  const auto turned = (round + 1) % ring;
  const auto element_at = [&](std::uint32_t place) { return (place + ring - turned) % ring + 1; };
  if (position == 0) return {element_at(0), true};
  const auto place = (position - 1 + turned) % ring;
  if (place == 0) return {0, false};
  return {element_at(ring - place), 2 * place < ring};
}

Schedule::Meeting Schedule::across(std::uint32_t position, std::uint32_t round) const {
  const auto first_half = ranks() / 2, second_half = ranks() - first_half;
  if (position < first_half) return {first_half + (position + round) % second_half, true};
  const auto partner = (position - first_half + second_half - round) % second_half;
  return {partner < first_half ? partner : ranks(), false};
}

std::vector<Pair> Schedule::pairs(std::uint32_t step) const {
  std::vector<Pair> all;
  all.reserve(ranks() / 2);
  const auto add = [&](std::uint32_t position) {
    const auto rank = order_[position];
    if (const auto t = turn(rank, step); t && t->first) all.push_back({rank, t->partner});
  };
  // LinkTest's order of a step: the rank that stays, then the places of the ring. The order decides which of
  // two simultaneously ready messages goes first.
  if (scope_ == Scope::all_pairs && ranks() > 1) {
    const auto ring = ranks() % 2 == 0 ? ranks() - 1 : ranks();
    add(0);
    for (std::uint32_t place = 1; 2 * place < ring; ++place) {
      const auto position = (place + ring - (rounds_[step] + 1) % ring) % ring + 1;
      if (position < ranks()) add(position);
    }
    return all;
  }
  for (std::uint32_t position = 0; position < ranks() / 2; ++position) add(position);
  return all;
}

std::vector<Pair> Schedule::serial(std::uint32_t step) const {
  std::vector<Pair> all;
  all.reserve(ranks());
  for (std::uint32_t rank = 0; rank < ranks(); ++rank)
    if (const auto t = turn(rank, step)) all.push_back({rank, t->partner});
  return all;
}

}  // namespace busline::linktest
