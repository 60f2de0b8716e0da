#include "sim/replay/pending_events.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <vector>

using namespace busline;

namespace {

// The reference: a map from (time, sequence number).
struct Reference {
  std::map<std::pair<std::int64_t, std::uint64_t>, std::uint32_t> events;
  std::uint64_t sequence = 0;
  void push(const Event& e) { events[{e.time, sequence++}] = e.subject; }
  std::uint32_t pop() {
    const auto first = events.begin();
    const auto subject = first->second;
    events.erase(first);
    return subject;
  }
};

void compare_with_reference(unsigned seed, std::int64_t spread, std::size_t pending, unsigned zero_share) {
  std::mt19937_64 random(seed);
  PendingEvents set;
  Reference reference;
  std::uint32_t subject = 0;
  const auto push = [&] {
    const bool now = random() % 100 < zero_share;
    const auto delay = now ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(spread));
    const Event e{set.now() + delay, 0, subject++};
    set.push(e);
    reference.push(e);
  };
  for (std::size_t i = 0; i < pending; ++i) push();
  for (int i = 0; i < 20'000; ++i) {
    REQUIRE(set.next_time() == reference.events.begin()->first.first);
    REQUIRE(set.pop().subject == reference.pop());
    push();
    if (random() % 2 == 0 && set.size() > 1) {
      REQUIRE(set.pop().subject == reference.pop());
      push();
    }
  }
  while (!set.empty()) REQUIRE(set.pop().subject == reference.pop());
  CHECK(reference.events.empty());
}

}  // namespace

TEST_CASE("events leave by time, and equal times in the order of insertion") {
  for (const unsigned seed : {1U, 2U, 3U})
    for (const std::int64_t spread : {std::int64_t{2}, std::int64_t{50}, std::int64_t{1'000'000'000'000}})
      for (const std::size_t pending : {std::size_t{1}, std::size_t{40}, std::size_t{3000}})
        for (const unsigned zero_share : {0U, 60U}) {
          CAPTURE(seed);
          CAPTURE(spread);
          CAPTURE(pending);
          compare_with_reference(seed, spread, pending, zero_share);
        }
}

TEST_CASE("the last instants of the clock's range are also ordered") {
  PendingEvents set;
  const auto end = std::numeric_limits<std::int64_t>::max() - 1;
  set.push({end, 0, 1});
  set.push({end - 1, 0, 2});
  set.push({1, 0, 3});
  CHECK(set.pop().subject == 3);
  CHECK(set.pop().subject == 2);
  CHECK(set.pop().subject == 1);
}

TEST_CASE("a seed reorders equal times, but not their consequences") {
  // 10 times with 50 events each; the first event of each time has an immediate consequence.
  const auto order = [](std::uint64_t seed) {
    PendingEvents set;
    if (seed != 0) set.order_ties_by(seed);
    for (std::uint32_t i = 0; i < 500; ++i) set.push({1000 + i % 10, 0, i});
    std::vector<std::uint32_t> subjects;
    std::int64_t time = 0;
    for (std::uint32_t next = 500; !set.empty();) {
      const auto e = set.pop();
      CHECK(e.time >= time);
      if (e.time > time) {
        time = e.time;
        set.push({time, 0, next++});
      }
      if (e.subject >= 500) CHECK((set.empty() || set.next_time() > time));
      subjects.push_back(e.subject);
    }
    return subjects;
  };
  const auto plain = order(0), one = order(1);
  CHECK(one == order(1));
  CHECK(one != plain);
  CHECK(one != order(2));
  CHECK(std::is_permutation(one.begin(), one.end(), plain.begin(), plain.end()));
}

TEST_CASE("simultaneous events of one subject keep the order of insertion") {
  PendingEvents set;
  set.order_ties_by(3);
  for (std::uint32_t kind = 0; kind < 4; ++kind)
    for (std::uint32_t i = 0; i < 50; ++i) set.push({7, kind, i});
  std::array<std::uint32_t, 50> next{};
  while (!set.empty()) {
    const auto e = set.pop();
    CHECK(e.kind == next.at(e.subject)++);
  }
}

TEST_CASE("each of three equal times comes first by some seed") {
  std::array<int, 3> first{};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    PendingEvents set;
    set.order_ties_by(seed);
    for (std::uint32_t i = 0; i < 3; ++i) set.push({7, 0, i});
    ++first.at(set.pop().subject);
  }
  for (const auto n : first) CHECK(n > 5);
}
