// What 'busline curve' computes: the curve, and runs with and without contention on the platform itself.
#pragma once
#include <functional>
#include <string_view>

#include "sim/base/error.hpp"
#include "studies/runs/curve_report.hpp"
#include "workloads/load_workload.hpp"

namespace busline {

/// Completes `report`, whose range, slowdowns and asked values are set. Adds its warnings to
/// report.diagnostics, also before an Error. `progress` gets the share of the step that it names; it stops
/// the work by returning false, and the result is then false. Errors: those of place_ranks(), curve_along()
/// and simulate(). Cost: curve_along() and two runs.
Expected<bool> draw_curve(const Workload& workload, const Platform& platform, CurveReport& report,
                          const std::function<bool(double share, std::string_view step)>& progress);

}  // namespace busline
