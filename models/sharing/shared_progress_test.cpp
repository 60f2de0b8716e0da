// Amounts are in ps at full speed.
#include "models/sharing/shared_progress.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <queue>
#include <utility>
#include <vector>

using namespace busline;

namespace {

using Way = std::vector<std::uint32_t>;
using End = std::pair<std::int64_t, std::uint32_t>;  // of a transfer

/// A progress with a clock of its own, which calls end_due() as announced.
class Run {
 public:
  explicit Run(const std::vector<double>& capacities) : progress_(1) {
    for (const double c : capacities) progress_.add_resource(c);
  }
  void start(std::uint32_t id, const Way& way, double amount) {
    progress_.start(id, way, amount, 1, now_);
    settled_ = false;
  }
  void run_to(std::int64_t time) {
    settle();
    while (!events_.empty() && events_.top().first <= time) {
      const auto [due, id] = events_.top();
      events_.pop();
      now_ = due;
      ++events;
      progress_.end_due(
          id, now_,
          [&](std::uint32_t over) {
            progress_.end(over);
            ends.emplace_back(now_, over);
            settled_ = false;
          },
          announce());
      if (events_.empty() || events_.top().first > now_) settle();
    }
    now_ = time;
  }

  std::vector<End> ends;
  int events = 0;

 private:
  std::function<void(std::uint32_t, std::int64_t)> announce() {
    return [this](std::uint32_t id, std::int64_t end) { events_.emplace(end, id); };
  }
  void settle() {
    if (std::exchange(settled_, true)) return;
    progress_.settle(
        now_, [](auto, auto) {}, announce());
  }

  SharedProgress progress_;
  std::priority_queue<End, std::vector<End>, std::greater<>> events_;
  std::int64_t now_ = 0;
  bool settled_ = true;
};

}  // namespace

TEST_CASE("transfers of one flow end by amount, and equal ones in the order of their starts") {
  Run run({1});
  run.start(3, {0}, 300);
  run.start(2, {0}, 100);
  run.start(1, {0}, 100);
  run.start(0, {0}, 200);
  // 4 x 100, then two have 100 left, then one.
  run.run_to(10'000);
  CHECK(run.ends == std::vector<End>{{400, 2}, {400, 1}, {600, 0}, {700, 3}});
}

TEST_CASE("a transfer that joins a flow has not moved what the flow has") {
  Run run({1});
  run.start(0, {0}, 1000);
  run.run_to(500);
  run.start(1, {0}, 400);  // 500 are left of the other
  run.run_to(10'000);
  CHECK(run.ends == std::vector<End>{{1300, 1}, {1400, 0}});
  // Its place at full speed is free, and its number too.
  run.start(1, {0}, 77);
  run.run_to(20'000);
  CHECK(run.ends.back() == End{10'077, 1});
}

TEST_CASE("a transfer that takes the place of another keeps the rate of the rest") {
  Run run({2});
  for (std::uint32_t id = 0; id < 3; ++id) run.start(id, {0}, 200. + 200 * id);  // two thirds each
  run.run_to(300);
  CHECK(run.ends == std::vector<End>{{300, 0}});
  run.start(0, {0}, 100);
  run.run_to(10'000);
  // The others have 100 and 300 left then, and full speed.
  CHECK(run.ends == std::vector<End>{{300, 0}, {450, 0}, {550, 1}, {750, 2}});
}

TEST_CASE("flows of several routes share: each has its own next end") {
  Run run({1, 1, 1});
  // 0 and 1 from resource 0, 2 and 3 from resource 1, all into resource 2: a quarter each.
  run.start(0, {0, 2}, 100);
  run.start(2, {1, 2}, 100);
  run.start(1, {0, 2}, 200);
  run.start(3, {1, 2}, 300);
  run.run_to(10'000);
  CHECK(run.ends == std::vector<End>{{400, 0}, {400, 2}, {600, 1}, {700, 3}});
}

TEST_CASE("a flow that never pauses stays as precise as at its beginning") {
  // Three at a time: when one ends, the next one starts, and has a third of the rate for three periods. All
  // that each has moved since the beginning of the flow is 10^16 ps in the end, where a double counts by
  // twos.
  constexpr std::int64_t kThird = 1'000'000'000'001, kPeriod = 3 * kThird;
  Run run({1});
  run.start(1, {0}, kThird);
  run.start(2, {0}, 2 * kThird);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    run.start(i % 3, {0}, kPeriod);
    run.run_to((i + 1) * kPeriod);
  }
  REQUIRE(run.ends.size() == 10'000);
  for (std::uint32_t i = 0; i < 10'000; ++i) CHECK(run.ends[i] == End{(i + 1) * kPeriod, (i + 1) % 3});
}

TEST_CASE("the events of an end do not grow with the transfers under way") {
  const auto events = [](std::uint32_t transfers) {
    Run run({1});
    for (std::uint32_t id = 0; id < transfers; ++id) run.start(id, {0}, 1000. + id);
    run.run_to(1'000'000'000'000);
    CHECK(run.ends.size() == transfers);
    return run.events;
  };
  CHECK(events(1000) <= 10 * events(100) + 10);
}
