// What happens at one instant happens in an order that nothing decides but the model: of a cluster nobody
// knows it. A seed chooses another one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "models/ideal/order_free.hpp"
#include "models/simulate.hpp"
#include "sim/program/program_builder.hpp"
#include "sim/replay/observer.hpp"
#include "tests/for_random_programs.hpp"
#include "tests/random_platform.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

Result run_with(std::uint64_t seed, const Program& program, const Platform& platform,
                const std::string& model) {
  const auto placed = place_ranks(platform, program.ranks());
  REQUIRE(placed.has_value());
  SimulateOptions options;
  options.model = model;
  options.tie_seed = seed;
  // Without a queue of events there are no ties: "ideal" has one where it is watched.
  RunObserver nobody;
  if (model == "ideal") options.observers = {&nobody};
  auto result = simulate(program, platform, *placed, options);
  if (!result) FAIL(to_string(result.error()));
  return *std::move(result);
}

}  // namespace

TEST_CASE("a run without waits for a CPU, a link or a bus does not depend on the order of ties") {
  for_random_programs({}, 30, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    const auto p = random_platform(recipe.ranks, recipe.seed);
    if (!order_free(program, *place_ranks(p, recipe.ranks), p)) return true;
    const auto plain = all_of(run_with(0, program, p, "ideal"));
    for (const std::uint64_t seed : {1U, 2U})
      if (all_of(run_with(seed, program, p, "ideal")) != plain) return false;
    return true;
  });
}

TEST_CASE("in any order of ties a run completes, moves the same bytes, and computes as long") {
  for_random_programs({.one_sided = true}, 30, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    auto p = random_platform(recipe.ranks, recipe.seed);
    const auto same = [&](const std::string& model) {
      const auto plain = run_with(0, program, p, model), other = run_with(recipe.seed + 7, program, p, model);
      bool alike = other.status == Result::Status::complete && other.messages == plain.messages &&
                   other.bytes == plain.bytes;
      for (std::size_t r = 0; r < plain.ranks.size(); ++r)
        alike = alike && other.ranks[r].times.compute == plain.ranks[r].times.compute;
      CHECK_MESSAGE(alike, model << ":\n" << all_of(plain, false) << "\nand\n" << all_of(other, false));
      return alike;
    };
    if (!same("flow")) return false;
    using enum Network::Sharing;
    for (const auto sharing : {exclusive, fair, streams, queues}) {
      for (auto& m : p.machines) m.network.sharing = sharing;
      if (!same("dimemas")) return false;
    }
    return true;
  });
}

TEST_CASE("any of three messages that want one bus at once can be first, and a seed decides which") {
  // Ranks 0, 1 and 2 send 1 MB to 3, 4 and 5 at once: 10 ms each on a bus of 100 MB/s.
  auto p = machine(6);
  network_of(p).buses = 1;
  ProgramBuilder b(6);
  for (std::uint32_t r = 0; r < 6; ++r) {
    b.begin_strand(r);
    if (r < 3) {
      b.compute(us(1));
      b.send({.peer = r + 3}, Bytes{kMegabyte});
    } else {
      b.recv({.peer = r - 3}, Bytes{kMegabyte});
    }
  }
  const auto program = b.build();
  std::set<std::uint32_t> first;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto result = run_with(seed, program, p, "dimemas");
    CHECK(all_of(result) == all_of(run_with(seed, program, p, "dimemas")));
    const auto at = std::min_element(result.ranks.begin() + 3, result.ranks.end(),
                                     [](const auto& x, const auto& y) { return x.end < y.end; });
    first.insert(static_cast<std::uint32_t>(at - result.ranks.begin()));
  }
  CHECK(first == std::set<std::uint32_t>{3, 4, 5});
}
