#include "workloads/linktest/schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "workloads/linktest/linktest_program.hpp"

using namespace busline;
using namespace busline::linktest;

namespace {

using Pairs = std::vector<Pair>;

// Properties of every schedule: no rank is in two pairs of a step, every pair of the scope meets once, turn()
// agrees with pairs(), and serial() has each pair in both directions. `full`: as many pairs in a step as can
// be.
void check_laws(const linktest::Schedule& s, bool full = true) {
  const auto half = s.ranks() / 2;
  std::vector<std::uint32_t> position(s.ranks());
  for (std::uint32_t i = 0; i < s.ranks(); ++i) position[s.order()[i]] = i;
  std::set<std::pair<std::uint32_t, std::uint32_t>> met;
  for (std::uint32_t step = 0; step < s.steps(); ++step) {
    CAPTURE(step);
    const auto pairs = s.pairs(step);
    if (full) CHECK(pairs.size() == half);
    std::vector<bool> busy(s.ranks());
    for (const auto& [first, second] : pairs) {
      CHECK(first != second);
      CHECK_FALSE(busy[first]);
      CHECK_FALSE(busy[second]);
      busy[first] = busy[second] = true;
      CHECK(met.insert(std::minmax(first, second)).second);
      if (s.scope() == Scope::bisection) CHECK((position[first] < half) != (position[second] < half));
      const auto a = s.turn(first, step), b = s.turn(second, step);
      REQUIRE((a && b));
      CHECK((a->partner == second && a->first));
      CHECK((b->partner == first && !b->first));
    }
    for (std::uint32_t rank = 0; rank < s.ranks(); ++rank)
      CHECK(s.turn(rank, step).has_value() == busy[rank]);
    const auto serial = s.serial(step);
    CHECK(serial.size() == 2 * pairs.size());
    CHECK(std::is_sorted(serial.begin(), serial.end(),
                         [](const Pair& a, const Pair& b) { return a.first < b.first; }));
    for (const auto& [first, second] : pairs) {
      CHECK(std::count(serial.begin(), serial.end(), Pair{first, second}) == 1);
      CHECK(std::count(serial.begin(), serial.end(), Pair{second, first}) == 1);
    }
  }
  const auto expected =
      s.scope() == Scope::bisection ? half * (s.ranks() - half) : s.ranks() * (s.ranks() - 1) / 2;
  CHECK(met.size() == expected);
}

}  // namespace

TEST_CASE("for 2 to 64 ranks, even and odd, every pair meets once and no rank is in two pairs of a step") {
  for (std::uint32_t ranks = 2; ranks <= 64; ++ranks)
    for (const auto scope : {Scope::all_pairs, Scope::bisection}) {
      CAPTURE(ranks);
      check_laws(linktest::Schedule(identity_order(ranks), scope));
      linktest::Schedule shuffled(shuffled_order(ranks, ranks), scope);
      shuffled.shuffle_steps(5);
      check_laws(shuffled);
    }
}

TEST_CASE(
    "where whole nodes meet every pair meets once, and the pairs of a node have one other node in common") {
  for (std::uint32_t nodes = 1; nodes <= 7; ++nodes)
    for (std::uint32_t per_node = 1; per_node <= 7; ++per_node) {
      CAPTURE(nodes);
      CAPTURE(per_node);
      auto s = linktest::Schedule::of_nodes(shuffled_order(nodes * per_node, 3), per_node);
      s.shuffle_steps(4);
      check_laws(s, nodes % 2 == 0 && per_node % 2 == 0);
      std::vector<std::uint32_t> node(s.ranks());
      for (std::uint32_t i = 0; i < s.ranks(); ++i) node[s.order()[i]] = i / per_node;
      for (std::uint32_t step = 0; step < s.steps(); ++step) {
        std::map<std::uint32_t, std::set<std::uint32_t>> others;
        std::map<std::uint32_t, std::uint32_t> pairs_of;
        for (const auto& [first, second] : s.pairs(step)) {
          others[node[first]].insert(node[second]);
          others[node[second]].insert(node[first]);
          if (node[first] != node[second]) ++pairs_of[node[first]], ++pairs_of[node[second]];
        }
        for (const auto& [here, there] : others) CHECK(there.size() == 1);
        for (const auto& [here, pairs] : pairs_of) CHECK(pairs == per_node);
      }
    }
}

TEST_CASE("two nodes of two ranks meet twice, then the ranks of each node") {
  const auto s = linktest::Schedule::of_nodes({0, 2, 1, 3}, 2);  // 0 and 2 on the first node
  REQUIRE(s.steps() == 3);
  CHECK(s.pairs(0) == Pairs{{0, 1}, {2, 3}});
  CHECK(s.pairs(1) == Pairs{{0, 3}, {2, 1}});
  CHECK(s.pairs(2) == Pairs{{0, 2}, {1, 3}});
}

TEST_CASE("four ranks meet in LinkTest's order") {
  const linktest::Schedule s(identity_order(4));
  REQUIRE(s.steps() == 3);
  CHECK(s.pairs(0) == Pairs{{0, 3}, {1, 2}});
  CHECK(s.pairs(1) == Pairs{{0, 2}, {3, 1}});
  CHECK(s.pairs(2) == Pairs{{0, 1}, {2, 3}});
  CHECK(s.serial(1) == Pairs{{0, 2}, {1, 3}, {2, 0}, {3, 1}});
}

TEST_CASE("with an odd number of ranks one pauses in each step, each rank once") {
  // The circle of four with rank 3 left out.
  const linktest::Schedule s(identity_order(3));
  REQUIRE(s.steps() == 3);
  CHECK(s.pairs(0) == Pairs{{1, 2}});
  CHECK(s.pairs(1) == Pairs{{0, 2}});
  CHECK(s.pairs(2) == Pairs{{0, 1}});
  CHECK_FALSE(s.turn(0, 0));
}

TEST_CASE("in a bisection the halves of the order meet") {
  const linktest::Schedule even(identity_order(4), Scope::bisection);
  REQUIRE(even.steps() == 2);
  CHECK(even.pairs(0) == Pairs{{0, 2}, {1, 3}});
  CHECK(even.pairs(1) == Pairs{{0, 3}, {1, 2}});

  const linktest::Schedule odd(RankOrder{4, 3, 2, 1, 0}, Scope::bisection);  // {4, 3} with {2, 1, 0}
  REQUIRE(odd.steps() == 3);
  CHECK(odd.pairs(0) == Pairs{{4, 2}, {3, 1}});
  CHECK(odd.pairs(1) == Pairs{{4, 1}, {3, 0}});
  CHECK(odd.pairs(2) == Pairs{{4, 0}, {3, 2}});
}

TEST_CASE("steps in random order are the same steps") {
  const linktest::Schedule sorted(identity_order(16));
  linktest::Schedule random(identity_order(16)), same(identity_order(16));
  random.shuffle_steps(9);
  same.shuffle_steps(9);
  std::uint32_t moved = 0;
  for (std::uint32_t step = 0; step < sorted.steps(); ++step) {
    CHECK(random.pairs(step) == same.pairs(step));
    if (random.pairs(step) != sorted.pairs(step)) ++moved;
    std::uint32_t found = 0;
    for (std::uint32_t other = 0; other < sorted.steps(); ++other)
      if (random.pairs(step) == sorted.pairs(other)) ++found;
    CHECK(found == 1);
  }
  CHECK(moved > 5);
}

TEST_CASE("one rank, or none, has no partner") {
  CHECK(linktest::Schedule(identity_order(0)).steps() == 0);
  CHECK(linktest::Schedule(identity_order(1)).steps() == 0);
  CHECK(linktest::Schedule(identity_order(1), Scope::bisection).steps() == 0);
}

TEST_CASE("LinkTest accepts only pair operations") {
  const linktest::Schedule s(identity_order(4));
  CHECK(linktest_program(s, {}));
  for (const auto* const operation : {"MPI_Bcast", "MPI_Sned"}) {
    const auto refused = linktest_program(s, {.operation = operation});
    REQUIRE_FALSE(refused);
    CHECK(to_string(refused.error()) ==
          std::string("'") + operation + "' is not a pair operation\n  docs/reference/kernels.md lists them");
  }
}
