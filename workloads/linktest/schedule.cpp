#include "workloads/linktest/schedule.hpp"

#include <numeric>
#include <utility>

#include "sim/base/assert.hpp"
#include "sim/base/random.hpp"

namespace busline::linktest {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffff;

std::uint32_t on_ring(std::uint32_t members) {
  return members % 2 == 0 ? members - 1 : members;  // an odd number: one more that does not exist
}

std::uint32_t number_of_steps(std::uint32_t ranks, Scope scope) {
  if (ranks < 2) return 0;
  return scope == Scope::bisection ? ranks - ranks / 2 : on_ring(ranks);
}

std::uint32_t steps_between_nodes(std::uint32_t ranks, std::uint32_t per_node) {
  return number_of_steps(ranks / per_node, Scope::all_pairs) * per_node;
}

struct Partner {
  std::uint32_t number;  // from the number of members on: does not exist
  bool first;            // whether one is the first of the two
};

// The first member meets place 0 of the ring; place i meets place m - i. In LinkTest's step s, from 1, place
// i holds element i - s of the ring, which is member i - s + 1.
Partner on_circle(std::uint32_t members, std::uint32_t member, std::uint32_t round) {
  const auto ring = on_ring(members);
  const auto turned = (round + 1) % ring;
  const auto element_at = [&](std::uint32_t place) { return (place + ring - turned) % ring + 1; };
  if (member == 0) return {element_at(0), true};
  const auto place = (member - 1 + turned) % ring;
  if (place == 0) return {0, false};
  return {element_at(ring - place), 2 * place < ring};
}

}  // namespace

Schedule::Schedule(RankOrder&& order, Scope scope, std::uint32_t per_node, std::uint32_t steps)
    : order_(std::move(order)),
      scope_(scope),
      per_node_(per_node),
      position_(order_.size(), kNowhere),
      rounds_(steps) {
  std::iota(rounds_.begin(), rounds_.end(), 0U);
  for (std::uint32_t i = 0; i < ranks(); ++i) {
    SIM_ASSERT(order_[i] < ranks() && position_[order_[i]] == kNowhere);
    position_[order_[i]] = i;
  }
}

Schedule::Schedule(RankOrder order, Scope scope)
    : Schedule(std::move(order), scope, 1, number_of_steps(static_cast<std::uint32_t>(order.size()), scope)) {
}

Schedule Schedule::of_nodes(RankOrder order, std::uint32_t per_node) {
  const auto ranks = static_cast<std::uint32_t>(order.size());
  SIM_ASSERT(per_node > 0 && ranks % per_node == 0);
  const auto steps = steps_between_nodes(ranks, per_node) + number_of_steps(per_node, Scope::all_pairs);
  return {std::move(order), Scope::all_pairs, per_node, steps};
}

void Schedule::shuffle_steps(std::uint64_t seed) {
  Random random(seed);
  shuffle(rounds_, random);
}

std::optional<Schedule::Turn> Schedule::turn(std::uint32_t rank, std::uint32_t step) const {
  SIM_ASSERT(rank < ranks() && step < steps());
  const auto found = meeting(position_[rank], rounds_[step]);
  if (found.partner >= ranks()) return std::nullopt;
  return Turn{order_[found.partner], found.first};
}

Schedule::Meeting Schedule::meeting(std::uint32_t position, std::uint32_t round) const {
  if (scope_ == Scope::bisection) return across(position, round);
  if (per_node_ > 1) return by_node(position, round);
  const auto [partner, first] = on_circle(ranks(), position, round);
  return {partner, first};
}

// All steps between nodes, then those within them.
Schedule::Meeting Schedule::by_node(std::uint32_t position, std::uint32_t round) const {
  const auto nodes = ranks() / per_node_, node = position / per_node_, place = position % per_node_;
  const auto between = steps_between_nodes(ranks(), per_node_);
  if (round >= between) {
    const auto [other, first] = on_circle(per_node_, place, round - between);
    return {other < per_node_ ? node * per_node_ + other : kNowhere, first};
  }
  const auto [other, first] = on_circle(nodes, node, round / per_node_);
  if (other >= nodes) return {kNowhere, first};
  const auto moved = round % per_node_;
  return {other * per_node_ + (place + (first ? moved : per_node_ - moved)) % per_node_, first};
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
  if (scope_ == Scope::all_pairs && per_node_ == 1 && ranks() > 1) {
    const auto ring = on_ring(ranks());
    add(0);
    for (std::uint32_t place = 1; 2 * place < ring; ++place) {
      const auto position = (place + ring - (rounds_[step] + 1) % ring) % ring + 1;
      if (position < ranks()) add(position);
    }
    return all;
  }
  const auto end = scope_ == Scope::bisection ? ranks() / 2 : ranks();
  for (std::uint32_t position = 0; position < end; ++position) add(position);
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
