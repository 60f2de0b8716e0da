#include "validation/simulated/launch.hpp"

#include <fmt/format.h>

#include <utility>

#include "models/simulate.hpp"
#include "platforms/mapping.hpp"
#include "validation/simulated/launch_program.hpp"

namespace busline::ziatest {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 53U;  // of all addresses, or of an image

Error refused(Error::Kind kind, std::string where, std::string message) {
  Error e;
  e.kind = kind;
  e.where = std::move(where);
  e.message = std::move(message);
  return e;
}

Expected<void> check_launch(const Platform& platform, const LaunchJob& job) {
  using Kind = Error::Kind;
  std::uint64_t nodes = 0;
  for (const auto& machine : platform.machines)
    for (const auto& group : machine.nodes) nodes += group.count;
  const auto& [variant, job_nodes, per_node] = job.exchange;
  if (job_nodes < 1 || job_nodes > nodes)
    return tl::unexpected(
        refused(Kind::bad_option, "",
                fmt::format("{} nodes: expected 1 to {}, the nodes of the platform", job_nodes, nodes)));
  const auto ranks = std::uint64_t{job_nodes} * per_node;
  if (ranks < 1 || ranks > kMostLaunchRanks)
    return tl::unexpected(refused(Kind::bad_option, "",
                                  fmt::format("{} ranks on each of {} nodes: expected 1 to {} ranks in all",
                                              per_node, job_nodes, kMostLaunchRanks)));
  if (count(job.image) > kMostBytes)
    return tl::unexpected(
        refused(Kind::bad_option, "",
                fmt::format("an executable of {} bytes: expected at most {}", count(job.image), kMostBytes)));
  if (count(platform.launch.modex_bytes_per_rank) > kMostBytes / ranks)
    return tl::unexpected(
        refused(Kind::bad_input, "/launch/modex_bytes_per_rank",
                fmt::format("the addresses of {} ranks take more than {} bytes", ranks, kMostBytes)));
  return {};
}

// What the marks tell: a daemon's of its node's ranks.
LaunchTimes times_of(const Result& result, const LaunchJob& job) {
  const auto per_node = job.exchange.ranks_per_node;
  const auto ranks = job.exchange.ranks();
  LaunchTimes times;
  for (auto& ends : times.ends) ends.resize(ranks);
  times.stamps.resize(ranks);
  for (const auto& mark : result.marks) {
    const auto since = mark.time.since_start();
    if (mark.rank >= ranks) {
      const auto first = (mark.rank - ranks) * per_node;
      for (std::uint32_t i = 0; i < per_node; ++i) times.ends[mark.label][first + i] = since;
    } else if (mark.label == static_cast<std::uint32_t>(Phase::pair)) {
      times.stamps[mark.rank] = since;
    } else {
      times.ends[mark.label][mark.rank] = since;
    }
  }
  return times;
}

}  // namespace

Expected<LaunchTimes> simulate_launch(const Platform& platform, const std::string& model,
                                      const LaunchJob& job, const std::function<bool(double)>& progress) {
  if (auto good = check_launch(platform, job); !good) return tl::unexpected(std::move(good.error()));
  const auto extended = launch_platform(platform, job.exchange);
  const auto program = launch_program(platform.launch, job);
  const auto machine = place_ranks(extended, program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  SimulateOptions options;
  options.model = model;
  options.progress = progress;
  const auto result = simulate(program, extended, *machine, options);
  if (!result) return tl::unexpected(result.error());
  switch (result->status) {
    case Result::Status::complete:
      return times_of(*result, job);
    case Result::Status::clock_overflow:
      return tl::unexpected(refused(Error::Kind::bad_input, "/launch",
                                    "the launch takes more than 106 days, the limit of the clock"));
    case Result::Status::interrupted:
      return LaunchTimes{};
    case Result::Status::deadlock:
      break;
  }
  return tl::unexpected(
      refused(Error::Kind::unsupported, "",
              fmt::format("the launch stops: rank {} waits for {}",
                          result->blocked.empty() ? 0 : result->blocked.front().rank,
                          result->blocked.empty() ? "" : result->blocked.front().waits_for)));
}

}  // namespace busline::ziatest
