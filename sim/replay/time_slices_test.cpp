#include "sim/replay/time_slices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/base/random.hpp"

namespace busline {
namespace {

constexpr std::int64_t kQuantum = TimeSlices::kShortest;
constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

// Who is served in each slice, from the queue itself: those in front, who then go to the back.
std::vector<std::vector<bool>> served(std::uint32_t cpus, std::uint32_t members, std::size_t slices) {
  std::vector<std::uint32_t> queue(members);
  std::iota(queue.begin(), queue.end(), 0U);
  std::vector<std::vector<bool>> all(slices, std::vector<bool>(members, false));
  for (auto& slice : all) {
    for (std::uint32_t c = 0; c < cpus; ++c) slice[queue[c]] = true;
    std::rotate(queue.begin(), queue.begin() + cpus, queue.end());
  }
  return all;
}

}  // namespace

TEST_CASE("time slices go round as a queue does") {
  constexpr std::size_t kSlices = 60;
  for (std::uint32_t members = 2; members <= 7; ++members) {
    for (std::uint32_t cpus = 1; cpus < members; ++cpus) {
      const TimeSlices slices(kQuantum, cpus, members, 0);
      const auto expected = served(cpus, members, kSlices);
      for (std::uint32_t m = 0; m < members; ++m) {
        std::int64_t had = 0;
        for (std::size_t k = 0; k < kSlices; ++k) {
          const auto begin = static_cast<std::int64_t>(k) * kQuantum;
          CHECK(slices.between(m, 0, begin) == had);
          CHECK((slices.after(m, begin + 1, 0) == begin + 1) == expected[k][m]);
          CHECK(slices.end_of_slice(begin) == begin + kQuantum);
          if (expected[k][m]) {
            CHECK(slices.between(m, 0, begin + 7) == had + 7);
            CHECK(slices.after(m, 0, had + 7) == begin + 7);
            had += kQuantum;
          }
        }
      }
    }
  }
}

TEST_CASE("the end of work is the first instant at which the CPU time is enough") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto members = 2 + random.below(20);
    const auto cpus = 1 + random.below(members - 1);
    const TimeSlices slices(kQuantum, cpus, members, random.below(1000) / 1000.0);
    const auto m = random.below(members);
    const auto now = std::int64_t{random.below(100 * kQuantum)};
    const auto work = 1 + std::int64_t{random.below(10 * kQuantum)};
    const auto end = slices.after(m, now, work);
    CHECK(slices.between(m, now, end) == work);
    CHECK(slices.between(m, now, end - 1) == work - 1);
    // All of it is had: the CPUs never rest.
    std::int64_t all = 0;
    for (std::uint32_t other = 0; other < members; ++other) all += slices.between(other, now, end);
    CHECK(all == (end - now) * cpus);
  }
}

TEST_CASE("work beyond the clock's range ends at its end") {
  const TimeSlices slices(kQuantum, 1, 1'000'000, 0.5);
  CHECK(slices.after(3, 0, kEndOfTime / 2) == kEndOfTime);
  CHECK(slices.after(3, kEndOfTime - 1, 0) == kEndOfTime);
}

}  // namespace busline
