// A platform's predictions for measured points: runs the measured kernel on a simulated machine.
#pragma once
#include <optional>
#include <vector>

#include "measuring/measurement/measurement.hpp"
#include "platforms/description/platform.hpp"
#include "workloads/kernels/kernel.hpp"

namespace busline::calibrate {

/// The kernel that a point was measured with, its ranks renumbered from 0.
Kernel kernel_of(const measure::Suite& suite, const measure::Point& point);
/// Where the first `ranks` of the suite sat, on nodes that are numbered from 0 in the order in which they
/// appear. The suite says the nodes of that many.
Mapping mapping_of(const measure::Suite& suite, std::size_t ranks);

/// A point's times, of each rank that took part or of the suite's definition alone.
struct PointTimes {
  std::vector<double> ps;
  bool by_rank = false;
};

/// How far samples lie around their middle: half of the logarithm of the slowest over the fastest. 0 where
/// they are not known.
double sample_range(const measure::Point& point);
/// The logarithm of the upper quartile of the samples over the lower one; 0 where they are not known.
double middle_range(const measure::Point& point);
/// The median of middle_range over the points of ping-pongs between nodes or inside one: how far samples lie
/// apart by chance. 0 without them.
double chance_of(const std::vector<measure::Suite>& suites, measure::RouteClass where);
/// The logarithm of the slowest sample over the fastest where samples differ by more than a tenth, and their
/// middle half by more than twice what `chance` explains; otherwise 0. Rendezvous both ways and TCP's
/// timeouts make a message wait for others that share nothing with it: the network is then what the fastest
/// sample shows.
double sample_spread(const measure::Point& point, double chance);

/// The fastest sample, or the result without samples.
double fastest_ps(const measure::Suite& suite, const measure::Point& point);

/// The measured times: the fastest sample where samples scatter by more than `chance`; otherwise by rank
/// where known, because the last of many ranks is late by chance, and the later the more there are.
PointTimes measured_times(const measure::Suite& suite, const measure::Point& point, double chance);

/// What `platform` predicts, by rank or as the suite defines its time. Ranks sit on as many nodes, and share
/// them in the same way, as those that were measured. Nothing for points without a kernel, for nodes that the
/// platform lacks, and for runs that deadlock.
std::optional<PointTimes> predicted_times(const measure::Suite& suite, const measure::Point& point,
                                          const Platform& platform, bool by_rank);
/// The suite's own definition of its time: what point.result_ps was measured as.
std::optional<double> predicted_result(const measure::Suite& suite, const measure::Point& point,
                                       const Platform& platform);

}  // namespace busline::calibrate
