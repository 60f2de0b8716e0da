// A small test on real MPI, for `mpirun -n 2` to 4: checks that hold on any machine, however noisy.
#include <mpi.h>

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "measuring/mpi/mpi_testbed.hpp"
#include "measuring/standard_set/standard_set.hpp"
#include "measuring/testbed/measure_suite.hpp"
#include "workloads/kernels/operations.hpp"

namespace {

using namespace busline;
using namespace busline::measure;

int failures = 0;

void check(bool ok, const std::string& what) {
  if (ok) return;
  ++failures;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

std::vector<std::uint32_t> ranks_for(const KernelOperation& op, std::uint32_t ranks) {
  std::vector<std::uint32_t> all(op.pattern == KernelPattern::simple  ? 1
                                 : op.pattern == KernelPattern::pairs ? ranks / 2 * 2
                                                                      : ranks);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

void every_operation_runs(Testbed& testbed) {
  for (const auto& op : kernel_operations()) {
    const Kernel kernel{.operation = std::string(op.name),
                        .ranks = ranks_for(op, testbed.ranks()),
                        .bytes = op.buffers == BufferUse::none ? 0U : 1000U,
                        .chunks = 5};
    const auto samples = testbed.run(kernel, {.warmup = 1, .samples = 3, .suite = {}});
    check(samples.has_value(), kernel.operation + (samples ? "" : ": " + to_string(samples.error())));
    if (!samples) continue;
    check(samples->size() == kernel.ranks.size(), kernel.operation + " has samples of each rank");
    for (const auto& of_rank : *samples) {
      check(of_rank.size() == 3, kernel.operation + " has all samples");
      for (const auto& span : of_rank)
        check(span.length() >= Duration(), kernel.operation + " ends after it begins");
    }
  }
}

void larger_messages_take_longer(Testbed& testbed) {
  SuitePlan plan;
  plan.name = "pingpong";
  plan.kernel = {.operation = "MPI_Send-MPI_Recv", .ranks = {0, 1}};
  plan.range = {.scale = Scale::fixed_log, .start = 1, .end = 1U << 22U, .step = 1U << 22U};
  plan.limits.max_steps = 2;
  plan.repetition.min_repetitions = plan.repetition.max_repetitions = 30;
  const auto measured = measure_suite(testbed, plan);
  check(measured.has_value() && measured->suite.points.size() == 2, "a ping-pong has its two points");
  if (!measured || measured->suite.points.size() != 2) return;
  const auto& points = measured->suite.points;
  check(points[0].time_ps->min > 0, "a message takes time");
  check(points[1].time_ps->min > points[0].time_ps->min, "4 MiB take longer than a byte");
}

void errors_are_told(Testbed& testbed) {
  check(!testbed.run({.operation = "MPI_Sned", .ranks = {0, 1}}, {}), "an unknown operation is rejected");
  check(!testbed.run({.operation = "MPI_Send", .ranks = {0, 1}, .bytes = std::uint64_t{3} << 30U}, {}),
        "a message of 3 GiB is rejected");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    mpi::MpiTestbed testbed;
    if (testbed.is_root()) {
      every_operation_runs(testbed);
      larger_messages_take_longer(testbed);
      errors_are_told(testbed);
      std::printf("%u ranks, %zu nodes, %s: %d failures\n", testbed.ranks(), testbed.machine().nodes.size(),
                  testbed.machine().mpi.c_str(), failures);
    } else {
      testbed.serve();
    }
  }
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
