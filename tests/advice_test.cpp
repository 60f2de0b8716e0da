// Advice against the runs that it is about: of random programs on machines where messages queue.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/why/explain_run.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/durations.hpp"
#include "sim/base/in_parallel.hpp"
#include "sim/base/random.hpp"
#include "sim/program/jitter.hpp"
#include "sim/program/program_builder.hpp"
#include "tests/contended_case.hpp"
#include "tests/for_random_programs.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

double ps_of_run(const Program& program, const Platform& platform, const Machine& machine) {
  const auto result = simulate(program, platform, machine);
  const bool complete = result && result->status == Result::Status::complete;
  return complete ? static_cast<double>(result->run_time.count()) : std::nan("");
}

struct Changed {
  Platform platform;
  Machine machine;
};

Changed better(const ContendedCase& c, const Machine& machine, AdviceFigure figure) {
  Changed changed{c.platform, machine};
  auto& network = network_of(changed.platform);
  switch (figure) {
    case AdviceFigure::cpu_speed:
      for (auto& n : changed.machine.nodes) n.speed *= 1.1;
      break;
    case AdviceFigure::bandwidth:
      network.bandwidth = Bandwidth::bytes_per_second(network.bandwidth.in_bytes_per_second() * 1.1);
      break;
    case AdviceFigure::latency:
      network.latency = Duration::from_double(static_cast<double>(network.latency.count()) * 0.9);
      break;
  }
  return changed;
}

struct Agreement {
  std::atomic<std::uint32_t> cases{0}, good_cases{0}, pieces{0}, good{0}, signs{0};
};

/// The direct runs: one as a person would make it, and pairs with bursts that no run of the advice had.
bool agrees(const ContendedCase& c, const Machine& machine, const Advice& a, std::uint64_t seed) {
  constexpr std::size_t kPairs = 21;
  const auto changed = better(c, machine, a.figure);
  const auto effect = [&](const Program& program) {
    return ps_of_run(program, changed.platform, changed.machine) / ps_of_run(program, c.platform, machine) -
           1;
  };
  constexpr double kRounding = 1e-9;
  const auto inside = [&](double e) { return e >= a.shortest - kRounding && e <= a.longest + kRounding; };
  const double plain = effect(c.program);
  Random random(seed);
  std::vector<double> effects;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const double share = 0.001 * std::pow(10, random.unit());
    effects.push_back(effect(with_jitter(c.program, share, random.next())));
  }
  std::nth_element(effects.begin(), effects.begin() + kPairs / 2, effects.end());
  const auto median = effects[kPairs / 2];
  const bool sign = !a.reliable() || (median > 0) == (a.median > 0);
  return sign && inside(plain) && inside(median);
}

void compare(std::uint64_t seed, Agreement& all) {
  const auto c = contended_case(seed);
  const auto machine = place_ranks(c.platform, c.program.ranks());
  const auto run = explain_run(c.program, c.platform, *machine, {}, {});
  double waited = 0;
  for (const auto& r : run->result.ranks) waited += static_cast<double>((r.link_wait + r.bus_wait).count());
  if (waited < 0.01 * static_cast<double>(run->result.run_time.count())) return;
  bool good = run->why->runs <= 25;
  for (const auto& a : run->why->advice) {
    const bool holds = agrees(c, *machine, a, seed);
    ++all.pieces;
    all.signs += a.reliable();
    all.good += holds;
    good = good && holds;
  }
  ++all.cases;
  all.good_cases += good;
}

}  // namespace

TEST_CASE("advice agrees with direct runs where messages queue, in sign and interval") {
#ifdef BUSLINE_SANITIZED  // half a second each there
  constexpr std::uint64_t kCases = 8;
#else
  constexpr std::uint64_t kCases = 50;
#endif
  Agreement all;
  in_parallel(wanted_cases(kCases), 2, [&](std::size_t i) { compare(i + 1, all); });
  MESSAGE(all.cases.load() << " cases, all advice right in " << all.good_cases.load() << "; "
                           << all.pieces.load() << " pieces, " << all.good.load() << " right, "
                           << all.signs.load() << " with a sign");
  CHECK(all.cases >= wanted_cases(kCases) * 9 / 10);
  CHECK(all.good >= 0.99 * all.pieces);
  CHECK(all.signs >= all.pieces / 2);
}

TEST_CASE("where nothing queues, advice is what the figures say, and slope and runs agree") {
  // Computes 10 ms, then sends 1 MB, which takes 10 us of latency and 10 ms.
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(ms(10));
  b.send({.peer = 1}, Bytes{kMegabyte});
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{kMegabyte});
  const auto program = b.build();
  const auto p = machine(2);
  const auto run = explain_run(program, p, *place_ranks(p, 2), {}, {});
  REQUIRE(run->why.has_value());
  REQUIRE(run->why->advice.size() == 3);
  const auto& advice = run->why->advice;
  CHECK(run->why->runs == 25);
  const double whole = 20.01;
  const double saved[] = {10 * (1 - 1 / 1.1) / whole, 10 * (1 - 1 / 1.1) / whole, 0.001 / whole};
  for (std::size_t i = 0; i < advice.size(); ++i) {
    CHECK(advice[i].by_a_run == doctest::Approx(-saved[i]).epsilon(1e-6));
    CHECK(advice[i].by_slope == doctest::Approx(-saved[i]).epsilon(1e-6));
    CHECK(advice[i].median == doctest::Approx(-saved[i]).epsilon(0.01));
    CHECK(advice[i].reliable());
    CHECK(advice[i].checks.size() == 6);
  }
}

TEST_CASE("there is no advice on a figure that cannot become better") {
  ProgramBuilder b(1);
  b.begin_strand(0);
  b.compute(ms(10));
  auto p = machine(1);
  network_of(p).latency = {};
  network_of(p).bandwidth = Bandwidth::unlimited();
  const auto run = explain_run(b.build(), p, *place_ranks(p, 1), {}, {});
  REQUIRE(run->why.has_value());
  REQUIRE(run->why->advice.size() == 1);
  CHECK(run->why->advice[0].figure == AdviceFigure::cpu_speed);
  CHECK(run->why->runs == 12);  // itself, 6 + 2, two large steps, an instant network
}

TEST_CASE("advice and resolution are the same on any number of threads, and can be interrupted") {
  const auto c = contended_case(3);
  const auto machine = place_ranks(c.platform, c.program.ranks());
  const auto alone = explain_run(c.program, c.platform, *machine, {}, {.resolution = 5, .threads = 1});
  const auto four = explain_run(c.program, c.platform, *machine, {}, {.resolution = 5, .threads = 4});
  REQUIRE((alone->why && four->why));
  CHECK(alone->why->resolution->spread() > Duration());
  CHECK(alone->why->resolution->spread() == four->why->resolution->spread());
  for (std::size_t i = 0; i < alone->why->advice.size(); ++i) {
    CHECK(alone->why->advice[i].shortest == four->why->advice[i].shortest);
    CHECK(alone->why->advice[i].longest == four->why->advice[i].longest);
  }
  SimulateOptions options;
  bool first_run = true;
  double before = 0;
  options.progress = [&](double share) {
    if (share < before) first_run = false;
    before = share;
    return first_run;
  };
  const auto stopped = explain_run(c.program, c.platform, *machine, options, {.threads = 2});
  REQUIRE(stopped.has_value());
  CHECK(stopped->result.status == Result::Status::complete);
  CHECK(!stopped->why.has_value());
}
