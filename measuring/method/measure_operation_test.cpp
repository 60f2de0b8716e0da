#include "measuring/method/measure_operation.hpp"

#include <doctest/doctest.h>

#include "measuring/method/refinement.hpp"
#include "measuring/method/test_clock.hpp"
#include "sim/base/durations.hpp"

using namespace busline;
using namespace busline::measure;

namespace {}  // namespace

TEST_CASE("an operation of constant time stops at the minimum of repetitions") {
  FakeClock clock{.tick = ns(1)};
  std::uint64_t calls = 0;
  auto operation = [&] {
    ++calls;
    clock.pass(ns(5000));
  };
  const auto measured = measure_operation(clock, operation, clock.tick, {});
  CHECK(measured.result == Estimate{5'000'000, 0});
  CHECK(measured.stop == Stop::precision);
  CHECK(measured.summary.count == 4);
  CHECK(calls == 5 + 1 + 4);  // warming up, finding the batch, samples
}

TEST_CASE("the time limit of a measurement is on its clock") {
  FakeClock clock{.tick = ns(1)};
  std::int64_t calls = 0;
  auto growing = [&] { clock.pass(ns(1000) * ++calls); };
  OperationPlan plan{.rules = {.precision = 0, .max_repetitions = 1000}, .warmup = 0};
  plan.rules.time_limit = ns(10'000);
  // The batch is found with 1 us, the samples are 2, 3, 4 and 5 us: 14 us.
  const auto measured = measure_operation(clock, growing, clock.tick, plan);
  CHECK(measured.stop == Stop::time_limit);
  CHECK(measured.summary.count == 4);
}

TEST_CASE("a function with a jump is measured as a curve, to the same points each time") {
  // 100 ns + 1 ns a byte, and 2 us more from 1000 bytes on, on a clock of 50 ns.
  const auto measure = [] {
    FakeClock clock{.tick = ns(50), .reading = ns(20)};
    auto refinement = *Refinement::create({Scale::dynamic_log, 1, 65536, 2}, {.max_steps = 24});
    while (const auto bytes = refinement.next(clock())) {
      auto send = [&] {
        clock.pass(ns(100 + static_cast<std::int64_t>(*bytes) + (*bytes >= 1000 ? 2000 : 0)));
      };
      refinement.add(measure_operation(clock, send, clock.tick, {}).result.value);
    }
    return refinement;
  };
  const auto refinement = measure();
  CHECK(refinement.steps() == measure().steps());
  CHECK(refinement.end() == Refinement::End::precision);
  const auto curve = refinement.curve();
  for (std::size_t i = 1; i < curve.size(); ++i)
    if (curve[i - 1].argument < 1000 && curve[i].argument >= 1000)
      CHECK(curve[i].argument - curve[i - 1].argument < 64);
}
