#include "measuring/method/clock.hpp"

#include <doctest/doctest.h>

#include "measuring/method/test_clock.hpp"
#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::measure;

TEST_CASE("a probe finds the tick of a coarse clock") {
  FakeClock clock{.tick = ns(1000), .reading = ns(30)};
  const auto p = probe_clock(clock);
  REQUIRE(p);
  CHECK(p->tick == ns(1000));
  CHECK(p->overhead.count() == doctest::Approx(30'000).epsilon(0.01));
}

TEST_CASE("a probe of a fine clock finds what a reading takes") {
  FakeClock clock{.tick = ns(1), .reading = ns(25)};
  CHECK(probe_clock(clock) == ClockProperties{ns(25), ns(25)});
}

TEST_CASE("the least of several probes counts") {
  // Every second step is interrupted for 5 us.
  FakeClock clock{.tick = ns(10), .reading = ns(10)};
  std::uint64_t steps = 0;
  auto interrupted = [&] {
    if (++steps % 2 == 0) clock.pass(ns(5000));
    return clock();
  };
  CHECK(probe_clock(interrupted)->tick == ns(10));
}

TEST_CASE("a probe gives up on a clock that stands still") {
  FakeClock clock;
  CHECK_FALSE(probe_clock(clock, 10, 1000));
  CHECK(clock.readings < 1010);
}

TEST_CASE("one operation is timed alone where the clock is fine, and a batch where it is not") {
  // 100 ticks of 1 us are 40 operations of 2.5 us: the next power of two is 64.
  FakeClock fine{.tick = ns(1)}, coarse{.tick = ns(1000)};
  auto on_fine = [&] { fine.pass(ns(2500)); };
  auto on_coarse = [&] { coarse.pass(ns(2500)); };
  CHECK(batch_for(fine, on_fine, fine.tick) == 1);
  CHECK(batch_for(coarse, on_coarse, coarse.tick) == 64);
  CHECK(time_operation(fine, on_fine, 1, ns(1)) == ns(2500));
  CHECK(time_operation(coarse, on_coarse, 64, coarse.tick * kTicksPerSample) == ns(2500));
}

TEST_CASE("a batch of operations that take no time is bounded") {
  FakeClock clock{.tick = ns(1000)};
  std::uint64_t calls = 0;
  auto nothing = [&] { ++calls; };
  CHECK(batch_for(clock, nothing, clock.tick, 1024) == 1024);
  CHECK(calls == 1023);
}

TEST_CASE("an operation is repeated until the clock has moved far enough") {
  // Of 300 ns on a clock of 1 us: 34 operations pass 10 us and show 10 us.
  FakeClock clock{.tick = ns(1000)};
  std::uint64_t calls = 0;
  auto operation = [&] {
    ++calls;
    clock.pass(ns(300));
  };
  CHECK(time_operation(clock, operation, 1, ns(10'000)).count() == 294'118);
  CHECK(calls == 34);
  // Until it has moved at all: the 11.2 us of the 34 and the next 3 operations show 10 and then 11 us.
  CHECK(time_operation(clock, operation, 1, Duration()) > Duration());
}

TEST_CASE("the time of an operation is within a tick over the batch") {
  for (const std::int64_t cost : {1, 7, 333, 1000, 12'345}) {
    FakeClock clock{.tick = ns(100), .reading = Duration::picoseconds(1)};
    auto operation = [&] { clock.pass(Duration::picoseconds(cost)); };
    const auto batch = batch_for(clock, operation, clock.tick);
    const auto time = time_operation(clock, operation, batch, clock.tick * kTicksPerSample);
    CAPTURE(cost);
    CHECK(time.count() == doctest::Approx(static_cast<double>(cost)).epsilon(1.0 / kTicksPerSample + 0.001));
  }
}
