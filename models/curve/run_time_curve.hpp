// The run time without contention as a function of one parameter of the machine: every breakpoint on an
// interval, instead of samples.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/curve/pieces.hpp"
#include "platforms/description/platform.hpp"
#include "sim/base/error.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/machine.hpp"

namespace busline {

/// One end of the interval: a complete machine.
struct CurveEnd {
  const Platform& platform;
  const Machine& machine;
};

/// The run time of the model `ideal` between one machine (0) and another (1), where every time changes
/// linearly between the two: a latency, the time per byte, or the time on a CPU. Convex: lines of increasing
/// slope.
struct RunTimeCurve {
  std::vector<Piece> pieces;
  std::size_t nodes = 0;   ///< of the graph
  std::size_t passes = 0;  ///< over the graph
  std::size_t bytes = 0;   ///< of memory for it

  std::size_t breakpoints() const { return pieces.size() - 1; }
  /// Picoseconds at the fraction `part` / `whole`. Exact where all times are whole there; else within the
  /// rounding of the times on the longest path.
  std::int64_t at(std::int64_t part, std::int64_t whole) const;
  /// The largest fraction at which the run takes at most `most` ps; below 0 if it exceeds that from the
  /// start, 1 if it never does.
  double within(double most) const;
};

/// Builds the graph of the run and finds all breakpoints. `progress` gets the share of the program in the
/// graph, then 1 for each pass, and stops the work by returning false: the curve then has no pieces. Errors:
/// the ends place the program differently, or name other algorithms; the program's order depends on time
/// (receives from any source, probes, several threads of a rank, more ranks than CPUs, non-blocking
/// collectives that are algorithms); it deadlocks.
/// Cost: one run, then a pass over the graph (some ns per node) for each of at most 2 b + 1 evaluations.
Expected<RunTimeCurve> run_time_curve(const Program& program, const CurveEnd& from, const CurveEnd& to,
                                      const std::function<bool(double)>& progress = {});

}  // namespace busline
