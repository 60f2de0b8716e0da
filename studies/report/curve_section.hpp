// The run time as a function of a figure of the machine: the document that 'busline curve --json' prints
// (docs/how-to/curves.md).
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/document.hpp"
#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "studies/report/figure.hpp"

namespace busline::report {

/// Values are picoseconds of latency, bytes per second, or a factor on the speed of CPUs; infinite if
/// unlimited.
struct StoredCurve {
  enum class Over : std::uint8_t { latency, bandwidth, speed };
  struct Piece {
    double from = 0;
    Duration run_time;
    double slope = 0;
  };
  struct Tolerance {
    double slowdown = 0;
    std::optional<double> value;  ///< none: nowhere in the range
  };
  struct Asked {
    double value = 0;
    Duration run_time;
  };
  std::string workload, platform;
  Over over = Over::latency;
  double from = 0, to = 0, own = 0;
  Duration at_end, own_run_time;
  std::optional<Duration> contended_run_time;
  std::vector<Piece> pieces;
  std::vector<Tolerance> tolerances;
  std::vector<Asked> asked;
};

/// Errors name the member that is missing or wrong.
Expected<StoredCurve> read_curve(const Document& document);

/// A chart of the curve, one of its slope, and a table of its breakpoints. `source` is the document's file.
Section curve_section(const StoredCurve& curve, const std::string& source);

}  // namespace busline::report
