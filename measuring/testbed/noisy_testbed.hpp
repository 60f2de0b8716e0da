// A testbed whose times scatter as those of real machines do, around what another testbed gives.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "measuring/testbed/testbed.hpp"

namespace busline::measure {

/// How times scatter: each is multiplied by exp(spread * z) with z normally distributed, so that the median
/// stays where it is and nothing gets shorter than nothing.
struct Noise {
  double spread = 0;  ///< 0.02: the middle two thirds of the times are within 2 %
  std::uint64_t seed = 1;
  bool operator==(const Noise&) const = default;
};

/// The same plan and seed give the same noise, whatever was run before: it depends on the suite, the
/// argument, the repetition and the rank alone. A decorated testbed's clock is its own: noise does not slow
/// it down.
class NoisyTestbed : public Testbed {
 public:
  NoisyTestbed(std::unique_ptr<Testbed> quiet, const Noise& noise)
      : quiet_(std::move(quiet)), noise_(noise) {}

  TestbedKind kind() const override { return quiet_->kind(); }
  const std::vector<RankPlace>& placement() const override { return quiet_->placement(); }
  MeasuredMachine machine() const override { return quiet_->machine(); }
  MeasuringClock clock() const override { return quiet_->clock(); }
  Duration elapsed() const override { return quiet_->elapsed(); }
  Expected<KernelSamples> run(const Kernel& kernel, const RunPlan& plan) override;
  /// A rank's times are multiplied by one factor, so that they stay in order; it depends on the job and the
  /// rank.
  Expected<ziatest::LaunchTimes> launch(const ziatest::LaunchJob& job) override;

 private:
  std::unique_ptr<Testbed> quiet_;
  Noise noise_;
};

}  // namespace busline::measure
