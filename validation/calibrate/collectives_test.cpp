#include "validation/calibrate/collectives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measuring/import/network_results.hpp"
#include "validation/calibrate/collective_candidates.hpp"
#include "validation/calibrate/collective_prediction.hpp"
#include "validation/calibrate/library_fit.hpp"

using namespace busline;
using namespace busline::calibrate;
using measure::Measurement;

namespace {

Platform cluster(std::uint32_t nodes, std::uint32_t cpus, double latency_us, double megabytes_per_s,
                 Count buses = kUnlimited) {
  Platform p;
  p.name = "cluster";
  NodeGroup group;
  group.count = nodes;
  group.cpus = cpus;
  group.intra_node.latency = Duration::seconds(40e-6);
  group.intra_node.bandwidth = Bandwidth::bytes_per_second(1e9);
  group.links = {Links::Kind::full_duplex, 1, 1};
  MachineGroup m;
  m.name = "machine";
  m.nodes.push_back(group);
  m.network.latency = Duration::seconds(latency_us * 1e-6);
  m.network.bandwidth = Bandwidth::bytes_per_second(megabytes_per_s * 1e6);
  m.network.latency_at = Network::LatencyAt::flight;
  m.network.sharing = Network::Sharing::fair;
  m.network.buses = buses;
  p.machines.push_back(m);
  return p;
}

// An operation over sizes on `ranks` ranks, one on each node, without times yet.
measure::Suite lengths(CollectiveKind kind, std::uint32_t ranks, const std::vector<std::uint64_t>& sizes) {
  measure::Suite s;
  s.operation = kCollectiveNames[static_cast<std::size_t>(kind)];
  s.name = s.operation + std::to_string(ranks);
  s.pattern = measure::Pattern::collective;
  s.time = measure::TimeOf::max_over_ranks;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    s.ranks.push_back(r);
    s.nodes.push_back(r);
  }
  for (const auto bytes : sizes) {
    measure::Point p;
    p.argument = bytes;
    p.result_ps.value = 1;
    s.points.push_back(p);
  }
  return s;
}

// What would be measured where the operation costs `cost`, 5 % to and fro.
void measure_with(measure::Suite& suite, const Platform& platform, const LeadInCosts& lead_in,
                  const CollectiveCost& cost, std::mt19937& random) {
  std::lognormal_distribution<double> noise(0, 0.05);
  for (const auto& p : collective_points(suite)) {
    const auto time = predicted_ps(p, platform, lead_in, cost);
    REQUIRE(time.has_value());
    auto& point = suite.points[static_cast<std::size_t>(p.point - suite.points.data())];
    point.result_ps = {*time * noise(random), *time * 0.05};
  }
}

const OperationFit* find(const CollectiveFit& fit, CollectiveKind kind) {
  const auto at = std::find_if(fit.operations.begin(), fit.operations.end(),
                               [=](const OperationFit& f) { return f.kind == kind; });
  return at == fit.operations.end() ? nullptr : &*at;
}

bool is_or_equals(const CollectiveRange& range, std::string_view name) {
  return range.name == name || std::find(range.same.begin(), range.same.end(), name) != range.same.end();
}

constexpr std::array kKinds{CollectiveKind::barrier,   CollectiveKind::bcast,   CollectiveKind::reduce,
                            CollectiveKind::allreduce, CollectiveKind::gather,  CollectiveKind::scatter,
                            CollectiveKind::allgather, CollectiveKind::alltoall};

}  // namespace

TEST_CASE("after a verdict and a Barrier a Bcast lasts twice its latencies, and a Reduce nothing") {
  // Node by node, in latencies L: rank r has the verdict after as many as it has bits, 7 after 3. Rank 0 is
  // in the Barrier at 0 and must hear of 7: 3, 4, 5, 6. Rank 7 heard of 0 long before: it is out at 3, and
  // waits from there to 6 + 3 for the Bcast's 8 bytes. The Reduce's messages come to each rank as it leaves
  // the Barrier.
  const auto platform = cluster(8, 1, 1000, 1e6);
  const LeadInCosts lead_in{{.from = {}, .cost = {}, .algorithm = Algorithm::recursive_doubling},
                            {.from = {}, .cost = {}, .algorithm = Algorithm::binomial}};
  const auto latencies = [&](CollectiveKind kind, LeadIn how) {
    auto suite = lengths(kind, 8, {8});
    suite.time = measure::TimeOf::longest_call;
    suite.lead_in = how;
    const auto time = predicted_ps(collective_points(suite).front(), platform, lead_in, lead_in.bcast);
    REQUIRE(time.has_value());
    return *time / 1e9;
  };
  CHECK(latencies(CollectiveKind::bcast, LeadIn::verdict_and_barrier) == doctest::Approx(6).epsilon(1e-3));
  CHECK(latencies(CollectiveKind::bcast, LeadIn::barrier) == doctest::Approx(3).epsilon(1e-3));
  CHECK(latencies(CollectiveKind::reduce, LeadIn::verdict_and_barrier) < 0.01);
  CHECK(latencies(CollectiveKind::reduce, LeadIn::barrier) == doctest::Approx(3).epsilon(1e-3));
}

TEST_CASE("the algorithms of a secret platform are recovered from times that are 5 % off") {
  std::mt19937 random(7);
#ifdef BUSLINE_SANITIZED  // half a minute each there
  constexpr int kSecrets = 1;
#else
  constexpr int kSecrets = 4;
#endif
  for (int secret = 0; secret < kSecrets; ++secret) {
    const auto platform = cluster(8, 1, std::pow(10.0, 1 + secret % 3), 100);
    const auto any = [&](CollectiveKind kind) {
      std::vector<CollectiveCost> algorithms;
      for (const auto& c : candidates_for(kind))
        if (c.algorithm) algorithms.push_back(c);
      return algorithms[random() % algorithms.size()];
    };
    const LeadInCosts lead_in{any(CollectiveKind::barrier), any(CollectiveKind::bcast)};
    Measurement m;
    std::map<CollectiveKind, CollectiveCost> truth;
    for (const auto kind : kKinds) {
      const auto cost = kind == CollectiveKind::barrier ? lead_in.barrier
                        : kind == CollectiveKind::bcast ? lead_in.bcast
                                                        : any(kind);
      truth[kind] = cost;
      for (const std::uint32_t ranks : {2U, 3U, 4U, 5U, 6U, 8U}) {
        auto suite = kind == CollectiveKind::barrier
                         ? lengths(kind, ranks, {0})
                         : lengths(kind, ranks, {8, 256, 1024, 8192, 65536, 1U << 20U});
        measure_with(suite, platform, lead_in, cost, random);
        m.suites.push_back(suite);
      }
    }
    const auto fit = fit_collectives(m.suites, platform);
    for (const auto& collective : truth) {
      const auto kind = collective.first;
      const auto cost = collective.second;
      const auto* found = find(fit, kind);
      REQUIRE(found != nullptr);
      CAPTURE(secret);
      CAPTURE(kCollectiveNames[static_cast<std::size_t>(kind)]);
      CAPTURE(name_of(cost));
      for (const auto& range : found->ranges) {
        CAPTURE(count(range.cost.from));
        CAPTURE(range.name);
        CAPTURE(range.runner_up);
        CHECK((is_or_equals(range, name_of(cost)) || !range.told_apart));
      }
      CHECK(found->ranges.size() == 1);
    }
  }
}

TEST_CASE("another algorithm from a size on is a range of its own") {
  std::mt19937 random(11);
  const auto platform = cluster(8, 1, 50, 100);
  const CollectiveCost barrier{.from = {}, .cost = {}, .algorithm = Algorithm::recursive_doubling};
  const CollectiveCost binomial{.from = {}, .cost = {}, .algorithm = Algorithm::binomial};
  const CollectiveCost large{.from = {}, .cost = {}, .algorithm = Algorithm::scatter_allgather};
  Measurement m;
  for (const std::uint32_t ranks : {4U, 8U}) {
    auto suite = lengths(CollectiveKind::barrier, ranks, {0});
    measure_with(suite, platform, {barrier, binomial}, barrier, random);
    m.suites.push_back(suite);
    auto low = lengths(CollectiveKind::bcast, ranks, {8, 1024, 8192, 32768});
    measure_with(low, platform, {barrier, binomial}, binomial, random);
    m.suites.push_back(low);
    auto high = lengths(CollectiveKind::bcast, ranks, {131072, 1U << 20U, 4U << 20U});
    high.name += " large";
    measure_with(high, platform, {barrier, binomial}, large, random);
    m.suites.push_back(high);
  }
  const auto fit = fit_collectives(m.suites, platform);
  const auto* bcast = find(fit, CollectiveKind::bcast);
  REQUIRE(bcast != nullptr);
  REQUIRE(bcast->ranges.size() == 2);
  CHECK(is_or_equals(bcast->ranges[0], "binomial"));
  CHECK(count(bcast->ranges[1].cost.from) == 131072);
  CHECK(is_or_equals(bcast->ranges[1], "scatter-allgather"));

  auto calibrated = platform;
  apply(fit, calibrated);
  const auto& row = calibrated.mpi.collectives.by_kind[static_cast<std::size_t>(CollectiveKind::bcast)];
  REQUIRE(row.size() == 2);
  CHECK(row[1].algorithm == Algorithm::scatter_allgather);
  CHECK(calibrated.mpi.collectives.by_kind[static_cast<std::size_t>(CollectiveKind::alltoall)].empty());
}

TEST_CASE("a known algorithm is not searched for, and unmeasured variants get it, too") {
  const auto platform = cluster(8, 1, 50, 100);
  const CollectiveCost pairwise{.from = {}, .cost = {}, .algorithm = Algorithm::pairwise};
  auto suite = lengths(CollectiveKind::alltoall, 8, {8, 65536});
  std::mt19937 random(5);
  measure_with(suite, platform, {pairwise, pairwise}, pairwise, random);
  const auto row = [](const Platform& p, CollectiveKind kind) -> auto& {
    return p.mpi.collectives.by_kind[static_cast<std::size_t>(kind)];
  };
  auto found = platform;
  const auto siblings = apply(fit_collectives({suite}, platform,
                                              {.known = {{CollectiveKind::alltoall, Algorithm::bruck},
                                                         {CollectiveKind::scan, Algorithm::linear}},
                                               .library = {}}),
                              found);
  REQUIRE(row(found, CollectiveKind::alltoall).size() == 1);
  CHECK(row(found, CollectiveKind::alltoall)[0].algorithm == Algorithm::bruck);
  CHECK(row(found, CollectiveKind::scan)[0].algorithm == Algorithm::linear);
  // Bruck's has no form for sizes of one's own.
  CHECK(row(found, CollectiveKind::alltoallv)[0].algorithm == Algorithm::linear);
  CHECK(row(found, CollectiveKind::alltoallw)[0].algorithm == Algorithm::linear);
  CHECK(row(found, CollectiveKind::exscan)[0].algorithm == Algorithm::linear);
  CHECK(row(found, CollectiveKind::gatherv).empty());
  REQUIRE(siblings.size() == 3);
  CHECK(siblings[0].kind == CollectiveKind::alltoallv);
  CHECK(siblings[0].as == CollectiveKind::alltoall);
}

TEST_CASE(
    "a library's own choices are kept where the times agree, and contradicted where an algorithm was "
    "forced") {
  std::mt19937 random(9);
  const auto platform = cluster(8, 1, 500, 12);
  const auto library = CollectivePreset::open_mpi;
  const auto own = [&](const measure::Suite& suite) {
    return library_cost(library, collective_points(suite).front());
  };
  std::vector<measure::Suite> suites;
  for (const std::uint32_t ranks : {4U, 8U}) {
    auto barrier = lengths(CollectiveKind::barrier, ranks, {0});
    const LeadInCosts lead_in{own(barrier), own(lengths(CollectiveKind::bcast, ranks, {4}))};
    measure_with(barrier, platform, lead_in, lead_in.barrier, random);
    suites.push_back(barrier);
    for (const auto bytes : {8U, 1024U, 65536U}) {
      auto reduced = lengths(CollectiveKind::allreduce, ranks, {bytes});
      reduced.name += std::to_string(bytes);
      measure_with(reduced, platform, lead_in, own(reduced), random);
      suites.push_back(reduced);
      auto forced = lengths(CollectiveKind::alltoall, ranks, {bytes});
      forced.name += std::to_string(bytes);
      measure_with(forced, platform, lead_in, {.from = {}, .cost = {}, .algorithm = Algorithm::pairwise},
                   random);
      suites.push_back(forced);
    }
  }
  const auto fit = fit_collectives(suites, platform, {.known = {}, .library = library});
  CHECK(find(fit, CollectiveKind::allreduce)->library->holds);
  CHECK(!find(fit, CollectiveKind::alltoall)->library->holds);
  auto calibrated = platform;
  apply(fit, calibrated);
  const auto& table = calibrated.mpi.collectives;
  CHECK(table.preset == library);
  CHECK(table.by_kind[static_cast<std::size_t>(CollectiveKind::allreduce)].empty());
  CHECK(table.by_kind[static_cast<std::size_t>(CollectiveKind::alltoall)].front().algorithm ==
        Algorithm::pairwise);
  const auto forced = std::count_if(fit.diagnostics.begin(), fit.diagnostics.end(),
                                    [](const Diagnostic& d) { return d.code == "collectives-forced"; });
  CHECK(forced == 1);
}

TEST_CASE(
    "constructors of communicators are recognised by the rounds in which a library agrees on a number") {
  std::mt19937 random(4);
  const auto platform = cluster(8, 1, 500, 12);
  const CollectiveCost dissemination{.from = {}, .cost = {}, .algorithm = Algorithm::bruck};
  const CollectiveCost agreement{.from = {}, .cost = {}, .algorithm = Algorithm::context_id};
  std::vector<measure::Suite> suites;
  for (const std::uint32_t ranks : {2U, 4U, 6U, 8U})
    for (const auto kind :
         {CollectiveKind::comm_dup, CollectiveKind::comm_split, CollectiveKind::cart_create}) {
      auto made = lengths(kind, ranks, {0});
      const LeadInCosts lead_in{dissemination, dissemination};
      measure_with(made, platform, lead_in, kind == CollectiveKind::cart_create ? dissemination : agreement,
                   random);
      suites.push_back(made);
    }
  const auto fit = fit_collectives(suites, platform, {});
  CHECK(is_or_equals(find(fit, CollectiveKind::comm_dup)->ranges.front(), "context-id"));
  CHECK(is_or_equals(find(fit, CollectiveKind::comm_split)->ranges.front(), "context-id"));
  CHECK(!is_or_equals(find(fit, CollectiveKind::cart_create)->ranges.front(), "context-id"));
  auto calibrated = platform;
  apply(fit, calibrated);
  const auto& table = calibrated.mpi.collectives.by_kind;
  CHECK(table[static_cast<std::size_t>(CollectiveKind::comm_create)].front().algorithm ==
        Algorithm::context_id);
}

TEST_CASE("a reduction of bytes is compared with what the library does with bytes") {
  auto suite = lengths(CollectiveKind::allreduce, 4, {8});
  CHECK(library_cost(CollectivePreset::open_mpi, collective_points(suite).front()).algorithm ==
        Algorithm::ring);
  suite.element = 8;
  CHECK(library_cost(CollectivePreset::open_mpi, collective_points(suite).front()).algorithm ==
        Algorithm::recursive_doubling);
}

TEST_CASE("operations without measurements keep their cost and are named") {
  const auto fit = fit_collectives({}, cluster(2, 1, 10, 100));
  CHECK(fit.operations.empty());
  REQUIRE(fit.diagnostics.size() == 1);
  CHECK(fit.diagnostics[0].code == "collectives-not-measured");
  CHECK(fit.diagnostics[0].message.starts_with("no times of MPI_Barrier, MPI_Bcast"));
}

TEST_CASE("an operation on more ranks than the platform has room for keeps its cost") {
  const auto fit = fit_collectives({lengths(CollectiveKind::allreduce, 4, {8})}, cluster(2, 1, 10, 100));
  CHECK(find(fit, CollectiveKind::allreduce) == nullptr);
  REQUIRE(!fit.diagnostics.empty());
  CHECK(fit.diagnostics[0].code == "collectives-not-predicted");
  CHECK(fit.diagnostics[0].message ==
        "MPI_Allreduce keeps its cost: the platform cannot run the measured suites");
}

TEST_CASE("two ranks cannot distinguish most algorithms") {
  std::mt19937 random(3);
  const auto platform = cluster(2, 1, 10, 100);
  const CollectiveCost doubling{.from = {}, .cost = {}, .algorithm = Algorithm::recursive_doubling};
  Measurement m;
  auto suite = lengths(CollectiveKind::allreduce, 2, {8, 1024});
  measure_with(suite, platform, {doubling, doubling}, doubling, random);
  m.suites.push_back(suite);
  const auto fit = fit_collectives(m.suites, platform);
  const auto* found = find(fit, CollectiveKind::allreduce);
  REQUIRE(found != nullptr);
  const auto& range = found->ranges.front();
  CHECK((!range.same.empty() || !range.told_apart));
}

namespace {

struct RealSet {
  const char* name;
  double latency_us, megabytes_per_s;
  std::uint32_t per_node = 1;
  Count buses = kUnlimited;
};

CollectiveFit fit_of(const RealSet& set) {
  Diagnostics diagnostics;
  const auto document = Document::read(std::string(BUSLINE_SOURCE_DIR "/validation/golden/real_runs/") +
                                       set.name + "/calibration.json");
  REQUIRE(document.has_value());
  const auto m = measure::parse_network_result(*document, diagnostics);
  REQUIRE(m.has_value());
  return fit_collectives(
      m->suites, cluster(8 / set.per_node, set.per_node, set.latency_us, set.megabytes_per_s, set.buses));
}

// Latency and bandwidth: of the ping-pong with 0 bytes, and between 8 KiB and 64 KiB.
constexpr std::array<RealSet, 5> kSets{{{"A_r100_l500_8x1_eager", 748, 12.4},
                                        {"P_r50_l500_8x1_forced", 723, 6.16},
                                        {"D_r50_l500_4x2_forced", 702, 6.10, 2},
                                        {"E_r50_l500_8x1_bus2_forced", 698, 6.19, 1, 2},
                                        {"F_r100_l500_8x1_default", 736, 12.4}}};
#ifdef BUSLINE_SANITIZED  // four seconds each there
constexpr std::size_t kSetsRead = 2;
#else
constexpr std::size_t kSetsRead = kSets.size();
#endif

}  // namespace

TEST_CASE("the algorithms that Open MPI was set to use explain its times") {
  for (const auto& set : std::span(kSets).first(kSetsRead)) {
    const auto fit = fit_of(set);
    CHECK(fit.operations.size() == 6);
    if (std::string_view(set.name).find("forced") == std::string_view::npos) continue;
    CHECK(name_of(fit.lead_ins.at(8).bcast) == "binomial");
    CHECK(name_of(fit.lead_ins.at(8).barrier) == "recursive-doubling");
    const std::array<std::pair<CollectiveKind, std::string_view>, 5> pinned{
        {{CollectiveKind::barrier, "recursive-doubling"},
         {CollectiveKind::bcast, "binomial"},
         {CollectiveKind::reduce, "binomial"},
         {CollectiveKind::allreduce, "recursive-doubling"},
         {CollectiveKind::alltoall, "pairwise"}}};
    for (const auto& collective : pinned)
      for (const auto& range : find(fit, collective.first)->ranges) {
        CAPTURE(set.name);
        CAPTURE(kCollectiveNames[static_cast<std::size_t>(collective.first)]);
        CAPTURE(range.name);
        CHECK((is_or_equals(range, collective.second) || !range.told_apart));
      }
  }
}
