// What is said of why a run takes as long as it does, on random programs and machines: paths that add up, and
// slopes that are derivatives.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/ideal/order_free.hpp"
#include "models/slopes/slope_observer.hpp"
#include "models/why/explain_run.hpp"
#include "models/why/path_observer.hpp"
#include "tests/for_random_programs.hpp"
#include "tests/random_platform.hpp"
#include "tests/result_text.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

struct Watched {
  Result result;
  CriticalPath path;
  Slope slope;
};

Watched watched(const Program& program, const Platform& platform, const std::string& model = "dimemas") {
  const auto placed = place_ranks(platform, program.ranks());
  REQUIRE(placed.has_value());
  const DimemasCosts costs(platform, *placed, model == "ideal" ? Contention::ignored : Contention::counted);
  const CostSlopes slopes(costs, program);
  SlopeObserver slope(slopes, program);
  PathObserver path(program);
  SimulateOptions options;
  options.model = model;
  options.observers = {&slope, &path};
  auto result = simulate(program, platform, *placed, options);
  REQUIRE(result.has_value());
  return {std::move(*result), path.path(5), slope.slope()};
}

Duration sum_of(const PathParts& parts) {
  Duration sum;
  for (const auto d : parts) sum += d;
  return sum;
}

Duration part(const CriticalPath& path, PathCause cause) {
  return path.parts[static_cast<std::size_t>(cause)];
}

bool adds_up(const Program& program, const Platform& platform, const std::string& model) {
  const auto w = watched(program, platform, model);
  const auto run_time = w.result.run_time.since_start();
  Duration ranks, calls;
  for (const auto& r : w.path.by_rank) ranks += sum_of(r);
  for (const auto& c : w.path.calls) calls += c.total;
  const bool negative =
      std::any_of(w.path.parts.begin(), w.path.parts.end(), [](Duration d) { return d < Duration(); });
  const bool holds = w.path.total == run_time && sum_of(w.path.parts) == run_time && ranks == run_time &&
                     calls == run_time && !negative;
  CHECK_MESSAGE(holds, model << ": " << sum_of(w.path.parts) << " of " << run_time);
  return holds;
}

void name_algorithm(Platform& p, Algorithm algorithm) {
  CollectiveCost cost;
  cost.algorithm = algorithm;
  p.mpi.collectives.fallback = {cost};
}

}  // namespace

TEST_CASE("the parts of the critical path add up to the run time, in every model and with every algorithm") {
  RandomProgram kind;
  kind.one_sided = true;
  kind.to_oneself = true;
  for_random_programs(kind, 10, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    auto p = random_platform(recipe.ranks, recipe.seed);
    bool good = true;
    for (const std::string model : {"dimemas", "ideal", "flow"}) good = good && adds_up(program, p, model);
    name_algorithm(p, kAlgorithmNames[recipe.seed % kAlgorithmNames.size()].second);
    return good && adds_up(program, p, "dimemas");
  });
}

TEST_CASE("the path of a message follows its sender, its transfer, and what it queued for") {
  ProgramBuilder b(3);
  b.begin_strand(0);
  b.compute(ms(5));
  b.begin_call(b.call_name("MPI_Isend"));
  b.isend_and_forget({.peer = 1}, Bytes{kMegabyte});
  b.begin_call(b.call_name("MPI_Isend"));
  b.isend_and_forget({.peer = 2}, Bytes{kMegabyte});
  for (std::uint32_t r = 1; r < 3; ++r) {
    b.begin_strand(r);
    b.begin_call(b.call_name("MPI_Recv"));
    b.recv({.peer = 0}, Bytes{kMegabyte});
  }
  const auto program = b.build();
  auto p = machine(3);
  nodes_of(p).links = full_duplex(1);
  const auto w = watched(program, p);
  // 5 ms of computing, two latencies on the sender's CPU, then the second message waits for the first one's
  // transfer, less the latency that its own call took, and is moved itself.
  CHECK(part(w.path, PathCause::compute) == ms(5));
  CHECK(part(w.path, PathCause::overhead) == kLatency * 2);
  CHECK(part(w.path, queue_cause(ResourceKind::link_out)) == network(kMegabyte) - kLatency);
  CHECK(part(w.path, PathCause::transfer) == network(kMegabyte));
  CHECK(w.path.segments == 5);
  CHECK(sum_of(w.path.by_rank[RankId{0}]) == w.path.total);
  REQUIRE(w.path.calls.size() == 3);
  CHECK(w.path.calls[0].name == "MPI_Isend");
  CHECK(w.path.calls[1].name.empty());
  CHECK(w.path.calls[1].total == ms(5));
  // The receiver had paid its latency and then waited until both sends were called.
  CHECK(w.path.late_partners == 1);
  CHECK(w.path.partners_late == ms(5) + kLatency * 2 - kLatency);
  REQUIRE(w.path.latest.size() == 1);
  CHECK(w.path.latest[0].waiting == RankId{2});
  CHECK(w.path.latest[0].partner == RankId{0});
  CHECK(w.path.calls[w.path.latest[0].call].name == "MPI_Recv");
  // At frozen order: the first send's latency, and two transfers over one link.
  CHECK(w.slope.latency == 1);
  CHECK(w.slope.transfer == static_cast<double>((network(kMegabyte) * 2).count()));
  CHECK(w.slope.compute == static_cast<double>(ms(5).count()));
}

TEST_CASE("the path of a collective continues with the last rank to arrive") {
  ProgramBuilder b(2);
  CollectiveArgs args;
  args.kind = CollectiveKind::allreduce;
  args.send_bytes = args.recv_bytes = 1000;
  for (std::uint32_t r = 0; r < 2; ++r) {
    b.begin_strand(r);
    b.compute(ms(1 + 2 * r));
    b.begin_call(b.call_name("MPI_Allreduce"));
    b.collective(args);
  }
  const auto w = watched(b.build(), machine(2));
  CHECK(part(w.path, PathCause::compute) == ms(3));
  // Fan-in with twice the size, fan-out with it, one step each.
  CHECK(part(w.path, PathCause::collective) == kLatency * 2 + network(3000));
  CHECK(sum_of(w.path.by_rank[RankId{1}]) == w.path.total);
  CHECK(w.slope.latency == 2);
  CHECK(w.slope.transfer == doctest::Approx(static_cast<double>(network(3000).count())));
}

TEST_CASE("without contention slopes are derivatives: of the latency to the picosecond") {
  // T is the maximum of lines. Where the slopes at both ends of an interval are the same, T is a line there.
  std::uint32_t compared = 0;
  RandomProgram kind;
  kind.one_sided = true;
  for_random_programs(kind, 12, [&](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    auto p = random_platform(recipe.ranks, recipe.seed);
    nodes_of(p).cpus = recipe.ranks;
    network_of(p).latency = us(1 + static_cast<std::int64_t>(recipe.seed));
    p.preset = Preset::published;
    const auto here = watched(program, p, "ideal");
    bool holds = true;
    for (const auto step : {Duration::picoseconds(1), Duration::picoseconds(777), us(1)}) {
      auto q = p;
      for (auto& m : q.machines) m.network.latency += step;
      const auto there = watched(program, q, "ideal");
      if (there.slope.latency != here.slope.latency) continue;
      ++compared;
      const auto grown = there.result.run_time - here.result.run_time;
      const bool same =
          static_cast<double>(grown.count()) == here.slope.latency * static_cast<double>(step.count());
      CHECK_MESSAGE(same, "slope " << here.slope.latency << ", step " << step << ", grown by " << grown);
      holds = holds && same;
    }
    return holds;
  });
  CHECK(compared > 300);
}

TEST_CASE("without contention slopes are derivatives: of 1 / bandwidth and 1 / speed except for rounding") {
  std::uint32_t compared = 0;
  for_random_programs({}, 8, [&](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    auto p = random_platform(recipe.ranks, recipe.seed);
    nodes_of(p).cpus = recipe.ranks;
    p.preset = Preset::published;
    const auto here = watched(program, p, "ideal");
    // Each operation's time may be rounded by half a picosecond, here and there.
    const auto most = static_cast<double>(program.operations().size() * recipe.ranks);
    auto narrower = p, slower = p;
    constexpr double kStep = 1. / 64;
    for (auto& m : narrower.machines)
      m.network.bandwidth =
          Bandwidth::bytes_per_second(m.network.bandwidth.in_bytes_per_second() / (1 + kStep));
    for (auto& m : slower.machines) m.nodes.front().relative_speed /= 1 + kStep;
    bool holds = true;
    const auto compare = [&](const Platform& q, double slope, double Slope::*of) {
      const auto there = watched(program, q, "ideal");
      if (std::abs(there.slope.*of - slope * (1 + kStep)) > most) return;
      ++compared;
      const auto grown = static_cast<double>((there.result.run_time - here.result.run_time).count());
      const bool same = std::abs(grown - slope * kStep) <= most;
      CHECK_MESSAGE(same, "slope " << slope << ", grown by " << grown);
      holds = holds && same;
    };
    compare(narrower, here.slope.transfer, &Slope::transfer);
    compare(slower, here.slope.compute, &Slope::compute);
    return holds;
  });
  CHECK(compared > 100);
}

TEST_CASE("slopes are the same whether or not somebody else watches") {
  for_random_programs({}, 4, [](const RandomProgram& recipe) {
    const auto program = random_program(recipe);
    const auto p = random_platform(recipe.ranks, recipe.seed);
    const auto both = watched(program, p);
    const auto placed = place_ranks(p, program.ranks());
    const DimemasCosts costs(p, *placed, Contention::counted);
    const CostSlopes slopes(costs, program);
    SlopeObserver alone(slopes, program);
    SimulateOptions options;
    options.observers = {&alone};
    const auto result = simulate(program, p, *placed, options);
    const bool same =
        result && all_of(*result) == all_of(both.result) && alone.slope().latency == both.slope.latency &&
        alone.slope().transfer == both.slope.transfer && alone.slope().compute == both.slope.compute;
    CHECK(same);
    return same;
  });
}

TEST_CASE(
    "a complete explanation: efficiencies are factors of each other, and a contended run has a spread") {
  const auto program = random_program({.seed = 5, .ranks = 8, .steps = 200});
  const auto p = random_platform(8, 5);
  const auto placed = place_ranks(p, 8);
  const auto run = explain_run(program, p, *placed, {}, {.most = 3, .resolution = 4});
  REQUIRE(run.has_value());
  REQUIRE(run->why.has_value());
  const auto& why = *run->why;
  CHECK(all_of(run->result) == all_of(*simulated(program, p)));
  CHECK(why.path.longest.size() == 3);
  REQUIRE(why.efficiency.has_value());
  double computing = 0;
  for (const auto& r : run->result.ranks) computing += static_cast<double>(r.times.compute.count());
  CHECK(why.efficiency->parallel() ==
        doctest::Approx(computing / 8 / static_cast<double>(run->result.run_time.count())));
  CHECK(why.efficiency->instant_network <= run->result.run_time);
  CHECK(why.steps.size() == 3);
  REQUIRE(why.resolution.has_value());
  CHECK(why.resolution->shortest <= run->result.run_time);
  CHECK(why.resolution->longest >= run->result.run_time);
}

TEST_CASE("a run that cannot complete is not explained") {
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.recv({.peer = 1}, Bytes{1});
  b.begin_strand(1);
  const auto p = machine(2);
  const auto run = explain_run(b.build(), p, *place_ranks(p, 2), {}, {});
  REQUIRE(run.has_value());
  CHECK(run->result.status == Result::Status::deadlock);
  CHECK(!run->why.has_value());
}

TEST_CASE("a flow model whose solver runs in a process of its own cannot be watched") {
  auto p = machine(2);
  network_of(p).flow.solver = FlowOptions::Solver::simgrid;
  ProgramBuilder b(2);
  b.begin_strand(0);
  b.begin_strand(1);
  SimulateOptions options;
  options.model = "flow";
  const auto run = explain_run(b.build(), p, *place_ranks(p, 2), options, {});
  REQUIRE(!run.has_value());
  CHECK(run.error().kind == Error::Kind::unsupported);
}
