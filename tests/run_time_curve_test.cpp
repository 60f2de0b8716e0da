// The run time as a function of a figure of the machine, against runs of the model `ideal` there.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "models/curve/curve_along.hpp"
#include "sim/base/random.hpp"
#include "sim/program/program_builder.hpp"
#include "tests/random_program.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;

namespace {

std::int64_t ideal_run_time(const Program& program, const Platform& platform) {
  auto result = simulated(program, platform, "ideal");
  if (!result) FAIL(to_string(result.error()));
  return result->run_time.count();
}

RunTimeCurve curve_of(const Program& program, const Platform& platform, const CurveRange& range) {
  auto curve = curve_along(program, platform, range);
  if (!curve) FAIL(to_string(curve.error()));
  return *std::move(curve);
}

/// A curve from 0 to 1 ms, at so many latencies drawn from there.
void check_at_latencies(const RunTimeCurve& curve, const Program& program, Platform platform,
                        std::uint64_t seed, int count) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const auto latency = static_cast<std::int64_t>(random.below(1'000'000'001));
    network_of(platform).latency = Duration::picoseconds(latency);
    INFO("latency ", latency, " ps");
    REQUIRE(curve.at(latency, 1'000'000'000) == ideal_run_time(program, platform));
  }
}

Platform cluster(std::uint32_t ranks, std::uint64_t seed) {
  Random random(seed);
  auto p = machine(1 + static_cast<std::uint32_t>(random.below(ranks)), ranks);
  p.mapping.kind = Mapping::Kind::round_robin;
  if (random.one_in(2)) p.mpi.rendezvous_from = Bytes{random.below(200'000)};
  if (random.one_in(2)) p.mpi.handshake = us(random.below(20));
  if (random.one_in(4)) p.mpi.ssend_handshake = us(random.below(20));
  if (random.one_in(2)) p.mpi.send_completes = Mpi::SendCompletes::transfer;
  if (random.one_in(2)) network_of(p).latency_at = Network::LatencyAt::flight;
  return p;
}

}  // namespace

TEST_CASE("the curve over latencies is the run time at every latency, to the picosecond") {
  RandomProgram recipe;
  recipe.one_sided = true;
  for (const std::uint32_t ranks : {2U, 5U, 16U})
    for (recipe.seed = 1; recipe.seed <= 12; ++recipe.seed) {
      recipe.ranks = ranks;
      recipe.steps = 300;
      INFO("seed ", recipe.seed, ", ranks ", ranks);
      const auto program = random_program(recipe);
      auto platform = cluster(ranks, recipe.seed);
      const CurveRange range{CurveAxis::latency, 0, 1e-3};
      const auto curve = curve_of(program, platform, range);
      CHECK(curve.passes <= 2 * curve.breakpoints() + 3);
      check_at_latencies(curve, program, platform, recipe.seed, 20);
    }
}

TEST_CASE(
    "with the algorithms of a library, too, the curve is the run time at every latency, to the picosecond") {
  RandomProgram recipe;
  recipe.nonblocking = false;
  for (const auto preset : {CollectivePreset::open_mpi, CollectivePreset::mpich})
    for (const std::uint32_t ranks : {2U, 5U, 16U})
      for (recipe.seed = 1; recipe.seed <= 6; ++recipe.seed) {
        recipe.ranks = ranks;
        recipe.steps = 200;
        INFO("seed ", recipe.seed, ", ranks ", ranks, ", ", std::string(name_of(preset)));
        const auto program = random_program(recipe);
        auto platform = cluster(ranks, recipe.seed);
        platform.mpi.collectives.preset = preset;
        const auto curve = curve_of(program, platform, {CurveAxis::latency, 0, 1e-3});
        check_at_latencies(curve, program, platform, recipe.seed, 10);
      }
}

TEST_CASE(
    "a curve is refused where a non-blocking collective is an algorithm, and where the ends choose others") {
  ProgramBuilder builder(4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    builder.begin_strand(rank);
    CollectiveArgs args;
    args.kind = CollectiveKind::allreduce;
    args.sync = CollectiveArgs::Sync::nonblocking;
    args.send_bytes = args.recv_bytes = 8;
    builder.wait(builder.collective_start(args));
  }
  const auto program = builder.build();
  auto platform = machine(4);
  const CurveRange range{CurveAxis::latency, 0, 1e-3};
  CHECK(curve_along(program, platform, range));
  platform.mpi.collectives.preset = CollectivePreset::open_mpi;
  const auto curve = curve_along(program, platform, range);
  REQUIRE(!curve);
  CHECK(curve.error().message.find("non-blocking collectives") == 0);
  CHECK(curve.error().hint.find("preset=dimemas") != std::string::npos);

  const auto placed = *place_ranks(platform, 4);
  const auto closed = machine(4);
  CHECK(to_string(run_time_curve(program, {platform, placed}, {closed, placed}, {}).error()) ==
        "the two ends do not agree on the algorithms of collectives");
}

TEST_CASE(
    "the curve over bandwidths is the run time at every bandwidth, up to the rounding of its transfers") {
  RandomProgram recipe;
  for (recipe.seed = 1; recipe.seed <= 12; ++recipe.seed) {
    recipe.ranks = 6;
    recipe.steps = 300;
    INFO("seed ", recipe.seed);
    const auto program = random_program(recipe);
    auto platform = cluster(6, recipe.seed);
    const CurveRange range{CurveAxis::bandwidth, 1e7, 1e11};
    const auto curve = curve_of(program, platform, range);
    for (const double bandwidth : {1e7, 3.3e7, 1e8, 2.5e9, 1e11}) {
      network_of(platform).bandwidth = Bandwidth::bytes_per_second(bandwidth);
      const auto place = static_cast<std::int64_t>(std::llround(range.place_of(bandwidth) * 1e15));
      // Half a picosecond for each of at most 300 transfers and 300 fans of collectives.
      CHECK(std::abs(curve.at(place, 1'000'000'000'000'000) - ideal_run_time(program, platform)) <= 300);
    }
  }
}

TEST_CASE("a run that only computes takes its time divided by the CPUs' speed") {
  ProgramBuilder builder(1);
  builder.begin_strand(0);
  builder.compute(us(100));
  const auto program = builder.build();
  const auto platform = machine(1);
  const CurveRange range{CurveAxis::speed, 0.5, 4};
  const auto curve = curve_of(program, platform, range);
  CHECK(curve.breakpoints() == 0);
  CHECK(curve.at(0, 1) == us(200).count());
  CHECK(curve.at(1, 1) == us(25).count());
  CHECK(range.value_at(range.place_of(2)) == doctest::Approx(2));
}

TEST_CASE("latency is hidden behind work until it is longer: the tolerance of a run is where that ends") {
  // Rank 0 sends at once; rank 1 works 100 us before it receives. One message, of no bytes, that flies.
  ProgramBuilder builder(2);
  builder.begin_strand(0);
  builder.send({1}, Bytes{0});
  builder.begin_strand(1);
  builder.compute(us(100));
  builder.recv({0}, Bytes{0});
  const auto program = builder.build();
  auto platform = machine(2);
  network_of(platform).latency_at = Network::LatencyAt::flight;
  const auto curve = curve_of(program, platform, {CurveAxis::latency, 0, 1e-3});
  REQUIRE(curve.breakpoints() == 1);
  CHECK(curve.pieces[0].line == busline::Line{us(100).count(), 0});
  CHECK(curve.pieces[1].line == busline::Line{0, us(1000).count()});
  CHECK(curve.pieces[1].from == doctest::Approx(0.1));
  CHECK(curve.within(1.05 * 100e6) == doctest::Approx(0.105));
  CHECK(curve.within(99e6) < 0);
  CHECK(curve.within(1e12) == 1);
}

TEST_CASE("a curve is refused where the order of events depends on time") {
  ProgramBuilder builder(3);
  for (const std::uint32_t rank : {0U, 1U}) {
    builder.begin_strand(rank);
    builder.send({2}, Bytes{8});
  }
  builder.begin_strand(2);
  for (int i = 0; i < 2; ++i) builder.recv({kAnySource}, Bytes{8});
  const auto curve = curve_along(builder.build(), machine(3), {CurveAxis::latency, 0, 1e-3});
  REQUIRE(!curve);
  CHECK(curve.error().message.find("depends on time") != std::string::npos);
  CHECK(curve.error().hint.find("study run") != std::string::npos);
}

TEST_CASE("a curve is refused if its ends are not of the same kind") {
  ProgramBuilder builder(2);
  builder.begin_strand(0);
  builder.send({1}, Bytes{1000});
  builder.begin_strand(1);
  builder.recv({0}, Bytes{1000});
  const auto program = builder.build();
  const auto platform = machine(2);
  CHECK(to_string(curve_along(program, platform, {CurveAxis::latency, -1, 1}).error()) ==
        "a curve over latencies needs two values of 0s or more");
  CHECK(to_string(curve_along(program, platform, {CurveAxis::speed, 0, 1}).error()) ==
        "a curve needs two values above zero");
  const auto refused = [&](const Platform& from, const Platform& to, std::uint32_t ranks = 2) {
    return to_string(
        run_time_curve(program, {from, *place_ranks(from, ranks)}, {to, *place_ranks(to, ranks)}, {})
            .error());
  };
  CHECK(refused(platform, platform, 3) == "the mapping does not place all ranks of the workload");
  auto other = platform;
  other.mapping.kind = Mapping::Kind::nodes;
  other.mapping.nodes = {1, 0};
  CHECK(refused(platform, other) == "the two ends place ranks on different nodes");
  other = platform;
  other.mpi.rendezvous_from = Bytes{1};
  CHECK(refused(platform, other) == "the two ends do not agree which messages wait for their receive");
}

TEST_CASE("a model rejects a workload that does not fit the machine") {
  ProgramBuilder builder(2);
  const auto program = builder.build();
  auto platform = machine(2);
  const auto placed = *place_ranks(platform, 1);
  CHECK(to_string(simulate(program, platform, placed, {}).error()) ==
        "the mapping places 1 ranks, the workload has 2");
  platform.dedicated_connections.resize(257);
  CHECK(to_string(simulate(program, platform, *place_ranks(platform, 2), {}).error()) ==
        "more than 256 dedicated connections");
}
