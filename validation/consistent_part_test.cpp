// The part of an incomplete Program that can be replayed (workloads/salvage), on random programs that were
// cut at random places: it ends on every platform.
#include <doctest/doctest.h>

#include <cstdint>

#include "sim/program_editor.hpp"
#include "validation/random_program.hpp"
#include "validation/textbook.hpp"
#include "workloads/salvage/consistent_part.hpp"

namespace {

using namespace busline;
using namespace busline::textbook;

// The first operations of some ranks, all of the others'.
Program cut_at_random(const Program& whole, std::uint64_t seed) {
  Random random(seed);
  ProgramEditor editor(whole);
  for (std::size_t i = 0; i < whole.strands().size(); ++i) {
    const auto& s = whole.strands()[i];
    if (random.one_in(2))
      editor.end_strand(i, s.begin + random.below(static_cast<std::uint32_t>(s.end - s.begin + 1)));
  }
  return editor.finish();
}

std::uint64_t operations_on(const Program& p, OpKind a, OpKind b) {
  std::uint64_t n = 0;
  for (const auto& op : p.operations()) n += op.kind == a || op.kind == b ? 1U : 0U;
  return n;
}

// Eager, and with a rendezvous for every message.
bool completes(const Program& program) {
  auto platform = machine(program.ranks());
  nodes_of(platform).links = {Links::Kind::full_duplex, 1, 1};
  for (const bool rendezvous : {false, true}) {
    if (rendezvous) platform.mpi.rendezvous_from = Bytes{0};
    for (const auto* model : {"dimemas", "ideal"}) {
      const auto result = simulated(program, platform, model);
      if (!result || result->status != Result::Status::complete) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("the consistent part of a random program that was cut is replayed to its end") {
  std::uint64_t kept = 0;
  for (const std::uint32_t steps : {4U, 12U, 40U, 200U})
    for (const std::uint32_t ranks : {2U, 3U, 8U})
      for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        RandomProgram recipe;
        recipe.seed = seed;
        recipe.ranks = ranks;
        recipe.steps = steps;
        recipe.to_oneself = seed % 2 == 0;
        recipe.one_sided = seed % 3 == 0;
        INFO("seed ", seed, ", ranks ", ranks, ", steps ", steps);
        const auto whole = random_program(recipe);
        CHECK(consistent_part(whole).whole());
        const auto part = consistent_part(cut_at_random(whole, seed));
        const bool ends = completes(part.program);
        REQUIRE(ends);
        CHECK(operations_on(part.program, OpKind::send, OpKind::isend) ==
              operations_on(part.program, OpKind::recv, OpKind::irecv));
        const bool stable = consistent_part(part.program).whole();
        CHECK(stable);
        kept += part.program.operations().size();
      }
  CHECK(kept > 10'000);
}
