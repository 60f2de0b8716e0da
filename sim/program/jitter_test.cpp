#include "sim/program/jitter.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/durations.hpp"
#include "sim/program/program_builder.hpp"

using namespace busline;

TEST_CASE("jitter changes bursts by the share that was asked for, and nothing else") {
  constexpr int kBursts = 2000;
  ProgramBuilder b(2);
  b.begin_strand(0);
  for (int i = 0; i < kBursts; ++i) b.compute(ms(1));
  b.send({.peer = 1}, Bytes{1000});
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{1000});
  const auto program = b.build();
  const auto jittered = with_jitter(program, 0.01, 7);
  const auto again = with_jitter(program, 0.01, 7);
  const auto other = with_jitter(program, 0.01, 8);
  double squares = 0, sum = 0;
  bool same = true, all_the_same = true;
  for (std::size_t i = 0; i < program.operations().size(); ++i) {
    const auto &before = program.operations()[i], &after = jittered.operations()[i];
    CHECK(before.kind == after.kind);
    same = same && after.amount == again.operations()[i].amount;
    all_the_same = all_the_same && after.amount == other.operations()[i].amount;
    if (before.kind != OpKind::compute) {
      CHECK(before.amount == after.amount);
      continue;
    }
    const auto change = static_cast<double>(after.amount) / static_cast<double>(before.amount) - 1;
    sum += change;
    squares += change * change;
  }
  CHECK(same);
  CHECK(!all_the_same);
  // Within five standard errors.
  CHECK(std::abs(sum / kBursts) < 5 * 0.01 / std::sqrt(kBursts));
  CHECK(std::abs(std::sqrt(squares / kBursts) - 0.01) < 5 * 0.01 / std::sqrt(2. * kBursts));
  CHECK(with_jitter(program, 0, 7).operations()[0].amount == program.operations()[0].amount);
}
