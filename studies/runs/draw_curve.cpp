#include "studies/runs/draw_curve.hpp"

#include <algorithm>
#include <utility>

#include "models/costs/link_bound.hpp"
#include "models/simulate.hpp"
#include "platforms/mapping.hpp"

namespace busline {
namespace {

double own_value(const Platform& platform, CurveAxis axis) {
  const auto& network = platform.machines.front().network;
  if (axis == CurveAxis::latency) return static_cast<double>(network.latency.count()) * 1e-12;
  return axis == CurveAxis::bandwidth ? network.bandwidth.in_bytes_per_second() : 1;
}

}  // namespace

Expected<bool> draw_curve(const Workload& workload, const Platform& platform, CurveReport& report,
                          const std::function<bool(double share, std::string_view step)>& progress) {
  const auto machine = place_ranks(platform, workload.program.ranks());
  if (!machine) return tl::unexpected(machine.error());
  const auto& places = machine->rank_node;
  if (report.range.axis != CurveAxis::speed && std::equal(places.begin() + 1, places.end(), places.begin()))
    report.diagnostics.push_back({.code = "one-node",
                                  .message = "all ranks are on one node, so nothing crosses the network: "
                                             "change the mapping with --set '/mapping=round-robin'"});
  bool goes_on = true;
  const auto step = [&](std::string_view name) {
    return [&, name](double share) { return goes_on = goes_on && progress(share, name); };
  };
  auto curve = curve_along(workload.program, platform, report.range, step("drawing"));
  if (!curve) return tl::unexpected(std::move(curve.error()));
  if (!goes_on) return false;
  report.curve = *std::move(curve);
  report.workload = workload.name;
  report.platform = platform.name;
  report.own = own_value(platform, report.range.axis);
  SimulateOptions how;
  how.model = "ideal";
  const auto own = simulate(workload.program, platform, *machine, how);
  if (!own) return tl::unexpected(own.error());
  report.own_run_time = own->run_time.since_start();
  how.model = "dimemas";
  how.progress = step("replaying with contention");
  const auto contended = simulate(workload.program, platform, *machine, how);
  if (!contended) return tl::unexpected(contended.error());
  if (!goes_on) return false;
  if (contended->status == Result::Status::complete)
    report.contended_run_time = contended->run_time.since_start();
  if (auto fast = link_bound_warning(contended->below_link_bound))
    report.diagnostics.push_back(*std::move(fast));
  return true;
}

}  // namespace busline
