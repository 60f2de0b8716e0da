// Which suites the calibration set has on which jobs. What they give on a machine with known figures is
// tested where there is a model (validation/simulated).
#include "measuring/standard_set/standard_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "measuring/measurement/variation.hpp"
#include "workloads/kernels/kernel.hpp"

namespace {

using namespace busline;
using namespace busline::measure;

// A job that cannot be run: where its ranks sit is all that counts here.
class Placed : public Testbed {
 public:
  explicit Placed(const std::vector<std::uint32_t>& nodes) {
    for (const auto node : nodes) places_.push_back({"host", node, 0});
  }
  TestbedKind kind() const override { return TestbedKind::simulated; }
  const std::vector<RankPlace>& placement() const override { return places_; }
  MeasuredMachine machine() const override { return {}; }
  MeasuringClock clock() const override { return {}; }
  Duration elapsed() const override { return {}; }
  Expected<KernelSamples> run(const Kernel&, const RunPlan&) override { return KernelSamples{}; }

 private:
  std::vector<RankPlace> places_;
};

const SuitePlan* find_plan(const CalibrationSet& set, const std::string& name) {
  const auto found =
      std::find_if(set.suites.begin(), set.suites.end(), [&](const SuitePlan& p) { return p.name == name; });
  return found == set.suites.end() ? nullptr : &*found;
}

std::vector<std::string> left_out(const CalibrationSet& set) {
  std::vector<std::string> names;
  for (const auto& l : set.left_out) names.push_back(l.suite);
  return names;
}

}  // namespace

TEST_CASE("four nodes with four ranks each can measure everything") {
  const Placed testbed({0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
  const auto set = calibration_set(testbed, {});
  CHECK(set.left_out.empty());
  std::set<std::string> names;
  for (const auto& p : set.suites) {
    CAPTURE(p.name);
    CHECK(names.insert(p.name).second);
    // Every kernel of every suite can be made, at the ends of its range.
    for (const auto argument : {p.range.start, p.range.end}) {
      auto kernel = p.kernel;
      variation_of(p.varies).apply(kernel, argument);
      CHECK(kernel_program(kernel, {.warmup = p.warmup, .samples = 1}, testbed.ranks()));
    }
  }
  CHECK(find_plan(set, "pingpong-inter")->kernel.ranks == std::vector<std::uint32_t>{0, 4});
  CHECK(find_plan(set, "pingpong-intra")->kernel.ranks == std::vector<std::uint32_t>{0, 1});
  // Each flow leaves node 0 for another node, as long as there are others.
  CHECK(find_plan(set, "flows-of-a-node")->kernel.ranks ==
        std::vector<std::uint32_t>{0, 4, 1, 8, 2, 12, 3, 5});
  CHECK(find_plan(set, "flows-of-a-rank")->kernel.ranks == std::vector<std::uint32_t>{0, 4, 8, 12});
  CHECK(find_plan(set, "pairs-of-nodes")->kernel.ranks == std::vector<std::uint32_t>{0, 8, 4, 12});
  CHECK(find_plan(set, "pairs-in-a-node")->kernel.ranks == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(find_plan(set, "MPI_Alltoall-ranks")->range.end == 16);
}

TEST_CASE("suites that need more ranks than the job has are left out by name") {
  CHECK(left_out(calibration_set(Placed({0, 0, 0, 0}), {})) ==
        std::vector<std::string>{"pingpong-inter", "send-inter", "ssend-inter", "bandwidth-inter",
                                 "recv-inter", "late-exchange", "overlap-iallreduce", "overlap-ialltoall",
                                 "flows-of-a-node", "flows-of-a-rank", "pairs-of-nodes"});
  CHECK(left_out(calibration_set(Placed({0, 1, 2, 3}), {})) ==
        std::vector<std::string>{"pingpong-intra", "send-intra", "ssend-intra", "bandwidth-intra",
                                 "recv-intra", "flows-of-a-node", "pairs-in-a-node"});
  const auto alone = calibration_set(Placed({0}), {});
  CHECK(alone.suites.size() == 3);  // fixed work, its noise, and messages to oneself
  CHECK(left_out(alone).back() == "collectives");
}

TEST_CASE("curves end with the largest message that is asked for") {
  measure::CalibrationOptions options;
  options.largest = 1U << 16U;
  const auto set = calibration_set(Placed({0, 1}), options);
  CHECK(find_plan(set, "pingpong-inter")->range.end == 1U << 16U);
}
