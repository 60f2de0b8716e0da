// What the measuring logic runs kernels on: a simulated machine or a real one. It cannot tell which: all it
// gets is times, and all it asks how long things take is the testbed's own clock.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "measuring/measurement/launch_times.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "workloads/kernels/kernel.hpp"

namespace busline::measure {

/// Where a rank runs.
struct RankPlace {
  std::string host;
  std::uint32_t node = 0;  ///< counted from 0 as hosts appear
  std::int32_t core = -1;  ///< -1: not known
  bool operator==(const RankPlace&) const = default;
};

/// A sample on a rank: when it came to the marks around it. On one clock for all ranks.
struct Span {
  Duration begin, end;
  Duration length() const { return end - begin; }
  bool operator==(const Span&) const = default;
};

/// The samples of each rank of Kernel::ranks, in that order.
using KernelSamples = std::vector<std::vector<Span>>;

/// What is run and for which measurement: the same plan gives the same samples on a simulated testbed, noise
/// included.
struct RunPlan {
  std::uint32_t warmup = 0, samples = 1;  ///< as in KernelPlan
  std::string suite;                      ///< whom the samples are for
  std::uint64_t argument = 0;
  std::uint64_t first_repetition = 0;  ///< samples that this suite had at this argument before
};

/// A job of a number of ranks on a machine. What it gives is in the order in which it is asked; it is used by
/// one thread.
class Testbed {
 public:
  Testbed() = default;
  Testbed(const Testbed&) = delete;
  Testbed& operator=(const Testbed&) = delete;
  virtual ~Testbed() = default;

  virtual TestbedKind kind() const = 0;
  /// By rank: as many as the job has.
  virtual const std::vector<RankPlace>& placement() const = 0;
  /// What is known of the machine, for the measurement document.
  virtual MeasuredMachine machine() const = 0;
  virtual MeasuringClock clock() const = 0;
  /// What has passed on the testbed's clock since it was made: simulated time on a simulated one.
  virtual Duration elapsed() const = 0;
  /// Runs a kernel on an idle network. No samples at all: it was interrupted. Errors: a kernel that is none
  /// (kernel_program), a machine that cannot run it.
  virtual Expected<KernelSamples> run(const Kernel& kernel, const RunPlan& plan) = 0;
  /// Launches another job, with nodes and ranks of its own, on the same machine while it is idle. No stamps
  /// at all: it was interrupted. An Error of kind unsupported if the testbed cannot do that.
  virtual Expected<ziatest::LaunchTimes> launch(const ziatest::LaunchJob& job);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(placement().size()); }
};

/// What reductions are measured with, where their length is a multiple of it: MPI_DOUBLE.
inline constexpr std::uint32_t kReducedElement = 8;

/// All ranks of a job: 0, 1, ...
std::vector<std::uint32_t> all_ranks(const Testbed& testbed);
/// One rank on each node, the first of each, in node order.
std::vector<std::uint32_t> first_rank_of_each_node(const Testbed& testbed);
/// The node of each of `ranks`.
std::vector<std::uint32_t> nodes_of(const Testbed& testbed, const std::vector<std::uint32_t>& ranks);
/// Which part of the machine messages among `ranks` cross, as far as nodes tell.
RouteClass route_class(const Testbed& testbed, const std::vector<std::uint32_t>& ranks);

/// What each sample is the time of, per message, to the nearest picosecond. max_over_ranks: from the first
/// begin to the last end of all ranks; others: what the first rank took, of which half_round_trip is the
/// half.
std::vector<Duration> sample_times(const KernelSamples& samples, const Kernel& kernel, TimeOf time);

}  // namespace busline::measure
