#include "studies/study/run_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "measuring/testbed/testbed.hpp"
#include "validation/simulated/launch.hpp"
#include "validation/simulated/simulated_testbed.hpp"

namespace busline {
namespace {

std::uint32_t nodes_in(const Platform& platform) {
  std::uint32_t nodes = 0;
  for (const auto& machine : platform.machines)
    for (const auto& group : machine.nodes) nodes += group.count;
  return nodes;
}

/// One rank on each of `nodes` nodes.
Platform spread(Platform platform) {
  platform.mapping = {};
  platform.mapping.kind = Mapping::Kind::per_node;
  platform.mapping.per_node = 1;
  return platform;
}

/// The time of one sample of a kernel; zero if it was interrupted.
Expected<Duration> sample(SimulatedTestbed& testbed, const Kernel& kernel, measure::TimeOf time,
                          const std::function<bool()>& go_on) {
  testbed.set_progress([&go_on](double) { return go_on(); });
  const auto samples = testbed.run(kernel, {.suite = kernel.operation});
  if (!samples) return tl::unexpected(samples.error());
  if (samples->empty()) return Duration();
  return measure::sample_times(*samples, kernel, time).front();
}

Expected<Outcome> latency(const BenchmarkChoice& choice, const Platform& platform, const std::string& model,
                          const std::function<bool()>& go_on) {
  if (nodes_in(platform) < 2)
    return refuse_option("/workload", "'latency' needs two nodes, but this platform has one");
  auto testbed = SimulatedTestbed::create(spread(platform), 2, model);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  Kernel kernel{.operation = "MPI_Send-MPI_Recv", .ranks = {0, 1}};
  kernel.bytes = count(choice.size.value_or(Bytes{1}));
  return sample(**testbed, kernel, measure::TimeOf::half_round_trip, go_on).map([](Duration d) {
    Outcome o;
    o.run_time_ps = d.count();
    o.ranks = 2;
    return o;
  });
}

Expected<Outcome> bisection(const BenchmarkChoice& choice, const Platform& platform, const std::string& model,
                            const std::function<bool()>& go_on) {
  constexpr std::uint32_t kMessages = 8;  // of each pair in progress together, each way
  const auto ranks = choice.ranks == 0 ? nodes_in(platform) : choice.ranks;
  if (ranks < 2)
    return refuse_option("/workload", "'bisection' needs two halves of the ranks, expected 2 ranks or more");
  auto testbed = SimulatedTestbed::create(choice.ranks == 0 ? spread(platform) : platform, ranks, model);
  if (!testbed) return tl::unexpected(std::move(testbed.error()));
  Kernel kernel{.operation = "exchange_window", .ranks = {}};
  const auto half = ranks / 2;  // with an odd number of ranks, one does not take part
  for (std::uint32_t r = 0; r < half; ++r) kernel.ranks.insert(kernel.ranks.end(), {r, r + half});
  kernel.bytes = count(choice.size.value_or(Bytes{1024 * 1024}));
  kernel.messages = kMessages;
  const auto one = sample(**testbed, kernel, measure::TimeOf::max_over_ranks, go_on);
  if (!one) return tl::unexpected(one.error());
  Outcome o;
  o.ranks = 2 * std::int64_t{half};
  // sample_times() gives the time of one message: in it every rank sends one and receives one.
  if (*one > Duration())
    o.bytes_per_s = std::llround(2.0 * half * static_cast<double>(kernel.bytes) / one->in_seconds());
  return o;
}

Expected<Outcome> launch(const BenchmarkChoice& choice, const Platform& platform, const std::string& model,
                         const std::function<bool()>& go_on) {
  ziatest::LaunchJob job;
  job.exchange.nodes = choice.nodes == 0 ? nodes_in(platform) : choice.nodes;
  job.exchange.ranks_per_node = choice.ranks_per_node;
  const auto times = ziatest::simulate_launch(platform, model, job, [&go_on](double) { return go_on(); });
  if (!times) return tl::unexpected(times.error());
  Outcome o;
  o.ranks = job.exchange.ranks();
  if (!times->stamps.empty()) o.run_time_ps = ziatest::startup_result(job, *times).total.count();
  return o;
}

}  // namespace

Expected<Outcome> run_benchmark(const BenchmarkChoice& choice, const Platform& platform,
                                const std::string& model, const std::function<bool()>& go_on) {
  switch (choice.kind) {
    case BenchmarkChoice::Kind::latency:
      return latency(choice, platform, model, go_on);
    case BenchmarkChoice::Kind::bisection:
      return bisection(choice, platform, model, go_on);
    case BenchmarkChoice::Kind::launch:
      return launch(choice, platform, model, go_on);
  }
  return Outcome();
}

}  // namespace busline
