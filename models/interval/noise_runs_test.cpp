#include "models/interval/noise_runs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/test_machine.hpp"
#include "platforms/mapping.hpp"
#include "platforms/noise_draws.hpp"
#include "sim/program/program_builder.hpp"
#include "sim/program/test_messages.hpp"

using namespace busline;

namespace {

Duration us_of(std::int64_t n) {
  return Duration::picoseconds(n * kUs);
}

Program one_burst_each(std::uint32_t ranks) {
  ProgramBuilder b(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    b.begin_strand(r);
    b.compute(us_of(1000));
  }
  return b.build();
}

NoiseRuns runs_of(const Program& program, const Platform& p, std::uint32_t runs, unsigned threads = 2,
                  const std::string& model = "dimemas") {
  const auto placed = place_ranks(p, program.ranks());
  REQUIRE(placed);
  SimulateOptions options;
  options.model = model;
  const auto run = noise_runs(program, p, *placed, options, {.runs = runs, .threads = threads});
  if (!run) FAIL(to_string(run.error()));
  REQUIRE(*run);
  return **run;
}

// The share of log-normal factors with median 1 that are below x.
double share_below(double x, double deviation) {
  return 0.5 * std::erfc(-std::log(x) / deviation / std::sqrt(2.0));
}

bool same_spread(const NoiseSpread& a, const NoiseSpread& b) {
  return a.low == b.low && a.median == b.median && a.high == b.high && a.mean_ps == b.mean_ps;
}

}  // namespace

TEST_CASE("with noise of bursts alone, run times are the greatest of n log-normal ones") {
  constexpr std::uint32_t kRanks = 16, kRuns = 4000;
  constexpr double kDeviation = 0.2;
  auto p = test_machine(kRanks);
  p.noise.compute.bursts.deviation = kDeviation;
  const auto noise = runs_of(one_burst_each(kRanks), p, kRuns);
  CHECK(noise.quiet == us_of(1000));
  CHECK(noise.incomplete == 0);
  // E[max] = integral of 1 - F(x)^n over x > 0; E[max^2] likewise with 2 x.
  double mean = 0, square = 0;
  constexpr double kStep = 1e-4;
  for (double x = kStep / 2; x < 6; x += kStep) {
    const double above = 1 - std::pow(share_below(x, kDeviation), kRanks);
    mean += above * kStep;
    square += 2 * x * above * kStep;
  }
  const double error = std::sqrt((square - mean * mean) / kRuns);
  CHECK(std::abs(noise.all.mean_ps / (1000.0 * kUs) - mean) < 4 * error);
  // The share of runs below a quantile has a standard deviation of sqrt(p (1 - p) / runs).
  const auto check_quantile = [&](Duration at, double wanted) {
    const double share =
        std::pow(share_below(static_cast<double>(at.count()) / (1000.0 * kUs), kDeviation), kRanks);
    CHECK(std::abs(share - wanted) < 4 * std::sqrt(wanted * (1 - wanted) / kRuns));
  };
  check_quantile(noise.all.low, 0.05);
  check_quantile(noise.all.median, 0.5);
  check_quantile(noise.all.high, 0.95);
}

TEST_CASE(
    "noise of nodes is one factor for the ranks of a node, that of ranks one for all bursts of a rank") {
  const auto machine = *place_ranks(
      [] {
        auto p = test_machine(2);
        p.machines[0].nodes[0].cpus = 2;
        return p;
      }(),
      4);
  ProgramBuilder b(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    b.compute(us_of(1000));
    b.compute(us_of(1000));
  }
  const auto quiet = b.build();
  const auto amounts = [&](const Noise& noise) {
    const auto noisy = with_noise(quiet, machine, noise, 7);
    std::vector<std::int64_t> all;
    for (const auto& op : noisy.operations()) all.push_back(op.amount);
    return all;
  };
  Noise nodes, ranks, bursts;
  nodes.compute.nodes.deviation = ranks.compute.ranks.deviation = bursts.compute.bursts.deviation = 0.1;
  const auto n = amounts(nodes), r = amounts(ranks), x = amounts(bursts);
  CHECK((n[0] == n[1] && n[0] == n[2] && n[0] == n[3] && n[0] != n[4] && n[4] == n[7]));
  CHECK((r[0] == r[1] && r[0] != r[2] && r[2] == r[3] && r[2] != r[4]));
  CHECK((x[0] != x[1] && x[0] != x[2]));
  CHECK(amounts(bursts) == x);
  // A kind's draws do not depend on the others'.
  auto both = nodes;
  both.compute.ranks = ranks.compute.ranks;
  const auto nr = amounts(both);
  // Each of the three is rounded, and the product doubles a rounding at most.
  CHECK(std::abs(static_cast<double>(nr[0]) - static_cast<double>(n[0]) * static_cast<double>(r[0]) /
                                                  static_cast<double>(us_of(1000).count())) <= 2);
  Noise empirical;
  empirical.compute.bursts.factors = {2, 3};
  for (const auto ps : amounts(empirical)) CHECK((ps == 2000 * kUs || ps == 3000 * kUs));
}

TEST_CASE("latency and bandwidth differ by message in every model") {
  std::vector<TestMessage> messages;
  for (std::uint32_t i = 0; i < 8; ++i) messages.push_back({2 * i, 2 * i + 1, 100'000});
  const auto program = test_messages(16, messages);
  for (const char* model : {"dimemas", "ideal", "flow"})
    for (const auto at : {Network::LatencyAt::cpu, Network::LatencyAt::flight}) {
      CAPTURE(model);
      auto p = test_machine(16);
      p.machines[0].network.latency = us_of(1000);
      p.machines[0].network.latency_at = at;
      p.noise.latency.factors = {1.5};
      const auto latency = runs_of(program, p, 10, 2, model);
      CHECK(latency.quiet == us_of(2000));
      CHECK(latency.all.median == us_of(2500));
      p.noise = {};
      p.noise.bandwidth.factors = {1.5};
      CHECK(runs_of(program, p, 10, 2, model).all.median == us_of(2500));
      p.noise.bandwidth = {.deviation = 0.1, .factors = {}};
      const auto spread = runs_of(program, p, 40, 2, model).all;
      CHECK(spread.low < spread.median);
      CHECK(spread.median < spread.high);
      CHECK(spread.median > us_of(2000));  // the latest of eight
    }
}

TEST_CASE("what each kind of noise adds is the noise of that kind alone, whatever the threads") {
  auto p = test_machine(4);
  p.noise.compute.bursts.deviation = 0.1;
  p.noise.bandwidth.deviation = 0.3;
  ProgramBuilder b(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    b.begin_strand(r);
    b.compute(us_of(100));
    b.isend_and_forget({.peer = (r + 1) % 4}, Bytes{10'000});
    b.recv({.peer = (r + 3) % 4}, Bytes{10'000});
  }
  const auto program = b.build();
  const auto one = runs_of(program, p, 50, 1), two = runs_of(program, p, 50, 2);
  CHECK(same_spread(one.all, two.all));
  REQUIRE(one.kinds.size() == 2);
  CHECK(one.kinds[0].name == "/noise/compute/bursts");
  CHECK(one.kinds[1].name == "/noise/bandwidth");
  CHECK(same_spread(one.kinds[1].spread, two.kinds[1].spread));
  auto alone = p;
  alone.noise.compute = {};
  CHECK(same_spread(runs_of(program, alone, 50).all, one.kinds[1].spread));
  // More runs begin with the same ones.
  const auto more = runs_of(program, p, 51);
  CHECK_FALSE(same_spread(more.all, one.all));
}

TEST_CASE("a platform without noise is refused, and a seed on it changes nothing") {
  const auto p = test_machine(4);
  const auto program = one_burst_each(4);
  const auto placed = *place_ranks(p, 4);
  const auto refused = noise_runs(program, p, placed, {}, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().where == "--runs");
  SimulateOptions with_seed;
  with_seed.noise_seed = 5;
  CHECK(simulate(program, p, placed, with_seed)->run_time == simulate(program, p, placed)->run_time);
}
