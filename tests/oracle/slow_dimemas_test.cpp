// The replay against the slow model: random programs on random machines, to the picosecond.
#include "tests/oracle/slow_dimemas.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/for_random_programs.hpp"
#include "tests/random_platform.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

// What the slow model knows of random machines.
Platform one_machine(std::uint32_t ranks, std::uint64_t seed) {
  auto p = random_platform(ranks, seed);
  if (p.machines.size() > 1) p = random_platform(ranks, seed + 1'000'003);
  p.mpi.progress = Mpi::Progress::asynchronous;  // the slow model has no other
  p.machines.resize(1);
  network_of(p).sharing = Network::Sharing::exclusive;
  Random random(seed);
  if (random.one_in(3)) nodes_of(p).overheads = {us(random.below(5)), us(random.below(5))};
  return p;
}

}  // namespace

TEST_CASE("a single message takes as long in the slow model as in the textbook") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.compute(ms(1));
  b.send({.peer = 1}, Bytes{kMegabyte});
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{kMegabyte});
  const auto program = b.build();
  const auto p = machine(2);
  const auto run = oracle::slow_dimemas(program, p, *place_ranks(p, 2));
  CHECK(run.complete);
  CHECK(run.ends == std::vector<Duration>{ms(1) + kLatency, ms(1) + kLatency + network(kMegabyte)});
}

TEST_CASE("the replay matches the slow model to the picosecond, whichever resource is scarce") {
  const auto most = wanted_cases(2000);
  std::uint64_t compared = 0, waited = 0;
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    Random random(seed * 31);
    RandomProgram recipe;
    recipe.seed = seed;
    recipe.ranks = 2 + random.below(5);
    recipe.steps = 4 + random.below(seed < most / 2 ? 12 : 60);
    recipe.collectives = false;
    const auto p = one_machine(recipe.ranks, seed);
    if (p.machines.size() != 1) continue;
    const auto placed = place_ranks(p, recipe.ranks);
    if (!placed) continue;  // on the nodes of a second machine
    const auto program = random_program(recipe);
    const auto fast = simulate(program, p, *placed);
    REQUIRE(fast.has_value());
    const auto slow = oracle::slow_dimemas(program, p, *placed);
    INFO("seed ", seed, ", ", recipe.ranks, " ranks, ", recipe.steps, " steps\n", all_of(*fast));
    REQUIRE(slow.complete == (fast->status == Result::Status::complete));
    const bool equal = ends_of(*fast) == slow.ends;
    REQUIRE(equal);
    ++compared;
    for (const auto& r : fast->ranks)
      if (r.link_wait + r.bus_wait > Duration{}) {
        ++waited;
        break;
      }
  }
  // Most machines are scarce enough for messages to wait.
  CHECK(compared > most * 9 / 10);
  CHECK(waited > compared / 4);
}
