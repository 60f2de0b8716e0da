#include "validation/simulated/launch.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "measuring/testbed/noisy_testbed.hpp"
#include "validation/simulated/simulated_testbed.hpp"
#include "validation/simulated/textbook.hpp"

using namespace busline;
using namespace busline::textbook;
using namespace busline::ziatest;

namespace {

constexpr auto kNothing = Duration();
const Duration kOneWay = kLatency + network(1);

// A launch of which nothing takes time.
Launch free_launch() {
  Launch l;
  l.launcher_start = l.per_child = l.daemon_start = l.fork_exec = l.init_local = l.connection_setup =
      kNothing;
  l.message = Bytes{0};
  l.distribute = Launch::Distribute::cached;
  l.fs_open_latency = kNothing;
  l.modex = Launch::Modex::none;
  return l;
}

// 10 us and 10 ns a byte between nodes, nothing inside a node. The last node is there for the launcher and
// the file system to be like it: their messages have no latency.
Platform free_machine(std::uint32_t nodes) {
  auto p = machine(nodes);
  network_of(p).latency_at = Network::LatencyAt::flight;
  nodes_of(p).intra_node = {};
  p.machines.front().nodes.push_back(nodes_of(p));
  p.machines.front().nodes.back().count = 1;
  p.machines.front().nodes.back().latency = kNothing;
  p.launch = free_launch();
  return p;
}

StartupResult launched(const Platform& platform, const LaunchJob& job) {
  const auto times = simulate_launch(platform, "dimemas", job);
  if (!times) FAIL(to_string(times.error()));
  return startup_result(job, *times);
}

StartupResult launched(const Platform& platform, std::uint32_t nodes, std::uint32_t per_node = 1,
                       Variant variant = Variant::seed) {
  return launched(platform, {{variant, nodes, per_node}});
}

Duration phase(const StartupResult& result, Phase p) {
  return result.phases[static_cast<std::size_t>(p)].critical;
}

std::string launch_refusal(const Platform& platform, const LaunchJob& job) {
  const auto times = simulate_launch(platform, "dimemas", job);
  return times ? "" : to_string(times.error());
}

}  // namespace

TEST_CASE("if nothing but the messages takes time, the result is one message there and one back") {
  for (const auto& [variant, bytes] : {std::pair{Variant::seed, 1U}, std::pair{Variant::lanl, 4U}})
    for (const std::uint32_t nodes : {2U, 4U, 32U}) {  // all children of the launcher
      const auto result = launched(free_machine(nodes), nodes, 1, variant);
      CHECK(result.total == (kLatency + network(bytes)) * 2);
      CHECK(phase(result, Phase::pair) == result.total);
    }
}

TEST_CASE("the launcher reaches for all nodes itself: twice the nodes take twice the time") {
  auto p = free_machine(256);
  p.launch.fan_out = kUnlimited;
  p.launch.per_child = ms(3);
  for (const std::uint32_t nodes : {1U, 2U, 64U, 128U, 256U})
    CHECK(phase(launched(p, nodes), Phase::start) == ms(3) * nodes);
}

TEST_CASE("a tree of daemons grows with the logarithm of the nodes") {
  // With fan-out 2 levels hold 2, 4, 8, ... nodes; the last of a level is reached 2 steps after the last one
  // above.
  auto p = free_machine(1022);
  network_of(p).latency = kNothing;
  p.launch.fan_out = 2;
  p.launch.per_child = ms(3);
  for (std::uint32_t levels = 1; levels <= 9; ++levels)
    CHECK(phase(launched(p, (2U << levels) - 2), Phase::start) == ms(3) * 2 * levels);
  // A fan-out of 1 is a chain; a level of the others costs a message, too.
  p.launch.fan_out = 1;
  CHECK(phase(launched(p, 7), Phase::start) == ms(3) * 7);
  p.launch.fan_out = 2;
  network_of(p).latency = kLatency;
  p.launch.message = Bytes{100};
  CHECK(phase(launched(p, 6), Phase::start) == ms(3) * 4 + network(100) * 2 + kLatency);
}

TEST_CASE("the last of an odd number of nodes costs one more message and connection on node 0") {
  auto p = free_machine(9);
  p.launch.connection_setup = ms(1);
  for (const std::uint32_t odd : {3U, 5U, 9U}) {
    const auto even = launched(p, odd - 1).total;
    CHECK(even == (kOneWay + ms(1)) * 2);
    CHECK(launched(p, odd).total == even + kOneWay + ms(1));
    CHECK(launched(p, odd).slowest_rank == odd - 1);
    // The program gives no answer, so that node 0 has only to connect; the message is there before.
    const auto without_answer = (kLatency + network(4) + ms(1)) * 2 + ms(1);
    CHECK(launched(p, odd, 1, Variant::lanl).total == without_answer);
    CHECK(launched(p, odd, 1, Variant::lanl).slowest_rank == 0);
  }
}

TEST_CASE("connections that are made in MPI_Init are made to all") {
  auto p = free_machine(4);
  p.launch.connection_setup = ms(1);
  p.launch.connect = Launch::Connect::init;
  nodes_of(p).cpus = 2;
  const auto result = launched(p, 4, 2);
  CHECK(phase(result, Phase::init) == ms(7));
  CHECK(phase(result, Phase::pair) == kOneWay * 2);
}

TEST_CASE("reading the image is linear in its bytes, and a shared file system serves one node at a time") {
  auto p = free_machine(8);
  p.launch.fs_open_latency = ms(2);
  p.launch.fs_bandwidth = Bandwidth::bytes_per_second(1e9);
  p.launch.page_fraction = 0.25;
  const auto image = [&](Launch::Distribute distribute, std::uint32_t nodes, std::uint64_t bytes) {
    p.launch.distribute = distribute;
    return phase(launched(p, {{Variant::seed, nodes, 1}, Bytes{bytes}}), Phase::image);
  };
  using Distribute = Launch::Distribute;
  for (const std::uint64_t megabytes : {0U, 4U, 8U, 100U}) {
    const auto read = megabytes * kMegabyte / 4;
    // A request has latency; the pages of the last node cross the network after they were read.
    for (const std::uint32_t nodes : {1U, 2U, 8U})
      CHECK(image(Distribute::shared_fs, nodes, megabytes * kMegabyte) ==
            ms(2) + kLatency + memory(read) * nodes + network(read));
    CHECK(image(Distribute::local, 8, megabytes * kMegabyte) == ms(2) + memory(read));
    CHECK(image(Distribute::cached, 8, megabytes * kMegabyte) == kNothing);
  }
}

TEST_CASE("an image that is broadcast is sent on in blocks") {
  constexpr std::uint64_t kBlock = 1024 * 1024;
  auto p = free_machine(8);
  network_of(p).latency = kNothing;
  p.launch.distribute = Launch::Distribute::broadcast;
  const auto image = [&](Count fan_out, std::uint32_t nodes, std::uint64_t blocks) {
    p.launch.fan_out = fan_out;
    return phase(launched(p, {{Variant::seed, nodes, 1}, Bytes{blocks * kBlock}}), Phase::image);
  };
  // Down a chain of daemons with a link each: a pipeline.
  nodes_of(p).links = p.machines.front().nodes.back().links = full_duplex(1);
  CHECK(image(1, 1, 100) == network(100 * kBlock));
  CHECK(image(1, 8, 100) == network(107 * kBlock));
  CHECK(image(1, 8, 200) == network(207 * kBlock));
  // The launcher's one link carries the image for each node.
  CHECK(image(kUnlimited, 8, 100) == network(800 * kBlock));
}

TEST_CASE("a daemon starts as many processes at once as it may") {
  auto p = free_machine(2);
  nodes_of(p).cpus = 4;
  p.launch.fork_exec = ms(5);
  const auto spawn = [&](Count parallelism, std::uint32_t processes) {
    p.launch.spawn_parallelism = parallelism;
    return phase(launched(p, 2, processes), Phase::spawn);
  };
  CHECK(spawn(1, 4) == ms(20));
  CHECK(spawn(2, 4) == ms(10));
  CHECK(spawn(3, 4) == ms(10));
  CHECK(spawn(kUnlimited, 4) == ms(5));
}

TEST_CASE("addresses go up the tree and those of all ranks come down") {
  auto p = free_machine(2);
  p.launch.modex = Launch::Modex::full;
  p.launch.modex_bytes_per_rank = Bytes{1000};
  nodes_of(p).cpus = 3;
  // 3 ranks a node: 3 kB up with latency, 6 kB down without (the launcher's messages have none).
  CHECK(phase(launched(p, 2, 3), Phase::init) == kLatency + network(3000) + network(6000));
}

TEST_CASE("work of all ranks in parallel takes its time once, and earlier phases delay it") {
  auto p = free_machine(2);
  p.launch.launcher_start = ms(1);
  p.launch.daemon_start = ms(2);
  p.launch.init_local = ms(4);
  const auto result = launched(p, 2);
  CHECK(phase(result, Phase::start) == ms(1));
  CHECK(phase(result, Phase::daemon) == ms(2));
  CHECK(phase(result, Phase::init) == ms(4));
  CHECK(result.total == ms(7) + kOneWay * 2);
}

TEST_CASE("more nodes of the same parity never launch faster") {
  auto p = machine(70, 4);
  p.launch.fan_out = 3;
  for (const auto variant : {Variant::seed, Variant::lanl})
    for (const std::uint32_t first : {1U, 2U}) {
      Duration before;
      for (auto nodes = first; nodes <= 70; nodes += 2) {
        CAPTURE(nodes);
        const auto total = launched(p, nodes, 4, variant).total;
        CHECK(total >= before);
        before = total;
      }
    }
}

TEST_CASE("every launch comes to an end and its phases add up, on whatever machine") {
  using Distribute = Launch::Distribute;
  for (const auto distribute :
       {Distribute::shared_fs, Distribute::broadcast, Distribute::local, Distribute::cached})
    for (const auto modex : {Launch::Modex::full, Launch::Modex::none})
      for (const Count fan_out : {kUnlimited, 1U, 2U, 5U})
        for (const bool scarce : {false, true})
          for (const std::uint32_t nodes : {1U, 2U, 3U, 6U, 7U})
            for (const auto variant : {Variant::seed, Variant::lanl}) {
              CAPTURE(nodes);
              CAPTURE(fan_out);
              CAPTURE(scarce);
              auto p = machine(nodes, scarce ? 1 : 3);  // of which a daemon is one rank more
              p.launch.distribute = distribute;
              p.launch.modex = modex;
              p.launch.fan_out = fan_out;
              if (scarce) {
                p.mpi.rendezvous_from = Bytes{0};
                p.preset = Preset::dimemas_5_5;
                network_of(p).buses = 1;
                nodes_of(p).links = full_duplex(1);
              }
              const auto result = launched(p, {{variant, nodes, 3}, Bytes{3 * kMegabyte}});
              Duration critical, own;
              for (const auto& time : result.phases) {
                CHECK(time.critical >= kNothing);
                CHECK(time.slowest_rank >= kNothing);
                critical += time.critical;
                own += time.slowest_rank;
              }
              CHECK(critical == result.total);
              CHECK(own == result.total);
            }
}

TEST_CASE("a simulated testbed launches, and noise scatters what each rank took") {
  const LaunchJob job{{Variant::seed, 8, 2}};
  auto quiet = SimulatedTestbed::create(machine(8, 2), 1);
  REQUIRE(quiet);
  const auto times = (*quiet)->launch(job);
  REQUIRE(times);
  const auto total = startup_result(job, *times).total;
  CHECK((*quiet)->elapsed() == total);
  measure::NoisyTestbed noisy(*std::move(quiet), {.spread = 0.05, .seed = 3});
  const auto scattered = noisy.launch(job), again = noisy.launch(job);
  REQUIRE(scattered);
  CHECK(scattered->stamps == again->stamps);
  CHECK(scattered->stamps != times->stamps);
  const auto result = startup_result(job, *scattered);
  CHECK(result.total.in_seconds() == doctest::Approx(total.in_seconds()).epsilon(0.2));
  Duration critical;
  for (const auto& time : result.phases) critical += time.critical;
  CHECK(critical == result.total);
}

TEST_CASE("a launch that is interrupted has no stamps") {
  const auto p = free_machine(4);
  const auto times = simulate_launch(p, "dimemas", {{Variant::seed, 4, 1}}, [](double) { return false; });
  REQUIRE(times);
  CHECK(times->stamps.empty());
}

TEST_CASE("jobs that cannot be launched are refused") {
  auto p = free_machine(4);
  CHECK(launch_refusal(p, {{Variant::seed, 6, 1}}) == "6 nodes: expected 1 to 5, the nodes of the platform");
  CHECK(launch_refusal(p, {{Variant::seed, 0, 1}}) == "0 nodes: expected 1 to 5, the nodes of the platform");
  CHECK(launch_refusal(p, {{Variant::seed, 4, 0}}) ==
        "0 ranks on each of 4 nodes: expected 1 to 16777216 ranks in all");
  CHECK(launch_refusal(p, {{Variant::seed, 4, UINT32_MAX}}) ==
        "4294967295 ranks on each of 4 nodes: expected 1 to 16777216 ranks in all");
  CHECK(launch_refusal(p, {{Variant::seed, 4, 1}, Bytes{UINT64_MAX}}) ==
        "an executable of 18446744073709551615 bytes: expected at most 9007199254740992");
  p.launch.modex_bytes_per_rank = Bytes{std::uint64_t{1} << 52U};
  CHECK(launch_refusal(p, {{Variant::seed, 4, 1}}) ==
        "/launch/modex_bytes_per_rank: the addresses of 4 ranks take more than 9007199254740992 bytes");
  p.launch = free_launch();
  p.launch.connect = Launch::Connect::init;
  p.launch.connection_setup = Duration::seconds(800'000);
  CHECK(launch_refusal(p, {{Variant::seed, 4, 4}}) ==
        "/launch: the launch takes more than 106 days, the limit of the clock");
  p.launch = free_launch();
  p.launch.fs_bandwidth = Bandwidth::bytes_per_second(1e-9);
  for (const auto distribute : {Launch::Distribute::shared_fs, Launch::Distribute::local}) {
    p.launch.distribute = distribute;
    CHECK(launch_refusal(p, {{Variant::seed, 4, 4}}) ==
          "/launch: the launch takes more than 106 days, the limit of the clock");
  }
  CHECK_FALSE(simulate_launch(free_machine(1), "magic", {}));
}
