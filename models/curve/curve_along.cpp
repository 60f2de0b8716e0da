#include "models/curve/curve_along.hpp"

#include <fmt/format.h>

#include <cmath>

#include "platforms/mapping.hpp"

namespace busline {
namespace {

/// The quantity that changes linearly along the interval.
double even(CurveAxis axis, double value) {
  return axis == CurveAxis::latency ? value : 1 / value;
}

Expected<void> check_range(const CurveRange& range, const Platform& platform) {
  Error e;
  e.kind = Error::Kind::bad_option;
  for (const auto value : {range.from, range.to}) {
    const bool latency = range.axis == CurveAxis::latency;
    if (!(value >= 0) || (latency ? std::isinf(value) : value == 0)) {
      e.message = latency ? "a curve over latencies needs two values of 0s or more"
                          : "a curve needs two values above zero";
      return tl::unexpected(std::move(e));
    }
    if (latency && platform.preset == Preset::dimemas_5_5 && value < 1e-9) {
      e.message = "the preset dimemas-5.5 treats latencies below 1 ns as 0";
      e.hint = "begin at 1ns";
      return tl::unexpected(std::move(e));
    }
  }
  if (range.from != range.to) return {};
  e.message = "the two ends of the curve are the same";
  return tl::unexpected(std::move(e));
}

}  // namespace

double CurveRange::place_of(double value) const {
  return (even(axis, value) - even(axis, from)) / (even(axis, to) - even(axis, from));
}

double CurveRange::value_at(double place) const {
  const auto evenly = even(axis, from) + place * (even(axis, to) - even(axis, from));
  return axis == CurveAxis::latency ? evenly : 1 / evenly;
}

Platform changed(const Platform& platform, CurveAxis axis, double value) {
  auto p = platform;
  for (auto& machine : p.machines) {
    if (axis == CurveAxis::latency) machine.network.latency = Duration::from_double(value * 1e12);
    if (axis == CurveAxis::bandwidth)
      machine.network.bandwidth =
          std::isinf(value) ? Bandwidth::unlimited() : Bandwidth::bytes_per_second(value);
    if (axis == CurveAxis::speed)
      for (auto& group : machine.nodes) group.relative_speed *= value;
  }
  return p;
}

Expected<RunTimeCurve> curve_along(const Program& program, const Platform& platform, const CurveRange& range,
                                   const std::function<bool(double)>& progress) {
  if (auto fits = check_range(range, platform); !fits) return tl::unexpected(std::move(fits.error()));
  const auto from = changed(platform, range.axis, range.from), to = changed(platform, range.axis, range.to);
  const auto from_machine = place_ranks(from, program.ranks());
  if (!from_machine) return tl::unexpected(from_machine.error());
  const auto to_machine = place_ranks(to, program.ranks());
  if (!to_machine) return tl::unexpected(to_machine.error());
  return run_time_curve(program, {from, *from_machine}, {to, *to_machine}, progress);
}

}  // namespace busline
