#include "studies/study/run_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <variant>

#include "documents/text/sha256.hpp"
#include "models/costs/link_bound.hpp"
#include "models/simulate.hpp"
#include "models/why/watch_run.hpp"
#include "platforms/mapping.hpp"
#include "sim/base/quantity.hpp"
#include "studies/study/put_why.hpp"
#include "studies/study/run_benchmark.hpp"

namespace busline {
namespace {

using Clock = std::chrono::steady_clock;

// Asked by the simulation; remembers why it said no.
class Watch {
 public:
  explicit Watch(const PointLimits& limits) : limits_(limits) {
    if (limits.stop_after)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(limits.stop_after->in_seconds()));
  }
  bool go_on() {
    if (limits_.stop && limits_.stop()) stopped_ = true;
    if (end_ && Clock::now() >= *end_) late_ = true;
    return !stopped_ && !late_;
  }
  bool stopped() const { return stopped_; }
  bool late() const { return late_; }

 private:
  const PointLimits& limits_;
  std::optional<Clock::time_point> end_;
  bool stopped_ = false, late_ = false;
};

std::int64_t mean_of(const Result& result, Duration (*of)(const RankResult&)) {
  double sum = 0;  // exact up to 2^53 ps, 2.5 hours over all ranks; then to 16 digits
  for (const auto& r : result.ranks) sum += static_cast<double>(of(r).count());
  return std::llround(sum / static_cast<double>(result.ranks.size()));
}

std::int64_t whole(std::uint64_t n) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(n, INT64_MAX));
}

void put_figures(const Result& result, Outcome& o) {
  o.ranks = whole(result.ranks.size());
  o.messages = whole(result.messages);
  o.bytes = whole(result.bytes);
  o.operations = whole(result.operations);
  o.events = whole(result.events);
  if (result.ranks.empty()) return;
  o.compute_ps = mean_of(result, [](const RankResult& r) { return r.times.compute; });
  o.latency_ps = mean_of(result, [](const RankResult& r) { return r.times.latency; });
  o.wait_ps = mean_of(result, [](const RankResult& r) { return r.times.wait; });
  o.collective_wait_ps = mean_of(result, [](const RankResult& r) { return r.times.collective_wait; });
  o.collective_ps = mean_of(result, [](const RankResult& r) { return r.times.collective; });
  o.cpu_wait_ps = mean_of(result, [](const RankResult& r) { return r.times.cpu_wait; });
  o.link_wait_ps = mean_of(result, [](const RankResult& r) { return r.link_wait; });
  o.bus_wait_ps = mean_of(result, [](const RankResult& r) { return r.bus_wait; });
  o.largest_compute_ps =
      std::max_element(result.ranks.begin(), result.ranks.end(), [](const auto& a, const auto& b) {
        return a.times.compute < b.times.compute;
      })->times.compute.count();
}

std::string who_waits(const Result& result) {
  if (result.blocked.empty()) return "no rank can continue";
  const auto& b = result.blocked.front();
  return fmt::format("{} of {} ranks cannot continue; rank {}, call {} ({}) waits for {}",
                     result.blocked.size(), result.ranks.size(), b.rank, b.call_number, b.call, b.waits_for);
}

Outcome outcome_of(const Result& result) {
  Outcome o;
  switch (result.status) {
    case Result::Status::complete:
      o.run_time_ps = result.run_time.count();
      put_figures(result, o);
      break;
    case Result::Status::deadlock:
      o.status = Outcome::Status::deadlock;
      o.reason = who_waits(result);
      break;
    case Result::Status::clock_overflow:
      o.status = Outcome::Status::clock_overflow;
      o.reason = "the simulated time exceeds 106 days, the limit of the clock";
      break;
    case Result::Status::interrupted:  // reported by the caller
      break;
  }
  return o;
}

Outcome outcome_of(const Error& error) {
  Outcome o;
  o.status = error.kind == Error::Kind::unreadable ? Outcome::Status::failed : Outcome::Status::refused;
  o.reason = to_string(error);
  return o;
}

Expected<WatchedRun> run_unwatched(const Program& program, const Platform& platform, const Machine& machine,
                                   const SimulateOptions& how) {
  auto result = simulate(program, platform, machine, how);
  if (!result) return tl::unexpected(std::move(result.error()));
  return WatchedRun{*std::move(result), std::nullopt, {}};
}

// SimGrid's solver cannot be watched: such a run has its other figures.
Expected<WatchedRun> run_watched(const Program& program, const Platform& platform, const Machine& machine,
                                 const SimulateOptions& how) {
  auto run = watch_run(program, platform, machine, how);
  if (run || run.error().kind != Error::Kind::unsupported) return run;
  return run_unwatched(program, platform, machine, how);
}

Expected<Outcome> run_program(const Case& c, WorkloadPool& workloads, Watch& watch) {
  const auto program = workloads.program(c.workload);
  if (!program) return tl::unexpected(program.error());
  const auto machine = place_ranks(c.platform, (*program)->ranks());
  if (!machine) return tl::unexpected(machine.error());
  if (auto crowded = crowding_warning(c.platform, *machine))
    workloads.warn(*std::move(crowded), ranks_per_cpu(*machine));
  SimulateOptions how;
  how.model = c.model;
  how.progress = [&watch](double) { return watch.go_on(); };
  const auto run = c.why ? run_watched(**program, c.platform, *machine, how)
                         : run_unwatched(**program, c.platform, *machine, how);
  if (!run) return tl::unexpected(run.error());
  const auto& fast = run->result.below_link_bound;
  if (auto warning = link_bound_warning(fast)) workloads.warn(*std::move(warning), worst_ratio(fast));
  auto o = outcome_of(run->result);
  if (run->path) put_why(*run->path, run->slope, c.platform, o);
  if (const auto traced = (*program)->traced_run_time(); traced && o.is_done())
    o.traced_run_time_ps = traced->count();
  return o;
}

}  // namespace

Expected<std::string> point_id(const Case& c, WorkloadPool& workloads, const std::string& program) {
  const auto platform = deciding_text(c.platform);
  if (!platform) return platform;
  const auto workload = workloads.deciding_text(c.workload);
  if (!workload) return workload;
  Sha256 digest;
  digest.update(fmt::format("busline point 1\n{}\n{}\n{}\n", program, c.model, *workload));
  digest.update(*platform);
  // Benchmarks are not watched; their results are the same.
  if (c.why && !std::holds_alternative<BenchmarkChoice>(c.workload)) digest.update("\nwhy 1\n");
  return digest.hex().substr(0, 32);
}

std::optional<Outcome> run_point(const Case& c, WorkloadPool& workloads, const PointLimits& limits) {
  Watch watch(limits);
  const auto* benchmark = std::get_if<BenchmarkChoice>(&c.workload);
  const auto ran = benchmark == nullptr
                       ? run_program(c, workloads, watch)
                       : run_benchmark(*benchmark, c.platform, c.model, [&watch] { return watch.go_on(); });
  if (watch.stopped()) return std::nullopt;
  if (watch.late()) {
    Outcome o;
    o.status = Outcome::Status::timed_out;
    o.reason = fmt::format("it took longer than {}", to_text(*limits.stop_after));
    return o;
  }
  return ran ? *ran : outcome_of(ran.error());
}

}  // namespace busline
