// ZiaTest with a real launcher: starts mpirun, srun or another command with a probe that reports when its
// ranks finished (docs/reference/ziatest.md). The only testbed that is not an MPI program itself.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "measuring/method/clock.hpp"
#include "measuring/testbed/testbed.hpp"

namespace busline::mpi {

struct LauncherOptions {
  /// The command in front of the probe. {ranks}, {nodes} and {per_node} are replaced; words are separated by
  /// blanks, and no shell looks at them.
  std::string command = "mpirun -n {ranks}";
  std::string probe;   ///< the program busline-ziaprobe
  std::string folder;  ///< where its padded copy goes, which all nodes must see; empty: the current one
  std::chrono::milliseconds time_limit = std::chrono::minutes(10);  ///< of a launch, which is then ended
};

/// The words of the command for a job.
std::vector<std::string> launch_words(const std::string& command, const ziatest::LaunchJob& job);

/// A machine that jobs can be launched on. Its nodes are those of the Slurm job or hostfile that it is in, or
/// not known.
class LauncherTestbed : public measure::Testbed {
 public:
  explicit LauncherTestbed(LauncherOptions options);

  measure::TestbedKind kind() const override { return measure::TestbedKind::mpi; }
  const std::vector<measure::RankPlace>& placement() const override { return placement_; }
  measure::MeasuredMachine machine() const override { return machine_; }
  measure::MeasuringClock clock() const override;
  Duration elapsed() const override { return now_(); }
  /// An Error of kind unsupported: it has no ranks of its own.
  Expected<measure::KernelSamples> run(const Kernel& kernel, const measure::RunPlan& plan) override;
  /// Pads the probe to the image's size, starts the launcher and waits for it. Errors (unreadable): what
  /// could not be started or written; (unsupported): a launcher that fails or
  /// takes longer than its time limit, or ranks that did not report.
  Expected<ziatest::LaunchTimes> launch(const ziatest::LaunchJob& job) override;

 private:
  LauncherOptions options_;
  std::vector<measure::RankPlace> placement_{{"", 0, -1}};
  measure::MeasuredMachine machine_;
  measure::SteadyClock now_;
};

/// The probe's output, written by rank 0: a line for each rank, nanoseconds after the launch or '-'.
Expected<ziatest::LaunchTimes> read_probe_report(const std::string& path, std::uint32_t ranks);

}  // namespace busline::mpi
