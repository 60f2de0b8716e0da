#include "measuring/ziatest/startup_study.hpp"

#include <utility>

namespace busline::ziatest {

std::vector<std::uint32_t> scaling_steps(std::uint32_t most) {
  std::vector<std::uint32_t> steps;
  for (std::uint64_t nodes = 2; nodes < most; nodes *= 10) steps.push_back(static_cast<std::uint32_t>(nodes));
  steps.push_back(most);
  return steps;
}

Expected<StartupStudy> run_startup(measure::Testbed& testbed, LaunchJob job,
                                   const std::vector<std::uint32_t>& nodes, const Watch& watch) {
  StartupStudy study;
  for (const auto n : nodes) {
    job.exchange.nodes = n;
    if (watch && !watch(n)) {
      study.interrupted = true;
      break;
    }
    auto times = testbed.launch(job);
    if (!times) {
      if (study.results.empty()) return tl::unexpected(std::move(times.error()));
      study.failed = std::move(times.error());
      break;
    }
    if (times->stamps.empty()) {
      study.interrupted = true;
      break;
    }
    study.results.push_back(startup_result(job, *times));
  }
  return study;
}

measure::Suite startup_suite(const std::vector<StartupResult>& results) {
  const auto& job = results.front().job;
  measure::Suite suite;
  suite.name = suite.operation = "ZiaTest";
  suite.pattern = measure::Pattern::startup;
  suite.time = measure::TimeOf::max_over_ranks;
  suite.varies = measure::Varies::nodes;
  suite.bytes = count(job.exchange.message());
  suite.launch = measure::LaunchSubject{job.exchange.variant, job.exchange.ranks_per_node, count(job.image)};
  for (const auto& result : results) {
    auto& point = suite.points.emplace_back();
    point.argument = result.job.exchange.nodes;
    point.result_ps.value = static_cast<double>(result.total.count());
    point.count = 1;
    point.samples = {result.total};
    point.launch = measure::LaunchDetails{result.slowest_rank, result.phases};
  }
  return suite;
}

}  // namespace busline::ziatest
