// Measurements: what, how often and between which ranks. The content of a measurement file from any benchmark
// and any testbed (simulated or real). docs/reference/measuring.md lists the members; measurement_json.hpp
// reads and writes the file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/provenance.hpp"
#include "measuring/measurement/launch_times.hpp"
#include "measuring/method/merge.hpp"
#include "measuring/method/repetition.hpp"
#include "measuring/method/statistics.hpp"
#include "sim/base/units.hpp"
#include "workloads/kernels/kernel.hpp"

namespace busline::measure {

/// How ranks work together in one single measurement.
enum class Pattern {
  pingpong,       ///< two ranks, one message there and one back
  pingping,       ///< two ranks, a message each way at once
  bandwidth,      ///< two ranks, a window of messages one way, then one acknowledgement
  bidirectional,  ///< two ranks, a window of messages each way at once
  message_rate,   ///< several pairs, windows of small messages
  overhead,       ///< what a call to send or to receive takes on the CPU
  all_pairs,      ///< every pair of ranks, step by step (LinkTest)
  node_flows,     ///< several messages out of one node at once
  pairings,       ///< some of all disjoint pairs at once
  incast,         ///< many ranks to one
  ring,           ///< each rank to its neighbour
  master_worker,  ///< one rank hands out pieces to whoever asks
  collective,     ///< one call of all ranks
  local,          ///< one call on one rank
  compute,        ///< a fixed piece of computation
  startup,        ///< from the launch to the first messages (ZiaTest)
};

/// What a sample times.
enum class TimeOf {
  round_trip,
  half_round_trip,
  one_way,
  root,            ///< the call on one rank, which the others wait for or not
  max_over_ranks,  ///< from the common start to the end of the last rank
  call,            ///< the call alone, whatever happens to the message afterwards
  // What other benchmarks give of all ranks' calls.
  after_last,    ///< from the start of the last rank to the end of the last
  longest_call,  ///< of the calls as each rank times its own
  mean_call,     ///< the same, averaged over the ranks
};

/// The argument of a suite's points.
enum class Varies {
  nothing,
  bytes,
  ranks,
  nodes,
  chunks,
  pairs,
  steps,  ///< in which step of the schedule a pair of ranks met, from 1
};

/// Which part of the machine the messages cross.
enum class RouteClass { intra_node, inter_node, wan, mixed };

enum class TestbedKind { simulated, mpi, local };

/// The result of merging several runs for a point.
struct PointSpread {
  std::uint64_t runs = 0,
                interpolated_runs = 0;  ///< with a value here, and how many of them did not measure here
  Interval results_ps;                  ///< the smallest and the largest of their results
  bool operator==(const PointSpread&) const = default;
};

/// What ZiaTest says about a launch besides its time.
struct LaunchDetails {
  std::uint32_t slowest_rank = 0;
  std::vector<ziatest::PhaseTime> phases;  ///< all, or none if they are not known
  bool operator==(const LaunchDetails&) const = default;
};

/// What ZiaTest launched, at each number of nodes.
struct LaunchSubject {
  ziatest::Variant variant = ziatest::Variant::seed;
  std::uint32_t ranks_per_node = 1;
  std::uint64_t image_bytes = 0;
  bool operator==(const LaunchSubject&) const = default;
};

/// One measurement: a suite at one argument.
struct Point {
  std::uint64_t argument = 0;        ///< 0 if nothing varies
  std::vector<std::uint32_t> ranks;  ///< between whom, where that is not the suite's ranks
  Estimate result_ps;                ///< formed from the samples
  std::uint64_t count = 0;           ///< samples that form it
  std::optional<Stop> stop;
  bool settled = true;
  bool refined = false;       ///< the argument was not in the suite's grid
  bool interpolated = false;  ///< not measured, but on a line between measured points
  std::uint32_t batch = 1;    ///< calls that were timed together, since the clock is too coarse for one
  std::optional<Summary> time_ps;
  std::vector<Duration> samples;  ///< in the order in which they came; may be left out
  std::vector<double> node_results_ps;
  std::optional<LaunchDetails> launch;
  std::optional<PointSpread> merged;
  bool operator==(const Point&) const = default;
};

/// What ended a suite before everything planned was measured.
enum class SuiteEnd { time_limit, interrupt };

/// Measurements of one quantity over one argument.
struct Suite {
  std::string name;       ///< unique in a document: what merging and comparing go by
  std::string operation;  ///< "MPI_Send / MPI_Recv", or a benchmark's own word
  Pattern pattern = Pattern::pingpong;
  TimeOf time = TimeOf::round_trip;
  Varies varies = Varies::bytes;
  std::optional<RouteClass> route_class;
  std::optional<std::uint64_t> bytes, chunks;  ///< where they do not vary
  std::vector<std::uint32_t> ranks, nodes;     ///< who took part, and the node of each
  std::uint32_t concurrent = 1;                ///< pairs that were active at once, where that does not vary
  std::uint32_t messages = 1;                  ///< of each sender, per sample
  std::uint32_t warmup = 0;                    ///< calls before the first sample
  LeadIn lead_in = LeadIn::barrier;
  /// Bytes of the numbers that a reduction combines where its length is a multiple of them; otherwise, and
  /// where nothing else is known, MPI_BYTE.
  std::uint32_t element = 1;
  std::uint32_t buffers = 1;            ///< used in turn by the messages of a rank
  std::optional<LaunchSubject> launch;  ///< ranks are not listed then: they are those of the job
  Estimate overhead_ps;                 ///< what was subtracted from each result
  std::optional<RepetitionRules> repetition;
  std::optional<SuiteEnd> ended_by;
  std::vector<Point> points;  ///< ascending by ranks, then argument, without repeats
  bool operator==(const Suite&) const = default;
};

struct MeasuredMachine {
  std::string name;
  std::vector<std::string> nodes;
  std::uint32_t cpus_per_node = 0;  ///< 0: not known
  std::string cpu_model, mpi, pinning, scheduler_job, hwloc_xml;
  bool operator==(const MeasuredMachine&) const = default;
};

struct MeasuringClock {
  std::string source;  ///< "MPI_Wtime", "clock_gettime", "simulated"
  Duration tick, overhead;
  bool operator==(const MeasuringClock&) const = default;
};

/// Which documents were merged into this one.
struct MergedFrom {
  MergeRule rule = MergeRule::count;
  std::vector<std::string> files;
  bool operator==(const MergedFrom&) const = default;
};

/// The time that a run had, on the testbed's own clock.
struct BudgetUse {
  Duration limit, used;
  std::vector<std::string> left_out;  ///< suites for which nothing was left
  bool operator==(const BudgetUse&) const = default;
};

struct Measurement {
  TestbedKind testbed = TestbedKind::simulated;
  MeasuredMachine machine;
  std::optional<MeasuringClock> clock;
  std::optional<MergedFrom> merged;
  std::optional<BudgetUse> budget;
  std::vector<Suite> suites;
  Provenance provenance;
  bool operator==(const Measurement&) const = default;
};

/// A point as ASEC left it.
Point point_of(std::uint64_t argument, const Repeated& measured, std::vector<Duration> samples);
/// Puts the points in the order that a document wants.
void sort_points(Suite& suite);

}  // namespace busline::measure
