// Statistics of a LinkTest run for reports and calibration: spread by kind of pair, steps, ranks, slow links
// (docs/reference/linktest.md, "The report").
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "measuring/linktest/linktest_result.hpp"
#include "measuring/linktest/spread.hpp"
#include "sim/base/units.hpp"

namespace busline::linktest {

/// Whether it is a time that can be: finite and greater than 0.
bool is_time(double seconds);

/// Whether the two ranks were paired and the time is possible. Statistics use only these.
bool is_measured(const Iteration& iteration, std::uint32_t initiator, std::uint32_t responder);

/// A time and whose it is.
struct TimedPair {
  std::uint32_t initiator = 0, responder = 0;
  double seconds = 0;
};

/// The `count` largest times, or all if there are fewer, the largest first; equal ones by initiator and
/// responder.
std::vector<TimedPair> slowest_of(const Iteration& iteration, std::size_t count);

/// The node of each rank, by the names of the hosts, counted as they appear.
std::vector<std::uint32_t> nodes_of(const LinkTestResult& result);

/// Whether two ranks are on the same node.
enum class PairClass : std::uint8_t { within_node, between_nodes };
inline constexpr std::size_t kPairClasses = 2;
constexpr PairClass class_of(std::uint32_t node, std::uint32_t other) {
  return node == other ? PairClass::within_node : PairClass::between_nodes;
}

/// The bandwidth of a time: the message size divided by it, and twice that if messages go in both directions
/// at once. `seconds` is greater than 0.
Bandwidth bandwidth_of(const Settings& settings, double seconds);

/// Bins of equal ratio from the least to the largest time of all pairs.
struct Histogram {
  struct Bin {
    double from = 0, to = 0;  ///< seconds; `to` belongs to the last bin only
    std::array<std::uint64_t, kPairClasses> pairs{};
  };
  std::vector<Bin> bins;
};

struct StepFigures {
  std::uint32_t step = 0;  ///< from 1
  std::uint64_t times = 0;
  double min = 0, mean = 0, max = 0;  ///< seconds
  /// For all pairs together, measured at the same time: the sum of their bandwidths, taking the mean of each
  /// pair's two directions. Not in a serial run.
  std::optional<Bandwidth> bisection;
};

/// A rank on one side of its measurements. With no times both are 0.
struct SideFigures {
  double mean = 0, max = 0;  ///< seconds
  std::uint32_t slowest_partner = 0;
};
struct RankFigures {
  SideFigures initiator, responder;
};

enum class Verdict : std::uint8_t {
  ordinary,      ///< the slowest pairs, but not slow
  transient,     ///< was slow, and was not when it was measured again alone
  reproducible,  ///< slow both times: a bad link, or a partner that is far away
  not_retested,  ///< slow, and measured once
};

/// "Slow" is a time above kSlowFactor times the median of the pair's class.
inline constexpr double kSlowFactor = 1.1;

struct SlowPair {
  std::uint32_t initiator = 0, responder = 0;
  PairClass kind = PairClass::within_node;
  double first = 0;              ///< seconds
  std::optional<double> second;  ///< the retest
  Verdict verdict = Verdict::not_retested;
};

struct Analysis {
  std::uint64_t left_out = 0;  ///< pairs that met and whose time is none
  Spread all;
  std::array<Spread, kPairClasses> classes;
  Histogram histogram;
  std::vector<StepFigures> steps;
  std::vector<RankFigures> ranks;
  std::vector<SlowPair> slow;  ///< the slowest first: those that were measured again, else the slowest ten
};

/// For one iteration whose pairs are known. Passes about twenty times over its times, which may be very many,
/// without copying them.
Analysis analyse(const LinkTestResult& result, const Iteration& iteration);

}  // namespace busline::linktest
