// Results of LinkTest for tests, made from a schedule and random times; and their streams in memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "measuring/linktest/linktest_result.hpp"
#include "sim/base/random.hpp"
#include "workloads/linktest/schedule.hpp"

namespace busline::linktest {

/// What the schedule would have given: times of 1 to 2 us, and a few retests of them, half as long.
inline Iteration test_iteration(const Schedule& schedule, std::uint64_t seed, std::size_t retests = 2) {
  Random random(seed);
  Iteration i;
  i.start_time = "Tue Mar  1 12:00:00 2022";
  i.end_time = "Tue Mar  1 12:01:00 2022";
  i.access = AccessPattern::partner_of_step;
  i.seconds = PairMatrix<double>(schedule.ranks());
  i.step = PairMatrix<std::uint32_t>(schedule.ranks());
  double sum = 0, measured = 0;
  for (std::uint32_t step = 0; step < schedule.steps(); ++step)
    for (const auto& [a, b] : schedule.serial(step)) {
      const double t = 1e-6 * (1 + random.below(1'000'000) * 1e-6);
      i.seconds(a, b) = t;
      i.step(a, b) = step + 1;
      i.summary.min = measured == 0 ? t : std::min(i.summary.min, t);
      i.summary.max = std::max(i.summary.max, t);
      sum += t;
      ++measured;
      if (i.retests.size() < retests) i.retests.push_back({a, b, t, t / 2});
    }
  if (measured > 0) i.summary.avg = sum / measured;
  return i;
}

/// Two ranks a node; 64 KiB, 10 messages.
inline LinkTestResult test_result(std::uint32_t ranks, Scope scope = Scope::all_pairs) {
  LinkTestResult r;
  r.version = {2, 1, 16};
  r.settings.mode = "mpi";
  r.settings.git_hash = "0123456789abcdef0123456789abcdef01234567";
  r.settings.messages = 10;
  r.settings.message_bytes = 65536;
  r.settings.warmup_messages = 2;
  r.settings.retests = 2;
  r.settings.bisection = scope == Scope::bisection;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    auto& place = r.places.emplace_back();
    place.host = "node0" + std::to_string(rank / 2);
    place.core = static_cast<std::int32_t>(rank % 2);
  }
  r.iterations.push_back(test_iteration(Schedule(identity_order(ranks), scope), ranks));
  return r;
}

}  // namespace busline::linktest
