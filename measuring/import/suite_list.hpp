// The suites that results of other benchmarks become: named as those of the calibration set and with the same
// meaning where they measure the same, so that calibration finds them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measuring/import/job_nodes.hpp"
#include "measuring/measurement/measurement.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace busline::measure {

/// Limit on the ranks that all suites of a file may name: a few bytes of text could ask for any number.
inline constexpr std::size_t kMostImportedRanks = std::size_t{1} << 22U;

/// Other benchmarks give microseconds.
inline constexpr double kPicosecondsPerMicrosecond = 1e6;

class SuiteList {
 public:
  explicit SuiteList(JobNodes nodes) : nodes_(std::move(nodes)) {}

  /// The suite that has this name and measures the same with the same ranks (over ranks: with the first of
  /// them, and those that are new are added); else a new one. Nodes and class are filled in. A name that
  /// another suite has gets the first and the last rank appended, and the size. Nothing: the ranks of all
  /// suites would be more than kMostImportedRanks. The pointer holds until the next call.
  Suite* find_or_add(Suite wanted);

  /// A collective over the size of its data, or over its ranks, by the first `ranks` ranks.
  static Suite collective(std::string_view call, Varies varies, std::uint32_t ranks, TimeOf time,
                          LeadIn lead_in);
  /// "pingpong-inter", "pingpong-intra": of the two ranks a and b.
  Suite of_pair(std::string_view prefix, std::string_view operation, Pattern pattern, TimeOf time,
                std::uint32_t a, std::uint32_t b) const;

  /// All of them as a measurement of a machine without a name, on the nodes that have one. Points are sorted,
  /// as a document wants them. Among those with the same argument the first counts; `diagnostics` reports the
  /// others ("repeated-points").
  Measurement take(const std::string& path, Diagnostics& diagnostics);

 private:
  Suite* grow(Suite& suite, std::vector<std::uint32_t> ranks);

  JobNodes nodes_;
  std::vector<Suite> suites_;
  std::size_t ranks_ = 0;
};

/// The statistics of a file without samples, where the error of the average is not known.
Point average_point(std::uint64_t argument, double ps);
/// At least one sample.
Point point_of_samples(std::uint64_t argument, std::vector<Duration> samples);
/// 0, 1, ... n - 1.
std::vector<std::uint32_t> first_ranks(std::uint32_t n);

}  // namespace busline::measure
