// Real MPI as a testbed. Rank 0 runs the measuring logic and asks this for times; the other ranks serve it.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "measuring/mpi/executor.hpp"
#include "measuring/mpi/global_clock.hpp"
#include "measuring/testbed/testbed.hpp"

namespace busline::mpi {

/// The collective work of all ranks of a job: run kernels, measure clocks. All ranks construct it at the same
/// time.
class MpiTestbed : public measure::Testbed {
 public:
  explicit MpiTestbed(MPI_Comm job = MPI_COMM_WORLD);
  /// On rank 0 it lets the others go.
  ~MpiTestbed() override;

  /// For the other ranks: executes rank 0's requests until it is destroyed there.
  void serve();
  bool is_root() const { return rank_ == 0; }

  measure::TestbedKind kind() const override { return measure::TestbedKind::mpi; }
  const std::vector<measure::RankPlace>& placement() const override { return placement_; }
  measure::MeasuredMachine machine() const override { return machine_; }
  measure::MeasuringClock clock() const override { return clock_; }
  Duration elapsed() const override;
  /// On rank 0 only. A sample in which a rank of a collective came too late for the common start is taken
  /// again, a few times; then it counts as it is.
  Expected<measure::KernelSamples> run(const Kernel& kernel, const measure::RunPlan& plan) override;

  /// Samples that were taken again because a rank came late.
  std::uint64_t late_starts() const { return late_starts_; }

 private:
  struct Task {
    Kernel kernel;
    KernelPlan plan;
    double slack = 0;  // between agreeing on a common start and the start
  };
  struct Outcome {
    std::optional<Error> error;
    std::vector<std::vector<measure::Span>> spans;  // by rank of the job; on rank 0
    bool late = false;
  };

  void find_places();
  void describe_clock();
  void send_command(int command);
  void broadcast(Task& task);
  Outcome perform(const Task& task);
  void start_together(MPI_Comm communicator, double slack);
  Outcome collect(const std::vector<MarkTime>& marks, bool failed);

  MPI_Comm job_;
  int rank_ = 0, ranks_ = 1;
  Executor executor_;
  GlobalClock global_;
  double began_ = 0, synchronised_ = 0;
  static constexpr double kLeastSlack = 50e-6;
  double slack_ = kLeastSlack;  // on rank 0: what the last common start took
  bool late_ = false;
  std::uint64_t late_starts_ = 0;
  std::vector<measure::RankPlace> placement_;
  measure::MeasuredMachine machine_;
  measure::MeasuringClock clock_;
};

}  // namespace busline::mpi
