#include "validation/measure/measure_suite.hpp"

#include <algorithm>
#include <utility>

#include "validation/measure/variation.hpp"

namespace busline::measure {
namespace {

class SuiteRun {
 public:
  SuiteRun(Testbed& testbed, const SuitePlan& plan, const Watch& watch)
      : testbed_(testbed), plan_(plan), watch_(watch), begin_(testbed.elapsed()) {}

  Expected<MeasuredSuite> run() {
    if (auto ok = validate(plan_.repetition); !ok) return tl::unexpected(std::move(ok.error()));
    describe();
    if (auto ok = measure_overhead(); !ok) return tl::unexpected(std::move(ok.error()));
    auto ok = plan_.varies == Varies::nothing ? single() : curve();
    if (!ok) return tl::unexpected(std::move(ok.error()));
    sort_points(measured_.suite);
    return std::move(measured_);
  }

 private:
  void describe() {
    auto& s = measured_.suite;
    s.name = plan_.name;
    s.operation = plan_.kernel.operation;
    s.pattern = plan_.pattern;
    s.time = plan_.time;
    s.varies = plan_.varies;
    s.ranks = plan_.kernel.ranks;
    s.nodes = nodes_of(testbed_, s.ranks);
    if (s.ranks.size() > 1) s.route_class = route_class(testbed_, s.ranks);
    if (plan_.varies != Varies::bytes) s.bytes = plan_.kernel.bytes;
    if (plan_.pattern == Pattern::master_worker && plan_.varies != Varies::chunks)
      s.chunks = plan_.kernel.chunks;
    s.messages = plan_.kernel.messages;
    s.warmup = plan_.warmup;
    s.repetition = plan_.repetition;
  }

  Expected<void> measure_overhead() {
    const auto* op = find_operation(plan_.kernel.operation);
    if (!plan_.without_overhead || op == nullptr) return {};
    auto kernel = plan_.kernel;
    kernel.operation = empty_operation(op->pattern).name;
    kernel.bytes = 0;
    auto point = measure(kernel, plan_.name + " (empty)", 0);
    if (!point) return tl::unexpected(std::move(point.error()));
    if (*point) measured_.suite.overhead_ps = (*point)->result_ps;
    return {};
  }

  bool go_on(std::uint64_t argument) {
    if (watch_ && !watch_({plan_.name, argument, measured_.suite.points.size()}))
      measured_.interrupted = true;
    return !measured_.interrupted;
  }

  Expected<void> single() { return add_point(plan_.kernel, 0); }

  Expected<void> curve() {
    auto refinement = Refinement::create(plan_.range, plan_.limits);
    if (!refinement) return tl::unexpected(std::move(refinement.error()));
    const auto& variation = variation_of(plan_.varies);
    while (const auto argument = refinement->next(testbed_.elapsed() - begin_)) {
      auto kernel = plan_.kernel;
      variation.apply(kernel, *argument);
      if (auto ok = add_point(kernel, *argument); !ok || measured_.interrupted) return ok;
      auto& point = measured_.suite.points.back();
      refinement->add(point.result_ps.value);
      point.refined = refinement->steps().back().refined.has_value();
    }
    measured_.end = refinement->end();
    return {};
  }

  Expected<void> add_point(const Kernel& kernel, std::uint64_t argument) {
    auto point = measure(kernel, plan_.name, argument);
    if (!point) return tl::unexpected(std::move(point.error()));
    if (!*point) return {};
    (*point)->result_ps = without_overhead((*point)->result_ps, measured_.suite.overhead_ps);
    measured_.suite.points.push_back(**std::move(point));
    return {};
  }

  // Samples are taken one by one, since each may be the last. Nothing: interrupted.
  Expected<std::optional<Point>> measure(const Kernel& kernel, const std::string& suite,
                                         std::uint64_t argument) {
    RepetitionControl control(plan_.repetition);
    const auto begin = testbed_.elapsed();
    std::vector<std::vector<double>> by_rank(plan_.node_times ? kernel.ranks.size() : 0);
    for (std::optional<Stop> stop; !stop;) {
      if (!go_on(argument)) return std::nullopt;
      const auto repetition = control.samples().size();
      const auto samples = testbed_.run(kernel, {.warmup = repetition == 0 ? plan_.warmup : 0,
                                                 .samples = 1,
                                                 .suite = suite,
                                                 .argument = argument,
                                                 .first_repetition = repetition});
      if (!samples) return tl::unexpected(samples.error());
      if (samples->empty()) {
        measured_.interrupted = true;
        return std::nullopt;
      }
      for (std::size_t i = 0; i < by_rank.size(); ++i)
        by_rank[i].push_back(static_cast<double>((*samples)[i].front().length().count()) / kernel.messages);
      stop = control.add(sample_times(*samples, kernel, plan_.time).front(), testbed_.elapsed() - begin);
    }
    auto point = point_of(argument, control.outcome(),
                          plan_.keep_samples ? control.samples() : std::vector<Duration>{});
    for (auto& times : by_rank) {
      std::sort(times.begin(), times.end());
      point.node_results_ps.push_back(trimmed_mean(times, plan_.repetition.cut_quantile).value);
    }
    return point;
  }

  Testbed& testbed_;
  const SuitePlan& plan_;
  const Watch& watch_;
  Duration begin_;
  MeasuredSuite measured_;
};

}  // namespace

Expected<MeasuredSuite> measure_suite(Testbed& testbed, const SuitePlan& plan, const Watch& watch) {
  return SuiteRun(testbed, plan, watch).run();
}

MeasuredSuites measure_suites(Testbed& testbed, std::span<const SuitePlan> plans, const Watch& watch) {
  MeasuredSuites all;
  for (const auto& plan : plans) {
    auto measured = measure_suite(testbed, plan, watch);
    if (!measured) {
      all.failed.push_back({plan.name, std::move(measured.error())});
      continue;
    }
    if (!measured->suite.points.empty()) all.suites.push_back(std::move(measured->suite));
    if (!measured->interrupted) continue;
    all.interrupted = true;
    break;
  }
  return all;
}

Measurement measurement_on(const Testbed& testbed) {
  Measurement m;
  m.testbed = testbed.kind();
  m.machine = testbed.machine();
  m.clock = testbed.clock();
  return m;
}

}  // namespace busline::measure
