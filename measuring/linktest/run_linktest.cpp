#include "measuring/linktest/run_linktest.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "measuring/linktest/analysis.hpp"
#include "measuring/linktest/layout.hpp"
#include "sim/base/random.hpp"

namespace busline::linktest {
namespace {

using measure::KernelSamples;

// A kernel's registry entry, and how its sample becomes LinkTest's time of a message.
struct Measuring {
  const char* operation;
  std::uint32_t repetitions_per_message;
  double messages_per_repetition;  // one after the other
  bool both_ways;                  // one run measures both directions
};

Measuring measuring(KernelKind kernel) {
  switch (kernel) {
    case KernelKind::bidirectional:
      return {"exchange", 2, 1, true};
    case KernelKind::unidirectional:
      return {"stream", 1, 1, false};
    case KernelKind::semidirectional:
      break;
  }
  return {"MPI_Send-MPI_Recv", 1, 2, false};
}

std::vector<Pair> turned(std::vector<Pair> pairs) {
  for (auto& p : pairs) std::swap(p.first, p.second);
  return pairs;
}

// The measurements of a step: lists of pairs that measure at the same time, each pair's first rank
// initiating.
std::vector<std::vector<Pair>> rounds_of(const Schedule& schedule, std::uint32_t step,
                                         const RunOptions& options) {
  const auto both_ways = measuring(options.kernel).both_ways;
  auto pairs = schedule.pairs(step);
  if (!options.serial) {
    if (both_ways) return {std::move(pairs)};
    auto back = turned(pairs);
    return {std::move(pairs), std::move(back)};
  }
  std::vector<std::vector<Pair>> rounds;
  for (const auto& pair : both_ways ? std::move(pairs) : schedule.serial(step)) rounds.push_back({pair});
  return rounds;
}

// How many measurements there are: two of a pair, or one that goes both ways.
std::uint64_t measurements_of(std::uint64_t ranks, const RunOptions& options) {
  const auto pairs =
      options.scope == Scope::bisection ? (ranks / 2) * (ranks - ranks / 2) : ranks * (ranks - 1) / 2;
  return pairs * (measuring(options.kernel).both_ways ? 1 : 2);
}

std::uint64_t rounds_in_all(const Schedule& schedule, const RunOptions& options) {
  if (options.serial) return measurements_of(schedule.ranks(), options);
  return std::uint64_t{schedule.steps()} * (measuring(options.kernel).both_ways ? 1 : 2);
}

tl::unexpected<Error> refuse_options(std::string message, std::string hint = {}) {
  return refuse_option("LinkTest", std::move(message), std::move(hint));
}

// All times and steps are in memory until the end.
Expected<void> check_memory(const RunOptions& o, std::uint32_t ranks) {
  const auto needed = static_cast<double>(ranks) * ranks * o.iterations *
                      static_cast<double>(sizeof(double) + sizeof(std::uint32_t));
  const auto here =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (here <= 0 || needed <= here) return {};
  return refuse_options(
      fmt::format("the times between {} ranks take {:.3g} GB, but this machine has {:.3g} GB of "
                  "memory",
                  ranks, needed * 1e-9, here * 1e-9),
      "measure fewer ranks or iterations");
}

std::vector<std::uint32_t> ranks_of_nodes(const measure::Testbed& testbed) {
  std::vector<std::uint32_t> counts;
  for (const auto& place : testbed.placement()) {
    counts.resize(std::max<std::size_t>(counts.size(), place.node + 1));
    ++counts[place.node];
  }
  return counts;
}

Expected<void> check(const RunOptions& o, const measure::Testbed& testbed) {
  const auto ranks = testbed.ranks();
  if (ranks < 2)
    return refuse_options(
        fmt::format("the job has {} rank, expected 2 or more", ranks),
        "on a simulated machine set the number with -n, on a real one with the launcher: mpirun -n 2 ...");
  if (o.messages == 0) return refuse_options("the number of messages is 0, expected 1 or more");
  if (o.messages > kMostMessages || o.warmup > kMostMessages)
    return refuse_options(fmt::format("expected at most {} messages in a measurement", kMostMessages));
  if (o.iterations == 0) return refuse_options("the number of iterations is 0, expected 1 or more");
  if (o.iterations > 1 && o.order != OrderKind::shuffled)
    return refuse_options("all iterations would measure the same",
                          "put ranks in random order to make them differ");
  if (o.order == OrderKind::nodes && o.scope == Scope::bisection)
    return refuse_options("whole nodes meet only if all pairs do", "choose another order for a bisection");
  if (o.order == OrderKind::nodes && !has_equal_nodes(testbed))
    return refuse_options("whole nodes cannot meet: some have more ranks than others",
                          "choose another order, or a mapping with as many ranks on each node");
  if (o.buffers == 0) return refuse_options("the number of buffers is 0, expected 1 or more");
  return check_memory(o, ranks);
}

class LinkTestRun {
 public:
  LinkTestRun(measure::Testbed& testbed, const RunOptions& options, const Progress& progress)
      : testbed_(testbed),
        options_(options),
        progress_(progress),
        measuring_(measuring(options.kernel)),
        random_(options.seed),
        retests_(std::min<std::uint64_t>(options.retests, measurements_of(testbed.ranks(), options))) {}

  Expected<LinkTestResult> run() {
    describe();
    for (std::uint32_t i = 0; i < options_.iterations && !stopped_; ++i)
      if (auto done = iterate(); !done) return tl::unexpected(std::move(done.error()));
    return std::move(result_);
  }

 private:
  void describe() {
    result_.version = kNewestVersion;
    auto& s = result_.settings;
    s.mode = testbed_.kind() == measure::TestbedKind::simulated ? "simulation" : "mpi";
    s.messages = options_.messages;
    s.message_bytes = options_.message_bytes;
    s.warmup_messages = options_.warmup;
    s.kernel = options_.kernel;
    s.bisection = options_.scope == Scope::bisection;
    s.all_to_all = options_.all_to_all;
    s.mixed_order = options_.order == OrderKind::mixed;
    s.by_node = options_.order == OrderKind::nodes;
    s.flags[kShuffledSteps] = options_.shuffled_steps;
    s.flags[kSerial] = options_.serial;
    s.flags[kSeveralBuffers] = options_.buffers > 1;
    s.flags[kRandomBuffers] = options_.random_buffers;
    s.retests = retests_;
    s.buffers = options_.buffers;
    s.buffer_seed = options_.buffer_seed;
    s.shuffled_orders = options_.order == OrderKind::shuffled ? options_.iterations : 0;
    s.order_seed = options_.seed;
    for (const auto& place : testbed_.placement()) result_.places.push_back({place.host, place.core, {}});
  }

  Schedule next_schedule() {
    const auto ranks = testbed_.ranks();
    const auto order_seed = random_.next(), step_seed = random_.next();
    auto schedule = options_.order == OrderKind::nodes
                        ? node_by_node()
                        : Schedule(options_.order == OrderKind::shuffled ? shuffled_order(ranks, order_seed)
                                   : options_.order == OrderKind::mixed  ? linktest12_mixed_order(ranks)
                                                                         : identity_order(ranks),
                                   options_.scope);
    if (options_.shuffled_steps) schedule.shuffle_steps(step_seed);
    return schedule;
  }

  Schedule node_by_node() const {
    const auto& places = testbed_.placement();
    auto order = identity_order(testbed_.ranks());
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return places[a].node < places[b].node; });
    return Schedule::of_nodes(std::move(order), ranks_of_nodes(testbed_).front());
  }

  Expected<void> iterate() {
    const auto ranks = testbed_.ranks();
    auto& i = result_.iterations.emplace_back();
    i.access = AccessPattern::partner_of_step;
    i.seconds = PairMatrix<double>(ranks);
    i.step = PairMatrix<std::uint32_t>(ranks);
    i.start_time = time_text();
    const auto schedule = next_schedule();
    runs_of_iteration_ = rounds_in_all(schedule, options_) + retests_;
    for (std::uint32_t step = 0; step < schedule.steps() && !stopped_; ++step)
      if (auto done = measure_step(i, schedule, step); !done) return done;
    summarise(i);
    if (auto done = retest(i); !done) return done;
    i.end_time = time_text();
    return {};
  }

  Expected<void> measure_step(Iteration& i, const Schedule& schedule, std::uint32_t step) {
    if (options_.all_to_all)
      if (auto done = measure_all_to_all(i); !done) return done;
    for (const auto& pairs : rounds_of(schedule, step, options_)) {
      const auto samples = measure(pairs);
      if (!samples) return tl::unexpected(samples.error());
      if (stopped_) break;
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto& [a, b] = pairs[p];
        i.seconds(a, b) = seconds((*samples)[2 * p]);
        i.step(a, b) = step + 1;
        if (!measuring_.both_ways) continue;
        i.seconds(b, a) = seconds((*samples)[2 * p + 1]);
        i.step(b, a) = step + 1;
      }
    }
    return {};
  }

  // Samples of the pairs' ranks; none, with stopped_ set, if nothing more is to be measured.
  Expected<KernelSamples> measure(const std::vector<Pair>& pairs) {
    Kernel kernel;
    kernel.operation = measuring_.operation;
    kernel.bytes = options_.message_bytes;
    kernel.messages = options_.messages * measuring_.repetitions_per_message;
    kernel.buffers = {options_.buffers, options_.random_buffers, options_.buffer_seed};
    for (const auto& [a, b] : pairs) kernel.ranks.insert(kernel.ranks.end(), {a, b});
    return run(kernel, options_.warmup * measuring_.repetitions_per_message);
  }

  Expected<KernelSamples> run(const Kernel& kernel, std::uint32_t warmup) {
    const auto of_all = static_cast<double>(runs_of_iteration_) * options_.iterations;
    if (progress_ && !progress_(std::min(1.0, static_cast<double>(runs_) / of_all))) stopped_ = true;
    if (stopped_) return KernelSamples{};
    // No two runs are the same repetition of the same measurement, so that noise differs.
    auto samples = testbed_.run(
        kernel, {.warmup = warmup, .suite = "linktest", .argument = kernel.bytes, .first_repetition = runs_});
    ++runs_;
    if (samples && samples->empty()) stopped_ = true;
    return samples;
  }

  double seconds(const std::vector<measure::Span>& samples) const {
    const auto messages = static_cast<double>(options_.messages) * measuring_.repetitions_per_message *
                          measuring_.messages_per_repetition;
    return static_cast<double>(samples.front().length().count()) / (1e12 * messages);
  }

  // By rank the mean over the steps so far.
  Expected<void> measure_all_to_all(Iteration& i) {
    Kernel kernel;
    kernel.operation = "MPI_Alltoall";
    kernel.bytes = 1;
    kernel.ranks = identity_order(testbed_.ranks());
    const auto samples = run(kernel, 0);
    if (!samples) return tl::unexpected(samples.error());
    if (stopped_) return {};
    const bool first = !i.all_to_all_summary;
    if (first) {
      i.all_to_all.assign(kernel.ranks.size(), 0);
      i.all_to_all_summary.emplace();
      all_to_alls_ = 0;
    }
    auto& s = *i.all_to_all_summary;
    const auto before = static_cast<double>(all_to_alls_++), now = before + 1;
    double sum = 0;
    for (std::size_t rank = 0; rank < samples->size(); ++rank) {
      const auto t = (*samples)[rank].front().length().in_seconds();
      s.min = first && rank == 0 ? t : std::min(s.min, t);
      s.max = std::max(s.max, t);
      i.all_to_all[rank] = (i.all_to_all[rank] * before + t) / now;
      sum += t;
    }
    s.avg = (s.avg * before + sum / static_cast<double>(samples->size())) / now;
    return {};
  }

  static void summarise(Iteration& i) {
    const auto spread = spread_of([&](auto use) {
      for (std::uint32_t a = 0; a < i.seconds.ranks(); ++a)
        for (std::uint32_t b = 0; b < i.seconds.ranks(); ++b)
          if (is_measured(i, a, b)) use(i.seconds(a, b));
    });
    i.summary = {spread.min, spread.mean, spread.max};
  }

  Expected<void> retest(Iteration& i) {
    // For a pair that was measured both ways at once, the slower side.
    for (const auto& slow : slowest_of(i, retests_ * (measuring_.both_ways ? 2 : 1))) {
      if (stopped_ || i.retests.size() == retests_) break;
      const auto [a, b, first] = slow;
      // Clang 14 cannot capture structured bindings by their names.
      const auto is_same = [one = a, other = b](const Retest& r) {
        return r.initiator == other && r.responder == one;
      };
      if (measuring_.both_ways && std::any_of(i.retests.begin(), i.retests.end(), is_same)) continue;
      const auto samples = measure({{a, b}});
      if (!samples) return tl::unexpected(samples.error());
      if (stopped_) break;
      i.retests.push_back({a, b, first, seconds(samples->front())});
    }
    return {};
  }

  // Time of day, or simulated time: so that a simulated run gives the same file again.
  std::string time_text() const {
    if (testbed_.kind() == measure::TestbedKind::simulated)
      return fmt::format("simulated {:.9f} s", testbed_.elapsed().in_seconds());
    const auto now = std::time(nullptr);
    std::tm parts{};
    char text[32] = {};
    if (gmtime_r(&now, &parts) == nullptr ||
        std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &parts) == 0)
      return "";
    return text;
  }

  measure::Testbed& testbed_;
  const RunOptions& options_;
  const Progress& progress_;
  Measuring measuring_;
  Random random_;
  std::uint64_t retests_;  // of an iteration
  LinkTestResult result_;
  std::uint64_t runs_ = 0, runs_of_iteration_ = 0;
  std::uint64_t all_to_alls_ = 0;  // in this iteration
  bool stopped_ = false;
};

}  // namespace

bool has_equal_nodes(const measure::Testbed& testbed) {
  const auto counts = ranks_of_nodes(testbed);
  return std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
}

Expected<LinkTestResult> run_linktest(measure::Testbed& testbed, const RunOptions& options,
                                      const Progress& progress) {
  if (auto ok = check(options, testbed); !ok) return tl::unexpected(std::move(ok.error()));
  return LinkTestRun(testbed, options, progress).run();
}

}  // namespace busline::linktest
