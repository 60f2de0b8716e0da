#include "models/jobs/simulate_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/run/shared_progress.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/in_parallel.hpp"
#include "sim/base/text_parts.hpp"

namespace busline {
namespace {

/// The machine with the ranks of one job only.
Machine part_of(const Machine& machine, std::uint32_t first, std::uint32_t ranks) {
  auto part = machine;
  const auto begin = machine.rank_node.begin() + static_cast<std::ptrdiff_t>(first);
  part.rank_node.assign(begin, begin + static_cast<std::ptrdiff_t>(ranks));
  return part;
}

Expected<std::vector<std::uint32_t>> nodes_of_ranks(const PlacedJob& placed) {
  const auto ranks = placed.job.program.ranks();
  const auto& nodes = placed.nodes;
  if (nodes.empty()) return refuse_option(placed.job.name, "has no nodes", "name some after @, such as @0-3");
  if (nodes.size() > ranks)
    return refuse_option(placed.job.name,
                         fmt::format("has {}, but {}", counted(ranks, "rank"), counted(nodes.size(), "node")),
                         fmt::format("name at most {}", counted(ranks, "node")));
  const auto each = (ranks + nodes.size() - 1) / nodes.size();
  std::vector<std::uint32_t> of_ranks;
  of_ranks.reserve(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) of_ranks.push_back(nodes[r / each]);
  return of_ranks;
}

// Ranks of one job that take turns are that job's matter; those of two jobs are a mistake in their places.
Expected<void> check_cpus(const Machine& machine, std::span<const PlacedJob> jobs) {
  struct Users {
    std::uint32_t ranks = 0, first = kNone, other = kNone;  // jobs
  };
  IdVector<NodeId, Users> users(machine.nodes.size());
  RankId rank{};
  for (std::uint32_t j = 0; j < jobs.size(); ++j)
    for (std::uint32_t r = 0; r < jobs[j].job.program.ranks(); ++r) {
      auto& u = users[machine.cpu_node(rank)];
      ++u.ranks;
      if (u.first == kNone) u.first = j;
      if (u.first != j) u.other = j;
      rank = RankId{raw(rank) + 1};
    }
  for (const auto n : users.ids()) {
    const auto& u = users[n];
    if (u.other == kNone || u.ranks <= machine.nodes[n].cpus) continue;
    return refuse_option(jobs[u.other].job.name,
                         fmt::format("shares node {} with {}: {} ranks for {}", raw(n),
                                     jobs[u.first].job.name, u.ranks, counted(machine.nodes[n].cpus, "CPU")),
                         "give the jobs different nodes, or the nodes more CPUs: --set /nodes/0/cpus=...");
  }
  return {};
}

Duration of_job(const Result& result, const JobResult& job) {
  Time end;
  for (std::uint32_t r = 0; r < job.ranks; ++r) end = std::max(end, result.ranks[job.first_rank + r].end);
  return end.since_start();
}

void put_times(const Result& result, JobResult& job) {
  const auto& first = result.ranks[job.first_rank];
  if (!job.background) {
    if (result.status == Result::Status::complete) job.run_time = of_job(result, job) - job.start;
    return;
  }
  job.repetitions = first.repetitions;
  if (job.repetitions > 0)
    job.run_time =
        Duration::from_double(static_cast<double>((first.repeated_until.since_start() - job.start).count()) /
                              static_cast<double>(job.repetitions));
}

}  // namespace

std::optional<double> JobResult::slowdown() const {
  if (!run_time || !alone || *alone <= Duration()) return std::nullopt;
  return static_cast<double>(run_time->count()) / static_cast<double>(alone->count()) - 1;
}

Expected<Machine> place_jobs(const Platform& platform, std::span<const PlacedJob> jobs) {
  auto with_nodes = platform;
  with_nodes.mapping = {};
  with_nodes.mapping.kind = Mapping::Kind::nodes;
  std::uint32_t ranks = 0;
  std::uint64_t nodes = 0;
  for (const auto& m : platform.machines)
    for (const auto& g : m.nodes) nodes += g.count;
  for (const auto& placed : jobs) {
    for (const auto n : placed.nodes)
      if (n >= nodes)
        return refuse_option(placed.job.name,
                             fmt::format("is placed on node {}, expected 0 to {}", n, nodes - 1),
                             "'busline explain' shows the nodes of a platform");
    auto of_ranks = nodes_of_ranks(placed);
    if (!of_ranks) return tl::unexpected(std::move(of_ranks.error()));
    auto& all = with_nodes.mapping.nodes;
    all.insert(all.end(), of_ranks->begin(), of_ranks->end());
    ranks += placed.job.program.ranks();
  }
  auto machine = place_ranks(with_nodes, ranks);
  if (!machine) return machine;
  if (auto enough = check_cpus(*machine, jobs); !enough) return tl::unexpected(std::move(enough.error()));
  return machine;
}

Expected<JobsRun> simulate_jobs(const MergedJobs& merged, std::span<const PlacedJob> jobs,
                                const Platform& platform, const Machine& machine,
                                const SimulateOptions& options, const JobsOptions& how) {
  JobsRun run;
  for (std::uint32_t j = 0; j < jobs.size(); ++j) {
    const auto& job = jobs[j].job;
    run.jobs.push_back({.name = job.name,
                        .first_rank = merged.first_rank[j],
                        .ranks = job.program.ranks(),
                        .background = job.repeats,
                        .start = job.start});
  }
  // The run of all, and each alone. A job alone neither starts later nor repeats.
  const std::size_t runs = how.alone ? jobs.size() + 1 : 1;
  ProgressOfRuns progress(options.progress, runs);
  std::vector<Expected<Result>> results(runs, Result());
  JobWaits waits(platform, machine, merged.program, merged.first_rank);
  in_parallel(runs, how.threads, [&](std::size_t i) {
    auto mine = options;
    mine.progress = [&progress, i](double share) { return progress.set(i, share); };
    if (i == 0) {
      if (how.waits) mine.observers.push_back(&waits);
      results[0] = simulate(merged.program, platform, machine, mine);
      return;
    }
    const auto& job = run.jobs[i - 1];
    mine.observers.clear();
    mine.region.reset();
    results[i] =
        simulate(jobs[i - 1].job.program, platform, part_of(machine, job.first_rank, job.ranks), mine);
  });
  for (const auto& result : results)
    if (!result) return tl::unexpected(result.error());
  run.result = std::move(*results[0]);
  auto by_job = waits.waits();
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    put_times(run.result, run.jobs[j]);
    run.jobs[j].waits = std::move(by_job[j]);
    if (how.alone && results[j + 1]->status == Result::Status::complete)
      run.jobs[j].alone = results[j + 1]->run_time.since_start();
  }
  return run;
}

Expected<std::optional<JobMatrix>> job_matrix(std::span<const PlacedJob> jobs, const Platform& platform,
                                              const SimulateOptions& options, unsigned threads) {
  const auto n = jobs.size();
  JobMatrix matrix;
  matrix.slowdown.assign(n, std::vector<std::optional<double>>(n));
  std::vector<Expected<std::optional<Duration>>> times(n * n, std::optional<Duration>());
  ProgressOfRuns progress(options.progress, n * n);
  in_parallel(n * n, threads, [&](std::size_t i) {
    std::vector<PlacedJob> pair{jobs[i / n]};
    pair.front().job.start = {};
    pair.front().job.repeats = false;
    if (i / n != i % n) {
      pair.push_back(jobs[i % n]);
      pair.back().job.start = {};
      pair.back().job.repeats = true;
    }
    times[i] = [&]() -> Expected<std::optional<Duration>> {
      std::vector<Job> plain;
      for (const auto& p : pair) plain.push_back(p.job);
      const auto merged = merge_jobs(plain);
      if (!merged) return tl::unexpected(merged.error());
      const auto machine = place_jobs(platform, pair);
      if (!machine) return tl::unexpected(machine.error());
      auto mine = options;
      mine.progress = [&progress, i](double share) { return progress.set(i, share); };
      const auto run =
          simulate_jobs(*merged, pair, platform, *machine, mine, {.alone = false, .waits = false});
      if (!run) return tl::unexpected(run.error());
      return run->jobs.front().run_time;
    }();
  });
  for (const auto& time : times)
    if (!time) return tl::unexpected(time.error());
  if (progress.ended()) return std::optional<JobMatrix>();
  for (std::size_t a = 0; a < n; ++a) {
    const auto& alone = *times[a * n + a];
    matrix.names.push_back(jobs[a].job.name);
    matrix.alone.push_back(alone.value_or(Duration()));
    for (std::size_t b = 0; b < n; ++b)
      if (const auto& beside = *times[a * n + b]; a != b && beside && alone && *alone > Duration())
        matrix.slowdown[a][b] =
            static_cast<double>(beside->count()) / static_cast<double>(alone->count()) - 1;
  }
  return std::optional(std::move(matrix));
}

}  // namespace busline
