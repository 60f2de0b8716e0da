#include "validation/calibrate/message_curves.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "measuring/method/statistics.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::calibrate {
namespace {

using measure::Pattern;
using measure::Suite;
using measure::TimeOf;

// Other calls than MPI_Send do other things to a message, or take another time.
bool is_standard_send(std::string_view operation) {
  static constexpr std::array<std::string_view, 8> kOthers{"Bsend",    "Rsend",      "Isend", "Irecv",
                                                           "Sendrecv", "MPI_Iprobe", "Probe", "persistent"};
  return std::none_of(kOthers.begin(), kOthers.end(),
                      [&](std::string_view other) { return operation.find(other) != operation.npos; });
}

std::optional<CurveKind> kind_of(const Suite& suite) {
  if (suite.varies != measure::Varies::bytes || suite.concurrent != 1 || suite.messages == 0)
    return std::nullopt;
  const bool synchronous = suite.operation.find("Ssend") != std::string::npos;
  if (!synchronous && !is_standard_send(suite.operation)) return std::nullopt;
  const bool trip = suite.time == TimeOf::half_round_trip || suite.time == TimeOf::round_trip;
  if (suite.pattern == Pattern::pingpong && trip)
    return synchronous ? CurveKind::synchronous_message : CurveKind::message;
  if (suite.pattern == Pattern::overhead && suite.time == TimeOf::call &&
      suite.operation.starts_with("MPI_Send"))
    return CurveKind::send_call;
  return std::nullopt;
}

int octave(std::uint64_t bytes) {
  return static_cast<int>(std::bit_width(bytes));
}

// A curve is refined where it scatters, which is among small sizes: sixty of them would outvote the five
// beyond the eager limit. Weights add up to the number of points.
void weigh_octaves(MessageCurves& curves) {
  std::map<std::pair<CurveKind, int>, double> in_octave;
  std::map<CurveKind, double> points, octaves;
  for (const auto& p : curves.points) {
    if (++in_octave[{p.kind, octave(p.bytes)}] == 1) ++octaves[p.kind];
    ++points[p.kind];
  }
  for (auto& p : curves.points)
    p.weight = points[p.kind] / octaves[p.kind] / in_octave[{p.kind, octave(p.bytes)}];
}

// `share`: of a result that is one message.
void add_points(MessageCurves& curves, const Suite& suite, CurveKind kind, double share) {
  std::size_t most = 0;
  for (const auto& p : suite.points) most = std::max(most, p.samples.size());
  for (const auto& p : suite.points) {
    if (p.interpolated) continue;
    CurvePoint point{kind, p.argument, share * p.result_ps.value, {}};
    for (const auto sample : p.samples)
      point.samples_ps.push_back(
          share * std::max(0.0, static_cast<double>(sample.count()) - suite.overhead_ps.value));
    if (kind == CurveKind::send_call && most > 1) {  // see send_call
      if (point.samples_ps.size() == 1) continue;
      point.samples_ps.erase(point.samples_ps.begin());
    }
    if (!point.samples_ps.empty()) point.ps = middle(point.samples_ps);
    curves.points.push_back(std::move(point));
  }
  curves.suites.push_back(suite.name);
}

}  // namespace

bool MessageCurves::has(CurveKind kind) const {
  return std::any_of(points.begin(), points.end(), [=](const CurvePoint& p) { return p.kind == kind; });
}

double middle(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return measure::trimmed_mean(samples, 0.25).value;
}

double redrawn_middle(const CurvePoint& point, Random& random) {
  if (point.samples_ps.size() < 2) return point.ps;
  std::vector<double> drawn(point.samples_ps.size());
  for (auto& d : drawn) d = point.samples_ps[random.below(static_cast<std::uint32_t>(drawn.size()))];
  return middle(std::move(drawn));
}

MessageCurves message_curves(const std::vector<Suite>& suites, measure::RouteClass where) {
  MessageCurves curves;
  for (const auto& suite : suites) {
    const auto kind = kind_of(suite);
    if (!kind || suite.route_class != where || suite.points.empty()) continue;
    add_points(curves, suite, *kind, suite.time == TimeOf::round_trip ? 0.5 : 1);
  }
  weigh_octaves(curves);
  return curves;
}

MessageCurves call_curves(const std::vector<Suite>& suites, std::string_view operation, std::uint64_t below) {
  MessageCurves curves;
  for (const auto& suite : suites) {
    if (suite.pattern != Pattern::overhead || suite.operation != operation || suite.time != TimeOf::call ||
        suite.varies != measure::Varies::bytes || suite.route_class != measure::RouteClass::inter_node)
      continue;
    auto calls = suite;
    std::erase_if(calls.points, [=](const measure::Point& p) { return p.argument >= below; });
    if (!calls.points.empty()) add_points(curves, calls, CurveKind::message, 1);
  }
  weigh_octaves(curves);
  return curves;
}

bool is_of_self(const Suite& suite) {
  return suite.operation == kSendrecvSelf && suite.varies == measure::Varies::bytes && suite.messages > 0;
}

MessageCurves self_curves(const std::vector<Suite>& suites) {
  MessageCurves curves;
  for (const auto& suite : suites)
    if (is_of_self(suite) && !suite.points.empty()) add_points(curves, suite, CurveKind::message, 1);
  weigh_octaves(curves);
  return curves;
}

}  // namespace busline::calibrate
