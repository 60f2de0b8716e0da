#include "platforms/noise_draws.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"
#include "sim/program/jitter.hpp"

namespace busline {
namespace {

// So that the kinds of one run have different sequences.
enum class NoiseOf : std::uint8_t { nodes = 1, ranks, bursts };
std::uint64_t seed_of(NoiseOf kind, std::uint64_t seed) {
  return Random(seed ^ (std::uint64_t{static_cast<std::uint8_t>(kind)} << 56U)).next();
}

std::vector<double> drawn_factors(const Spread& spread, std::uint64_t seed, std::size_t count) {
  std::vector<double> all(count, 1);
  if (spread.none()) return all;
  FactorDraws draws(spread, seed);
  for (auto& f : all) f = draws.next();
  return all;
}

}  // namespace

double FactorDraws::next() {
  const auto& given = spread_.factors;
  if (!given.empty()) return given[random_.below(static_cast<std::uint32_t>(given.size()))];
  return std::exp(spread_.deviation * random_.normal());
}

std::int64_t FactorDraws::times_next(std::int64_t ps) {
  if (ps <= 0) return ps;
  constexpr auto kMost = Duration::max().count() / 4;
  return std::min(kMost, Duration::from_double(static_cast<double>(ps) * next()).count());
}

Program with_noise(const Program& program, const Machine& machine, const Noise& noise, std::uint64_t seed) {
  const auto& compute = noise.compute;
  if (compute.none()) return program;
  const auto of_nodes = drawn_factors(compute.nodes, seed_of(NoiseOf::nodes, seed), machine.nodes.size());
  auto of_ranks = drawn_factors(compute.ranks, seed_of(NoiseOf::ranks, seed), program.ranks());
  for (const auto rank : machine.rank_node.ids())
    of_ranks[raw(rank)] *= of_nodes[raw(machine.rank_node[rank])];
  const bool differ = !compute.bursts.none();
  FactorDraws draws(compute.bursts, seed_of(NoiseOf::bursts, seed));
  return with_burst_factors(program, [&](std::uint32_t rank, const Operation& op) {
    if ((op.flags & Operation::elapsed) != 0) return 1.0;
    return differ ? of_ranks[rank] * draws.next() : of_ranks[rank];
  });
}

}  // namespace busline
