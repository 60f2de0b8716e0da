// The simulated machine as a testbed: it replays kernels with a model of a platform.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "measuring/testbed/testbed.hpp"
#include "models/simulate.hpp"
#include "platforms/description/platform.hpp"

namespace busline {

class SimulatedTestbed : public measure::Testbed {
 public:
  /// A job of `ranks` ranks, placed as the platform says. Errors: ranks that do not fit, an unknown model.
  static Expected<std::unique_ptr<SimulatedTestbed>> create(Platform platform, std::uint32_t ranks,
                                                            std::string model = "dimemas");

  measure::TestbedKind kind() const override { return measure::TestbedKind::simulated; }
  const std::vector<measure::RankPlace>& placement() const override { return placement_; }
  measure::MeasuredMachine machine() const override;
  measure::MeasuringClock clock() const override;
  /// For all runs together; a simulated machine rests in between.
  Duration elapsed() const override { return elapsed_; }
  /// Errors: those of kernel_program; kind unsupported if the run deadlocks or overflows the clock.
  Expected<measure::KernelSamples> run(const Kernel& kernel, const measure::RunPlan& plan) override;
  /// The same with all that a kernel's Program can have around samples.
  Expected<measure::KernelSamples> run_as(const Kernel& kernel, const KernelPlan& plan);
  /// On the first nodes, whatever the platform's mapping; errors are those of simulate_launch.
  Expected<ziatest::LaunchTimes> launch(const ziatest::LaunchJob& job) override;

  /// Polled from time to time within a run; false interrupts it.
  void set_progress(std::function<bool(double)> progress) { options_.progress = std::move(progress); }
  const Platform& platform() const { return platform_; }

 private:
  SimulatedTestbed(Platform platform, Machine nodes, std::string model);

  Platform platform_;
  Machine nodes_;
  SimulateOptions options_;
  std::vector<measure::RankPlace> placement_;
  Duration elapsed_;
};

}  // namespace busline
