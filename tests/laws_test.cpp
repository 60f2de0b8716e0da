// What must hold for every program on every machine, on random ones. A failure names the seed; the sizes of
// the programs grow, so that the first failure is about the smallest.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "models/test_run.hpp"
#include "tests/for_random_programs.hpp"
#include "tests/random_platform.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

void check_unlimited_is_ideal(Preset preset, bool two_machines) {
  CAPTURE(static_cast<int>(preset));
  RandomProgram kind;
  kind.one_sided = two_machines;
  for_random_programs(kind, 30, [&](const RandomProgram& recipe) {
    Random random(recipe.seed);
    auto p = machine(1 + recipe.ranks / 2, 2 + random.below(2));
    p.preset = preset;
    p.mapping.kind = random.one_in(2) ? Mapping::Kind::fill : Mapping::Kind::round_robin;
    if (random.one_in(4)) network_of(p).latency = {};
    randomise_mpi(p, random);
    if (two_machines) {
      add_random_machine(p, random);
      p.wan.links = {};
    }
    const auto program = random_program(recipe);
    const auto dimemas = complete_run(program, p), ideal = complete_run(program, p, "ideal");
    CHECK(dimemas.status == Result::Status::complete);
    const auto a = all_of(dimemas, false), b = all_of(ideal, false);
    CHECK(a == b);
    return a == b;
  });
}

}  // namespace

TEST_CASE("a machine with everything unlimited and a CPU for each rank is the ideal one, to the picosecond") {
  for (const auto preset : {Preset::published, Preset::dimemas_5_5})
    for (const bool two_machines : {false, true}) check_unlimited_is_ideal(preset, two_machines);
}

TEST_CASE("the ideal model gives the same with and without an event queue") {
  // A part of the run between two instants can only be told with one.
  SimulateOptions with_queue;
  with_queue.model = "ideal";
  with_queue.region = Region{};
  with_queue.region->after = Duration{};
  RandomProgram kind;
  kind.one_sided = true;
  for_random_programs(kind, 30, [&](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    auto p = random_platform(recipe.ranks, recipe.seed);
    nodes_of(p).cpus = recipe.ranks;
    const auto placed = place_ranks(p, recipe.ranks);
    const auto slow = simulate(program, p, *placed, with_queue);
    if (!slow) FAIL(to_string(slow.error()));
    const auto a = all_of(complete_run(program, p, "ideal")), b = all_of(*slow);
    CHECK(a == b);
    return a == b;
  });
}

TEST_CASE("messages of a rank's threads are received in the order in which they are sent, in every model") {
  ProgramBuilder b(2);
  b.begin_strand(0, false);
  b.compute(ms(5));
  b.send({.peer = 1}, Bytes{1'000'000});
  b.begin_strand(0, false);
  b.send({.peer = 1}, Bytes{1});
  b.begin_strand(1);
  b.recv({.peer = 0}, Bytes{1});
  b.compute(ms(20));
  b.recv({.peer = 0}, Bytes{1'000'000});
  const auto program = b.build();
  const auto p = machine(1, 3);
  const auto dimemas = complete_run(program, p), ideal = complete_run(program, p, "ideal");
  CHECK(all_of(dimemas, false) == all_of(ideal, false));
}

TEST_CASE("a random program completes on every machine, and each rank's states add up to its end") {
  RandomProgram kind;
  kind.to_oneself = true;
  kind.one_sided = true;
  for_random_programs(kind, 40, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    const auto p = random_platform(recipe.ranks, recipe.seed);
    bool good = true;
    for (const std::string model : {"dimemas", "ideal"}) {
      const auto r = complete_run(program, p, model);
      good = good && r.status == Result::Status::complete;
      CHECK_MESSAGE(r.status == Result::Status::complete, all_of(r));
      Time last;
      for (const auto& k : r.ranks) {
        const auto& t = k.times;
        const Duration parts[] = {t.compute, t.latency, t.wait, t.collective_wait, t.collective, t.cpu_wait};
        Duration sum;
        for (const auto d : parts) {
          sum += d;
          good = good && d >= Duration{};
        }
        last = std::max(last, k.end);
        good = good && sum == k.end.since_start() && k.link_wait >= Duration{} && k.bus_wait >= Duration{};
      }
      good = good && last == r.run_time;
      CHECK_MESSAGE(good, model << ": " << all_of(r));
    }
    return good;
  });
}

TEST_CASE("every byte that a program moves is counted once, for the rank that it comes from") {
  RandomProgram kind;
  kind.one_sided = true;
  for_random_programs(kind, 10, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    const auto r = complete_run(program, random_platform(recipe.ranks, recipe.seed));
    std::vector<std::uint64_t> bytes(recipe.ranks, 0);
    std::uint64_t all = 0, messages = 0;
    for (const auto& s : program.strands())
      for (const auto& op : program.operations(s)) {
        const bool sends = op.kind == OpKind::send || op.kind == OpKind::isend || op.kind == OpKind::put;
        if (!sends && op.kind != OpKind::get) continue;
        bytes[sends ? s.rank : op.peer] += static_cast<std::uint64_t>(op.amount);
        all += static_cast<std::uint64_t>(op.amount);
        ++messages;
      }
    bool good = r.bytes == all && r.messages == messages;
    for (std::uint32_t rank = 0; rank < recipe.ranks; ++rank)
      good = good && r.ranks[rank].bytes_sent == bytes[rank];
    CHECK_MESSAGE(good, all_of(r));
    return good;
  });
}

TEST_CASE("a rank computes as long as its bursts, whatever the network") {
  for_random_programs({}, 10, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    const auto r = complete_run(program, random_platform(recipe.ranks, recipe.seed));
    const bool good = computes_its_bursts(program, r);
    CHECK_MESSAGE(good, all_of(r));
    return good;
  });
}

TEST_CASE("if everything takes 2^n times the time, the run takes 2^n times the time") {
  for_random_programs({}, 25, [](const RandomProgram& recipe) {
    // A rate divided by a power of 2 is exact, so that what is rounded is a multiple, too.
    const std::int64_t factor = std::int64_t{2} << recipe.seed % 4;
    const auto part = 1.0 / static_cast<double>(factor);
    auto slow_recipe = recipe;
    slow_recipe.time_factor = factor;
    auto p = random_platform(recipe.ranks, recipe.seed);
    // Where a message has a share of a link its end is rounded: a picosecond is not twice half of one.
    for (auto& m : p.machines) m.network.sharing = Network::Sharing::exclusive;
    auto slow = p;
    auto& group = nodes_of(slow);
    network_of(slow).latency = network_of(p).latency * factor;
    network_of(slow).bandwidth = Bandwidth::bytes_per_second(1e8 * part);
    group.intra_node.latency = group.intra_node.latency * factor;
    group.intra_node.bandwidth = Bandwidth::bytes_per_second(1e9 * part);
    if (group.intra_node.handshake) group.intra_node.handshake = *group.intra_node.handshake * factor;
    slow.mpi.handshake = p.mpi.handshake * factor;
    if (p.mpi.ssend_handshake) slow.mpi.ssend_handshake = *p.mpi.ssend_handshake * factor;
    slow.wan.latency = p.wan.latency * factor;
    slow.wan.bandwidth = Bandwidth::bytes_per_second(1e7 * part);
    for (auto& from : slow.wan.flight)
      for (auto& to : from) to = to * factor;
    for (auto& m : slow.machines) m = slow.machines.front();
    const auto a = complete_run(random_program(recipe), p),
               b = complete_run(random_program(slow_recipe), slow);
    bool good = a.run_time.since_start() * factor == b.run_time.since_start();
    for (std::size_t i = 0; i < a.ranks.size(); ++i)
      good = good && a.ranks[i].end.since_start() * factor == b.ranks[i].end.since_start() &&
             a.ranks[i].times.wait * factor == b.ranks[i].times.wait &&
             a.ranks[i].link_wait * factor == b.ranks[i].link_wait &&
             a.ranks[i].bus_wait * factor == b.ranks[i].bus_wait;
    CHECK_MESSAGE(good, all_of(a) << "\n" << all_of(b));
    return good;
  });
}

TEST_CASE("nothing that is scarce makes a run shorter than without, where each rank has a CPU of its own") {
  // For ranks that share CPUs, the later one may be the better one to come first. In Dimemas 5.5 a collective
  // without a root has the size of the last to arrive, which may be a smaller one where something was scarce
  // before.
  for_random_programs({}, 20, [](const RandomProgram& recipe) {
    auto p = random_platform(recipe.ranks, recipe.seed);
    p.preset = Preset::published;
    for (auto& m : p.machines)
      for (auto& group : m.nodes) group.cpus = recipe.ranks;
    const auto program = random_program(recipe);
    const auto scarce = complete_run(program, p), ideal = complete_run(program, p, "ideal");
    bool good = scarce.run_time >= ideal.run_time;
    for (std::size_t i = 0; i < ideal.ranks.size(); ++i)
      good = good && scarce.ranks[i].end >= ideal.ranks[i].end;
    CHECK_MESSAGE(good, all_of(scarce) << "\n" << all_of(ideal));
    return good;
  });
}

TEST_CASE("a run takes as long as the computations of each of its ranks, and as each of its messages alone") {
  for_random_programs({}, 10, [](const RandomProgram& recipe) {
    const auto p = random_platform(recipe.ranks, recipe.seed);
    const auto program = random_program(recipe);
    const auto r = complete_run(program, p);
    bool good = true;
    for (const auto& rank : r.ranks) good = good && rank.end.since_start() >= rank.times.compute;
    if (p.machines.size() == 1)
      for (const auto& s : program.strands())
        for (const auto& op : program.operations(s)) {
          if (op.kind != OpKind::recv) continue;
          const bool inside = r.ranks[s.rank].node == r.ranks[op.peer].node;
          const auto size = static_cast<std::uint64_t>(op.amount);
          const auto alone = (inside ? memory(size) : network(size));
          good = good && r.ranks[s.rank].end.since_start() >= alone;
        }
    CHECK_MESSAGE(good, all_of(r));
    return good;
  });
}

TEST_CASE("a single message takes as long as the formula says, to the picosecond") {
  // docs/model.md, section 3.1: T = L + S / BW, with an early receiver; L is paid on the CPU or in flight.
  const auto cases = wanted_cases(300);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    INFO("seed ", seed);
    Random random(seed);
    auto p = machine(2, 2);
    auto& n = network_of(p);
    n.latency = Duration::picoseconds(std::int64_t{random.below(1'000'000'000)});
    n.bandwidth = Bandwidth::bytes_per_second(1e5 + random.below(1'000'000'000));
    if (random.one_in(2)) n.latency_at = Network::LatencyAt::flight;
    nodes_of(p).links = full_duplex(1 + random.below(3));
    n.buses = random.below(3);
    p.mapping.kind = Mapping::Kind::nodes;
    const bool inside = random.one_in(2);
    p.mapping.nodes = {0, inside ? 0U : 1U};
    const auto size = Bytes{random.below(10'000'000)};
    const auto burst = us(random.below(1000));
    if (random.one_in(2)) p.mpi.rendezvous_from = Bytes{1};
    ProgramBuilder b(2);
    b.begin_strand(0);
    b.compute(burst);
    b.send({.peer = 1}, size);
    b.begin_strand(1);
    b.recv({.peer = 0}, size);
    const auto program = b.build();
    const auto latency = inside ? kMemoryLatency : n.latency;
    const auto length = size / (inside ? nodes_of(p).intra_node.bandwidth : n.bandwidth);
    // A receiver that pays a latency is ready for a message when it has paid: the rest is as early as can be.
    const bool on_cpu = n.latency_at == Network::LatencyAt::cpu;
    const auto begins = on_cpu ? burst + latency : burst;
    const auto ready = on_cpu ? latency : Duration{};
    const auto expected = std::max(begins, ready) + length + (on_cpu ? Duration{} : latency);
    for (const std::string model : {"dimemas", "ideal"})
      CHECK(ends_of(complete_run(program, p, model))[1] == expected);
  }
}

TEST_CASE("on a flat network it does not matter which of the equal nodes is which") {
  // Ready nodes start in their order, so that ties are another matter; and in Dimemas 5.5 the last to arrive
  // decides on a collective's size, which ranks that share a CPU can be at the same time.
  RandomProgram kind;
  kind.distinct_times = true;
  for_random_programs(kind, 15, [](const RandomProgram& recipe) {
    auto p = random_platform(recipe.ranks, recipe.seed);
    p.machines.resize(1);
    p.preset = Preset::published;
    nodes_of(p).count = recipe.ranks;
    Random random(recipe.seed);
    p.mapping.kind = Mapping::Kind::nodes;
    p.mapping.nodes.clear();
    for (std::uint32_t r = 0; r < recipe.ranks; ++r) p.mapping.nodes.push_back(random.below(recipe.ranks));
    auto other = p;
    for (auto& node : other.mapping.nodes) node = recipe.ranks - 1 - node;
    const auto program = random_program(recipe);
    const auto a = complete_run(program, p), b = complete_run(program, other);
    const bool good = ends_of(a) == ends_of(b);
    CHECK_MESSAGE(good, all_of(a) << "\n" << all_of(b));
    return good;
  });
}

TEST_CASE("the same program on the same machine gives the same Result") {
  RandomProgram kind;
  kind.to_oneself = true;
  kind.one_sided = true;
  for_random_programs(kind, 10, [](const RandomProgram& recipe) {
    const auto p = random_platform(recipe.ranks, recipe.seed);
    bool good = true;
    for (const std::string model : {"dimemas", "ideal"}) {
      const auto first = all_of(complete_run(random_program(recipe), p, model));
      const auto second = all_of(complete_run(random_program(recipe), p, model));
      good = good && first == second;
    }
    CHECK(good);
    return good;
  });
}

TEST_CASE("a recipe gives the same program every time") {
  RandomProgram recipe;
  recipe.ranks = 5;
  const auto a = random_program(recipe), b = random_program(recipe);
  REQUIRE(a.operations().size() == b.operations().size());
  for (std::size_t i = 0; i < a.operations().size(); ++i) {
    const auto &x = a.operations()[i], &y = b.operations()[i];
    CHECK(std::tie(x.kind, x.peer, x.amount, x.detail, x.request) ==
          std::tie(y.kind, y.peer, y.amount, y.detail, y.request));
  }
  recipe.seed = 2;
  CHECK(random_program(recipe).operations().size() != a.operations().size());
}
