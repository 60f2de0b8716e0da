// How to measure your own function, without MPI: the time that std::sort takes, over how much it sorts. Each
// call needs numbers that are not sorted yet, so it sorts a copy, and what the copy takes is measured apart
// and subtracted. docs/reference/measuring.md explains the parts.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "measuring/method/measure_operation.hpp"
#include "measuring/method/refinement.hpp"

using namespace busline;
using namespace busline::measure;

namespace {

std::vector<std::uint32_t> random_numbers(std::size_t n) {
  std::mt19937 random(1);
  std::vector<std::uint32_t> numbers(n);
  for (auto& v : numbers) v = static_cast<std::uint32_t>(random());
  return numbers;
}

struct Row {
  Estimate time;
  std::uint64_t samples = 0;
  bool settled = false, refined = false;
};

std::string text(std::uint64_t n, const Row& row) {
  const double error = row.time.value > 0 ? row.time.standard_error / row.time.value : 0;
  return fmt::format("{:>8}{:>14.3f}{:>9.1f}{:>9}{}{}\n", n, row.time.value * 1e-6, 100 * error, row.samples,
                     row.refined ? "  refined" : "", row.settled ? "" : "  not settled");
}

}  // namespace

int main() {
  SteadyClock now;
  const auto clock = probe_clock(now);
  if (!clock) {
    std::fputs("the clock stands still\n", stderr);
    return 1;
  }

  // How often: until the median is known to 2 %, 8 to 200 times, for 50 ms at most.
  OperationPlan plan;
  plan.rules.rule = StopRule::median_interval;
  plan.rules.precision = kMedianInterval;
  plan.rules.min_repetitions = 8;
  plan.rules.max_repetitions = 200;
  plan.rules.time_limit = Duration::seconds(0.05);

  // Where: 1, 2, 4, ... 65536, and further arguments where straight lines fit badly, 24 in all, for 2 s at
  // most.
  const ArgumentRange range{Scale::dynamic_log, 1, 65536, 2};
  RefinementLimits limits;
  limits.max_steps = 24;
  limits.precision = 0.05;
  limits.time_limit = Duration::seconds(2);
  auto refinement = Refinement::create(range, limits);
  if (!refinement) {
    fmt::print(stderr, "{}\n", to_string(refinement.error()));
    return 1;
  }

  std::map<std::uint64_t, Row> rows;
  const Duration begin = now();
  while (const auto n = refinement->next(now() - begin)) {
    const auto numbers = random_numbers(*n);
    auto copied = numbers;
    auto copy = [&] { std::copy(numbers.begin(), numbers.end(), copied.begin()); };
    auto copy_and_sort = [&] {
      copy();
      std::sort(copied.begin(), copied.end());
    };
    const auto overhead = measure_operation(now, copy, clock->tick, plan);
    const auto measured = measure_operation(now, copy_and_sort, clock->tick, plan);
    const auto time = without_overhead(measured.result, overhead.result);
    refinement->add(time.value);
    rows[*n] = {time, measured.summary.count, measured.settled,
                refinement->steps().back().refined.has_value()};
  }

  fmt::print("the clock moves by {} ns, a reading takes {} ns\n\n", clock->tick.count() / 1000,
             clock->overhead.count() / 1000);
  fmt::print("{:>8}{:>14}{:>9}{:>9}\n", "numbers", "sorting [us]", "error %", "samples");
  for (const auto& [n, row] : rows) fmt::print("{}", text(n, row));
}
