#include "measuring/testbed/measure_suite.hpp"

#include <algorithm>
#include <utility>

#include "measuring/measurement/variation.hpp"
#include "measuring/method/time_budget.hpp"

namespace busline::measure {
namespace {

// Most calls that are timed together, for operations that take no time at all.
constexpr std::uint32_t kMostBatch = 1U << 16U;
// A dynamic curve keeps time for about that many points beyond its grid, each of which gets that part of what
// is left: seven points halve a factor of 2 down to 1 %.
constexpr std::size_t kRefinedPoints = 4;

std::optional<Duration> smaller(std::optional<Duration> a, std::optional<Duration> b) {
  return a && b ? std::min(*a, *b) : a ? a : b;
}

// Several calls in a sample are the same as one again and again, each after the one before.
bool can_be_batched(const Kernel& kernel) {
  const auto* op = find_operation(kernel.operation);
  return op != nullptr && kernel.messages == 1 && !op->whole_sample &&
         op->pattern != KernelPattern::master_worker && op != &empty_operation(op->pattern);
}

std::uint32_t element_of(std::string_view operation) {
  const auto kind = find_collective(operation);
  return kind && reduces(*kind) ? kReducedElement : 1;
}

class SuiteRun {
 public:
  SuiteRun(Testbed& testbed, const SuitePlan& plan, const Watch& watch)
      : testbed_(testbed),
        plan_(plan),
        watch_(watch),
        begin_(testbed.elapsed()),
        tick_(testbed.clock().tick) {}

  Expected<MeasuredSuite> run() {
    if (auto ok = validate(plan_.repetition); !ok) return tl::unexpected(std::move(ok.error()));
    describe();
    if (auto ok = measure_overhead(); !ok) return tl::unexpected(std::move(ok.error()));
    auto ok = plan_.varies == Varies::nothing ? single() : curve();
    if (!ok) return tl::unexpected(std::move(ok.error()));
    if (measured_.interrupted) measured_.suite.ended_by = SuiteEnd::interrupt;
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
    s.lead_in = usual_lead_in(plan_.kernel);
    s.element = element_of(plan_.kernel.operation);
    s.buffers = plan_.kernel.buffers.count;
    s.repetition = plan_.repetition;
  }

  Expected<void> measure_overhead() {
    const auto* op = find_operation(plan_.kernel.operation);
    if (!plan_.without_overhead || op == nullptr) return {};
    auto kernel = plan_.kernel;
    kernel.operation = empty_operation(op->pattern).name;
    kernel.bytes = 0;
    points_left_ = kRefinedPoints;
    auto point = measure(kernel, plan_.name + " (empty)", 0);
    if (!point) return tl::unexpected(std::move(point.error()));
    costs_ = {};
    points_left_ = 1;
    if (*point) measured_.suite.overhead_ps = (*point)->result_ps;
    return {};
  }

  Duration elapsed() const { return testbed_.elapsed() - begin_; }

  // For the suite's time; nothing: as much as it likes.
  std::optional<Duration> left() const {
    if (!plan_.time_limit) return std::nullopt;
    return std::max(*plan_.time_limit - elapsed(), Duration());
  }

  // The next point's rules: its part of the time that is left.
  RepetitionRules rules_for_next() const {
    auto rules = plan_.repetition;
    if (const auto time = left())
      rules.time_limit =
          smaller(rules.time_limit,
                  Duration::from_double(static_cast<double>(time->count()) /
                                        static_cast<double>(std::max<std::size_t>(points_left_, 1))));
    return rules;
  }

  bool go_on(std::uint64_t argument) {
    if (watch_ && !watch_({plan_.name, argument, measured_.suite.points.size()}))
      measured_.interrupted = true;
    return !measured_.interrupted;
  }

  Expected<void> single() { return add_point(plan_.kernel, 0); }

  Expected<void> curve() {
    auto limits = plan_.limits;
    limits.time_limit = smaller(limits.time_limit, plan_.time_limit);
    auto refinement = Refinement::create(plan_.range, limits);
    if (!refinement) return tl::unexpected(std::move(refinement.error()));
    const auto& variation = variation_of(plan_.varies);
    while (const auto argument = refinement->next(elapsed())) {
      if (const auto time = left(); time && costs_.at(*argument) > *time) {
        measured_.end = Refinement::End::time_limit;
        measured_.suite.ended_by = SuiteEnd::time_limit;
        return {};
      }
      // Half of an even part: larger arguments, which come later, take longer.
      points_left_ = 2 * refinement->grid_left() + (is_dynamic(plan_.range.scale) ? kRefinedPoints : 0);
      auto kernel = plan_.kernel;
      variation.apply(kernel, *argument);
      if (auto ok = add_point(kernel, *argument); !ok || measured_.interrupted) return ok;
      auto& point = measured_.suite.points.back();
      refinement->add(point.result_ps.value);
      point.refined = refinement->steps().back().refined.has_value();
    }
    measured_.end = refinement->end();
    if (measured_.end == Refinement::End::time_limit) measured_.suite.ended_by = SuiteEnd::time_limit;
    return {};
  }

  Expected<void> add_point(const Kernel& kernel, std::uint64_t argument) {
    auto point = measure(kernel, plan_.name, argument);
    if (!point) return tl::unexpected(std::move(point.error()));
    if (!*point) return {};
    // What is around a sample is paid once for all calls in it.
    auto overhead = measured_.suite.overhead_ps;
    overhead.value /= (*point)->batch;
    overhead.standard_error /= (*point)->batch;
    (*point)->result_ps = without_overhead((*point)->result_ps, overhead);
    measured_.suite.points.push_back(**std::move(point));
    return {};
  }

  // How many calls a sample needs to last long enough for the clock, if `sample` is what one of `kernel`
  // took.
  std::uint32_t batch_needed(const Kernel& kernel, Duration sample) const {
    // A clock that counts picoseconds is a simulated one, and exact.
    if (tick_ <= Duration::picoseconds(1) || plan_.resolution <= 0) return kernel.messages;
    const auto tick = static_cast<double>(tick_.count()), least = tick / plan_.resolution;
    const auto lasted = static_cast<double>(sample.count()) * kernel.messages *
                        (plan_.time == TimeOf::half_round_trip ? 2 : 1);
    auto batch = kernel.messages;
    // What took no tick took less than one.
    for (auto grown = lasted; grown < least && batch < kMostBatch; batch *= 2)
      grown = std::max(lasted, tick) * 2 * batch / kernel.messages;
    return batch;
  }

  // Samples are taken one by one, since each may be the last. Nothing: interrupted.
  Expected<std::optional<Point>> measure(Kernel kernel, const std::string& suite, std::uint64_t argument) {
    const auto rules = rules_for_next();
    const bool batches = can_be_batched(kernel);
    RepetitionControl control(rules);
    const auto begin = testbed_.elapsed();
    std::vector<std::vector<double>> by_rank(plan_.node_times ? kernel.ranks.size() : 0);
    std::uint64_t taken = 0;
    for (std::optional<Stop> stop; !stop;) {
      if (!go_on(argument)) return std::nullopt;
      const auto samples = testbed_.run(kernel, {.warmup = taken == 0 ? plan_.warmup : 0,
                                                 .samples = 1,
                                                 .suite = suite,
                                                 .argument = argument,
                                                 .first_repetition = taken});
      if (!samples) return tl::unexpected(samples.error());
      if (samples->empty()) {
        measured_.interrupted = true;
        return std::nullopt;
      }
      if (taken++ == 0) costs_.add(argument, testbed_.elapsed() - begin);
      const auto sample = sample_times(*samples, kernel, plan_.time).front();
      if (const auto needed = batches ? batch_needed(kernel, sample) : 1; needed > kernel.messages) {
        // All samples of a point are of as many calls.
        kernel.messages = needed;
        control = RepetitionControl(rules);
        for (auto& times : by_rank) times.clear();
        continue;
      }
      for (std::size_t i = 0; i < by_rank.size(); ++i)
        by_rank[i].push_back(static_cast<double>((*samples)[i].front().length().count()) / kernel.messages);
      stop = control.add(sample, testbed_.elapsed() - begin);
    }
    auto point = point_of(argument, control.outcome(),
                          plan_.keep_samples ? control.samples() : std::vector<Duration>{});
    if (batches) point.batch = kernel.messages;
    for (auto& times : by_rank) {
      std::sort(times.begin(), times.end());
      point.node_results_ps.push_back(trimmed_mean(times, plan_.repetition.cut_quantile).value);
    }
    return point;
  }

  Testbed& testbed_;
  const SuitePlan& plan_;
  const Watch& watch_;
  Duration begin_, tick_;
  std::size_t points_left_ = 1;  // to divide the suite's time among
  CostForecast costs_;
  MeasuredSuite measured_;
};

}  // namespace

Expected<MeasuredSuite> measure_suite(Testbed& testbed, const SuitePlan& plan, const Watch& watch) {
  return SuiteRun(testbed, plan, watch).run();
}

MeasuredSuites measure_suites(Testbed& testbed, std::span<const SuitePlan> plans, const Watch& watch,
                              std::optional<Duration> limit, const KeepSuites& keep) {
  MeasuredSuites all;
  double shares = 0;
  for (const auto& plan : plans) shares += plan.share;
  TimeBudget budget(limit, testbed.elapsed(), shares);
  for (auto plan : plans) {
    if (budget.is_used_up(testbed.elapsed())) {
      all.left_out.push_back(plan.name);
      continue;
    }
    plan.time_limit = smaller(plan.time_limit, budget.next(testbed.elapsed(), plan.share));
    auto measured = measure_suite(testbed, plan, watch);
    if (!measured) {
      all.failed.push_back({plan.name, std::move(measured.error())});
      continue;
    }
    if (!measured->suite.points.empty()) {
      all.suites.push_back(std::move(measured->suite));
      if (keep) keep(all.suites);
    } else if (!measured->interrupted) {
      all.left_out.push_back(plan.name);  // the time was over before the first point
    }
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
