#include "workloads/patterns/traffic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "sim/replay/replay.hpp"
#include "sim/replay/test_network.hpp"

using namespace busline;

namespace {

std::vector<std::uint32_t> first_targets(const Traffic& t) {
  std::vector<std::uint32_t> first;
  for (const auto& of_rank : traffic_targets(t))
    if (!of_rank.empty()) first.push_back(of_rank.front());
  return first;
}

bool all_different(const std::vector<std::uint32_t>& targets) {
  return std::set<std::uint32_t>(targets.begin(), targets.end()).size() == targets.size();
}

}  // namespace

TEST_CASE("no rank sends to itself, and except with random targets each rank gets one message at a time") {
  for (const auto& named : kTrafficNames)
    for (const std::uint32_t ranks : {2U, 3U, 8U, 33U})
      for (const std::uint64_t seed : {1U, 2U}) {
        CAPTURE(named.first);
        const Traffic t{.pattern = named.second, .ranks = ranks, .messages = 3, .seed = seed};
        const auto targets = traffic_targets(t);
        REQUIRE(targets.size() == ranks);
        for (std::uint32_t r = 0; r < ranks; ++r) {
          CHECK(std::count(targets[r].begin(), targets[r].end(), r) == 0);
          for (const auto target : targets[r]) CHECK(target < ranks);
        }
        if (t.pattern != TrafficPattern::random && t.pattern != TrafficPattern::incast)
          CHECK(all_different(first_targets(t)));
      }
}

TEST_CASE("a load is the share of its time for which a rank's link is busy, in bursts, too") {
  // 1 MB takes 1 ms at 1 GB/s; the last pause is a part of the program.
  for (const double load : {0.1, 0.5, 0.9})
    for (const std::uint32_t burst : {1U, 10U}) {
      CAPTURE(load);
      CAPTURE(burst);
      const auto program = traffic_pattern({.ranks = 2,
                                            .messages = 20'000,
                                            .size = Bytes{1'000'000},
                                            .load = load,
                                            .rate = Bandwidth::bytes_per_second(1e9),
                                            .burst = burst});
      double pauses = 0;
      for (const auto& op : program.operations(program.strands()[0]))
        if (op.kind == OpKind::compute) pauses += static_cast<double>(op.amount);
      CHECK(20'000 * 1e9 / pauses == doctest::Approx(load).epsilon(burst == 1 ? 1e-6 : 0.1));
    }
  CHECK(traffic_pattern({.load = 0}).operations().empty());
  const auto targets = traffic_targets({.pattern = TrafficPattern::incast, .ranks = 5, .messages = 1});
  CHECK(std::count_if(targets.begin(), targets.end(), [](const auto& t) { return t.empty(); }) == 1);
}

TEST_CASE("a bisection crosses the middle both ways, and an odd rank rests") {
  const auto targets = traffic_targets({.pattern = TrafficPattern::bisection, .ranks = 9, .messages = 2});
  for (std::uint32_t r = 0; r < 4; ++r) {
    REQUIRE(targets[r].size() == 2);
    CHECK(targets[r][0] >= 5);
    CHECK(targets[targets[r][0]] == std::vector{r, r});
  }
  CHECK(targets[4].empty());
}

TEST_CASE("all-to-all traffic reaches every rank once, or an evenly spread subset") {
  const Traffic all{.pattern = TrafficPattern::alltoall, .ranks = 5, .messages = 100};
  CHECK(traffic_targets(all)[3] == std::vector<std::uint32_t>{4, 0, 1, 2});
  const Traffic some{.pattern = TrafficPattern::alltoall, .ranks = 17, .messages = 4};
  CHECK(traffic_targets(some)[0] == std::vector<std::uint32_t>{1, 5, 9, 13});
}

TEST_CASE("only the seed changes the random choices") {
  for (const auto pattern : {TrafficPattern::permutation, TrafficPattern::shift, TrafficPattern::random}) {
    const Traffic one{.pattern = pattern, .ranks = 64, .seed = 1}, two{.pattern = pattern, .seed = 2};
    CHECK(traffic_targets(one) == traffic_targets(one));
    CHECK(traffic_targets(one) != traffic_targets(two));
  }
}

TEST_CASE("a rank's messages follow one another, each with a mark when it has arrived") {
  const auto program = traffic_pattern({.ranks = 4, .messages = 3, .size = Bytes{1000}});
  const auto r = replay(program, nodes_for(4), {.transfer = 5000, .rendezvous_from = 0});
  CHECK(r.status == Result::Status::complete);
  CHECK(r.messages == 12);
  REQUIRE(r.marks.size() == 12);
  for (std::uint32_t i = 0; i < 12; ++i) {
    CHECK(r.marks[i].label == i % 3);
    CHECK(r.marks[i].time.count() == 6000 * (i % 3 + 1));
  }
}
