// Kernels measured on simulated machines: the times that come out are those of the model, to the picosecond.
#include "validation/simulated/simulated_testbed.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "measuring/testbed/measure_suite.hpp"
#include "measuring/testbed/noisy_testbed.hpp"
#include "validation/simulated/test_testbed.hpp"
#include "validation/simulated/textbook.hpp"
#include "workloads/kernels/rank_calls.hpp"

namespace {

using namespace busline;
using namespace busline::measure;
using textbook::kLatency;
using textbook::network;

SuitePlan kernel_curve(const char* operation, std::vector<std::uint32_t> ranks) {
  SuitePlan plan;
  plan.name = operation;
  plan.kernel = {.operation = operation, .ranks = std::move(ranks)};
  plan.range = {.scale = Scale::fixed_log, .start = 0, .end = 1U << 22U, .step = 2};
  plan.limits.max_steps = 100;
  return plan;
}

Suite measured_suite(Testbed& testbed, const SuitePlan& plan) {
  auto result = measure_suite(testbed, plan);
  REQUIRE(result);
  return std::move(result->suite);
}

Duration time_of(Testbed& testbed, const Kernel& kernel, TimeOf time) {
  const auto samples = testbed.run(kernel, {});
  REQUIRE(samples);
  const auto times = sample_times(*samples, kernel, time);
  REQUIRE(times.size() == 1);
  return times.front();
}

}  // namespace

TEST_CASE("the ping-pong curve of a machine with L and BW is 2 (L + S/BW) exactly") {
  const auto testbed = textbook_testbed(2);
  const auto suite = measured_suite(*testbed, kernel_curve("MPI_Send-MPI_Recv", {0, 1}));
  CHECK(suite.points.size() == 24);
  CHECK(suite.overhead_ps == Estimate{0, 0});
  CHECK(suite.route_class == RouteClass::inter_node);
  for (const auto& point : suite.points) {
    const auto expected = (kLatency + network(point.argument)) * 2;
    CHECK(point.result_ps.value == static_cast<double>(expected.count()));
    CHECK(point.result_ps.standard_error == 0);
    CHECK(point.settled);
  }
}

TEST_CASE("equal samples are repeated as often as the minimum says, and no more") {
  const auto testbed = textbook_testbed(2);
  auto plan = kernel_curve("MPI_Send-MPI_Recv", {0, 1});
  plan.repetition.min_repetitions = 6;
  plan.range.end = 16;
  for (const auto& point : measured_suite(*testbed, plan).points) {
    CHECK(point.samples.size() == 6);
    CHECK(point.stop == Stop::precision);
  }
}

TEST_CASE("every standard way to send and receive takes the same on a machine without overheads") {
  const auto testbed = textbook_testbed(2);
  for (const char* operation : {"MPI_Send-MPI_Recv_with_Any_Tag", "MPI_Send-MPI_Irecv", "MPI_Isend-MPI_Recv",
                                "MPI_Bsend-MPI_Recv", "MPI_Ssend-MPI_Recv"}) {
    CAPTURE(operation);
    const Kernel kernel{.operation = operation, .ranks = {0, 1}, .bytes = 100'000};
    CHECK(time_of(*testbed, kernel, TimeOf::half_round_trip) == kLatency + network(100'000));
  }
  // After MPI_Iprobe the receive is not posted early: its latency comes on top.
  const Kernel kernel{.operation = "MPI_Send-MPI_Iprobe_Recv", .ranks = {0, 1}, .bytes = 100'000};
  CHECK(time_of(*testbed, kernel, TimeOf::half_round_trip) == kLatency * 2 + network(100'000));
}

TEST_CASE("the manual's one-way MPI_Send takes the sender its latency, whatever the size") {
  const auto testbed = textbook_testbed(2);
  const Kernel kernel{.operation = "MPI_Send", .ranks = {0, 1}, .bytes = 100'000};
  CHECK(time_of(*testbed, kernel, TimeOf::call) == kLatency);
  // To the end of the receive it is the whole message.
  CHECK(time_of(*testbed, kernel, TimeOf::max_over_ranks) == kLatency + network(100'000));
}

TEST_CASE("with a handshake at the eager limit the refinement puts its points around the jump") {
  auto platform = textbook::machine(2);
  platform.mpi.rendezvous_from = Bytes{10'000};
  platform.mpi.handshake = us(200);
  const auto testbed = simulated_testbed(platform, 2);
  auto plan = kernel_curve("MPI_Send-MPI_Recv", {0, 1});
  plan.range = {.scale = Scale::dynamic_log, .start = 64, .end = 1U << 17U, .step = 2};
  plan.limits = {.max_steps = 24, .min_distance = 2, .precision = 0.01};
  const auto result = measure_suite(*testbed, plan);
  REQUIRE(result);
  std::uint64_t last_eager = 0, first_rendezvous = ~std::uint64_t{0};
  std::size_t refined = 0;
  for (const auto& point : result->suite.points) {
    if (point.argument < 10'000)
      last_eager = std::max(last_eager, point.argument);
    else
      first_rendezvous = std::min(first_rendezvous, point.argument);
    if (!point.refined) continue;
    ++refined;
    CHECK(point.argument > 8192);
    CHECK(point.argument < 16384);
  }
  // The grid has 8192 and 16384; each refinement halves what is between the last point below the limit and
  // the first one at it, until they are within 1 % (the precision) of one another.
  CHECK(result->end == Refinement::End::precision);
  CHECK(refined == 7);
  CHECK(last_eager == 9'955);
  CHECK(first_rendezvous == 10'009);
}

TEST_CASE("two workers take a master's pieces in about half the time that one needs") {
  const auto testbed = textbook_testbed(3);
  Kernel kernel{.operation = "MW_Recv_with_Any_Source", .ranks = {0, 1}, .bytes = 100'000, .chunks = 100};
  const auto one = time_of(*testbed, kernel, TimeOf::root);
  kernel.ranks = {0, 1, 2};
  const auto two = time_of(*testbed, kernel, TimeOf::root);
  CHECK(two.in_seconds() / one.in_seconds() == doctest::Approx(0.5).epsilon(0.02));
}

TEST_CASE("a collective's time is the model's closed form, the same on each rank") {
  const auto testbed = textbook_testbed(8);
  auto plan = kernel_curve("MPI_Barrier", all_ranks(*testbed));
  plan.pattern = Pattern::collective;
  plan.time = TimeOf::root;
  plan.varies = Varies::ranks;
  plan.range = {.scale = Scale::fixed_linear, .start = 2, .end = 8, .step = 1};
  plan.node_times = true;
  const auto suite = measured_suite(*testbed, plan);
  REQUIRE(suite.points.size() == 7);
  for (const auto& point : suite.points) {
    CHECK(point.node_results_ps.size() == point.argument);
    for (const auto x : point.node_results_ps) CHECK(x == point.result_ps.value);
  }
  // Barrier: fan-in and fan-out of ceil(log2 P) steps of L each.
  CHECK(suite.points.front().result_ps.value == static_cast<double>((kLatency * 2).count()));
  CHECK(suite.points.back().result_ps.value == static_cast<double>((kLatency * 6).count()));
}

TEST_CASE("a local call takes as long as the platform says") {
  auto platform = textbook::machine(1);
  platform.mpi.local_call = us(1);
  const auto testbed = simulated_testbed(platform, 1);
  CHECK(time_of(*testbed, {.operation = "MPI_Wtime", .ranks = {0}}, TimeOf::call) == us(1));
  CHECK(time_of(*testbed, {.operation = "work", .ranks = {0}, .chunks = 3}, TimeOf::call) ==
        kPieceOfWork * 3);
}

TEST_CASE("noise leaves the median, and is the same for the same seed") {
  const auto noisy = [](std::uint64_t seed) {
    NoisyTestbed testbed(textbook_testbed(2), {.spread = 0.05, .seed = seed});
    auto plan = kernel_curve("MPI_Send-MPI_Recv", {0, 1});
    plan.varies = Varies::nothing;
    plan.repetition.min_repetitions = plan.repetition.max_repetitions = 2000;
    return measured_suite(testbed, plan).points.front();
  };
  const auto point = noisy(1);
  CHECK(point == noisy(1));
  CHECK(point.samples != noisy(2).samples);
  const auto quiet = static_cast<double>((kLatency * 2).count());
  CHECK(point.time_ps->median == doctest::Approx(quiet).epsilon(0.005));
  CHECK(point.time_ps->standard_deviation == doctest::Approx(0.05 * quiet).epsilon(0.1));
}

TEST_CASE("elapsed time is simulated time") {
  const auto testbed = textbook_testbed(2);
  CHECK(testbed->elapsed() == Duration());
  REQUIRE(testbed->run({.operation = "MPI_Send-MPI_Recv", .ranks = {0, 1}}, {}));
  // The barrier before the sample (2 L), there and back.
  CHECK(testbed->elapsed() == kLatency * 4);
}

TEST_CASE("collectives start on all ranks at the same time, others when a Barrier releases the ranks") {
  auto platform = textbook::machine(4);
  platform.machines.front().network.latency_at = Network::LatencyAt::flight;
  auto& barrier = platform.mpi.collectives.by_kind[static_cast<std::size_t>(CollectiveKind::barrier)];
  barrier = {{.from = {}, .cost = {}, .algorithm = Algorithm::ring}};
  const auto testbed = simulated_testbed(platform, 4);
  const auto begins = [&](const char* operation) {
    const RunPlan plan{.samples = 2, .suite = {}};
    const auto samples = testbed->run({.operation = operation, .ranks = {0, 1, 2, 3}}, plan);
    REQUIRE(samples);
    std::vector<Duration> all;
    for (const auto& of_rank : *samples) all.push_back(of_rank.back().begin);
    return all;
  };
  const auto together = begins("MPI_Bcast");
  CHECK(std::count(together.begin(), together.end(), together.front()) == 4);
  const auto apart = begins("MPI_Send-MPI_Recv");
  CHECK(std::count(apart.begin(), apart.end(), apart.front()) == 1);
}

TEST_CASE("an interrupted suite keeps the points that it has") {
  const auto testbed = textbook_testbed(2);
  std::size_t asked = 0;
  const auto result = measure_suite(*testbed, kernel_curve("MPI_Send-MPI_Recv", {0, 1}),
                                    [&](const SuiteProgress& p) { return ++asked, p.points < 3; });
  REQUIRE(result);
  CHECK(result->interrupted);
  CHECK(result->suite.points.size() == 3);
  CHECK_FALSE(result->end);
}

TEST_CASE("an operation that a testbed cannot run is an error that names the kernel") {
  const auto testbed = textbook_testbed(2);
  const auto unknown = testbed->run({.operation = "MPI_Sned", .ranks = {0, 1}}, {});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().where == "kernel MPI_Sned");
  CHECK_FALSE(SimulatedTestbed::create(textbook::machine(1), 2, "nonsense"));
}
