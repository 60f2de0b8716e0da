// The output of 'busline curve': the run time over a figure of the machine, its breakpoints, how much is
// tolerated.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "documents/fields/cursor.hpp"
#include "models/curve/curve_along.hpp"
#include "sim/base/error.hpp"

namespace busline {

/// A curve with what it is of. `own` is the value that the platform itself has (a speed of 1).
struct CurveReport {
  std::string workload, platform;
  CurveRange range;
  RunTimeCurve curve;
  double own = 0;
  Duration own_run_time;  ///< there, by a run
  std::optional<Duration>
      contended_run_time{};         ///< there, by a run of the model "dimemas"; none: not complete
  std::vector<double> slowdowns{};  ///< shares, such as 0.05: how far may it go for so much?
  std::vector<double> asked{};      ///< values whose run time is wanted
  Diagnostics diagnostics{};
};

/// The same unit that range ends are written in: "1.5 us", "10 GB/s", "2".
std::string value_text(CurveAxis axis, double value);
std::string_view name_of(CurveAxis axis);

/// The largest latency, or smallest bandwidth or speed, at which the run takes at most 1 + `slowdown` times
/// as long as on the platform itself. Nothing if that is not so anywhere on the curve.
std::optional<double> tolerated(const CurveReport& report, double slowdown);

std::string to_text(const CurveReport& report);
/// Schema busline/curve/1.
void describe(Fields& f, CurveReport& report);
nlohmann::ordered_json to_json(const CurveReport& report);
/// A line for each piece, with a heading; columns with units.
std::string to_csv(const CurveReport& report);

}  // namespace busline
