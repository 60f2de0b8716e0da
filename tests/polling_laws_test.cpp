// What must hold for every program on nodes whose ranks poll while they wait (docs/model.md, section 2.4).
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "models/test_run.hpp"
#include "tests/for_random_programs.hpp"
#include "tests/random_platform.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

Platform polling(Platform p, Duration quantum) {
  for (auto& m : p.machines)
    for (auto& group : m.nodes) {
      group.waiting = NodeGroup::Waiting::polling;
      group.quantum = quantum;
    }
  return p;
}

Platform with_cpus(Platform p, std::uint32_t cpus) {
  for (auto& m : p.machines)
    for (auto& group : m.nodes) group.cpus = cpus;
  return p;
}

Duration quantum_of(const RandomProgram& recipe) {
  return us(static_cast<std::int64_t>(1 + recipe.seed % 40));
}

}  // namespace

TEST_CASE("with a CPU for each rank, polling is the same as blocking, to the picosecond") {
  for_random_programs({}, 10, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    const auto p = with_cpus(random_platform(recipe.ranks, recipe.seed), recipe.ranks);
    const auto a = all_of(complete_run(program, p)), b = all_of(complete_run(program, polling(p, us(3))));
    CHECK(a == b);
    return a == b;
  });
}

TEST_CASE("ranks that poll complete, and their states add up to their ends and to the CPUs' time") {
  RandomProgram kind;
  kind.to_oneself = true;
  kind.one_sided = true;
  for_random_programs(kind, 20, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    auto p = polling(random_platform(recipe.ranks, recipe.seed), quantum_of(recipe));
    for (auto& m : p.machines) m.nodes.front().shared_cpus = recipe.seed % 3 == 0;
    const auto placed = place_ranks(p, recipe.ranks);
    const auto r = complete_run(program, p);
    bool good = true;
    IdVector<NodeId, Duration> worked(placed->nodes.size());
    for (std::uint32_t i = 0; i < recipe.ranks; ++i) {
      const auto& t = r.ranks[i].times;
      const Duration parts[] = {t.compute, t.latency, t.wait, t.collective_wait, t.collective, t.cpu_wait};
      Duration sum;
      for (const auto d : parts) {
        sum += d;
        good = good && d >= Duration{};
      }
      good = good && sum == r.ranks[i].end.since_start();
      worked[placed->cpu_node(RankId{i})] += t.compute + t.latency;
    }
    for (const auto n : worked.ids())
      good = good && worked[n] <= r.run_time.since_start() * placed->nodes[n].cpus;
    good = good && computes_its_bursts(program, r);
    CHECK_MESSAGE(good, all_of(r));
    return good;
  });
}

TEST_CASE("polling is never faster than a CPU for each rank") {
  // Than blocking it may be: a rank with little to do need not wait for the end of another one's burst. In
  // Dimemas 5.5 a collective without a root has the size of the last to arrive.
  for_random_programs({}, 20, [](const RandomProgram& recipe) {
    auto p = random_platform(recipe.ranks, recipe.seed);
    p.preset = Preset::published;
    p.mapping = mapping_of(*place_ranks(p, recipe.ranks));
    const auto program = random_program(recipe);
    const auto shared = complete_run(program, polling(p, quantum_of(recipe)), "ideal");
    const auto own = complete_run(program, with_cpus(p, recipe.ranks), "ideal");
    bool good = true;
    for (std::size_t i = 0; i < own.ranks.size(); ++i) good = good && shared.ranks[i].end >= own.ranks[i].end;
    CHECK_MESSAGE(good, all_of(shared) << "\n" << all_of(own));
    return good;
  });
}

TEST_CASE("virtual nodes of one host share its CPUs as ranks of one node do") {
  // Messages would cross the network, so there are none.
  for (std::uint32_t ranks = 2; ranks <= 5; ++ranks)
    for (const bool polls : {false, true}) {
      ProgramBuilder b(ranks);
      for (std::uint32_t r = 0; r < ranks; ++r) {
        b.begin_strand(r);
        for (std::uint32_t i = 0; i < 3; ++i) b.compute(us(10 * r + i));
      }
      const auto program = b.build();
      auto one = machine(1, 2), several = machine(ranks, 2);
      several.mapping.kind = Mapping::Kind::round_robin;
      nodes_of(several).shared_cpus = true;
      if (polls) {
        one = polling(one, us(3));
        several = polling(several, us(3));
      }
      const auto a = complete_run(program, one), c = complete_run(program, several);
      for (std::uint32_t r = 0; r < ranks; ++r) {
        CHECK(a.ranks[r].end == c.ranks[r].end);
        CHECK(a.ranks[r].times.cpu_wait == c.ranks[r].times.cpu_wait);
      }
    }
}
