#include "studies/runs/curve_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "documents/text/json_document.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownPieces = 24;

/// What the schema and the CSV call it.
struct AxisWords {
  std::string_view name, column, of;
};

AxisWords words(CurveAxis axis) {
  switch (axis) {
    case CurveAxis::latency:
      return {"latency", "latency_s", "the network's latency"};
    case CurveAxis::bandwidth:
      return {"bandwidth", "bytes_per_s", "the network's bandwidth"};
    case CurveAxis::speed:
      break;
  }
  return {"speed", "speed", "the CPUs' speed"};
}

std::int64_t run_time_at(const CurveReport& r, double value) {
  constexpr std::int64_t kWhole = 1'000'000'000'000'000;
  if (r.range.axis == CurveAxis::latency) {  // to the picosecond
    const auto from = std::llround(r.range.from * 1e12), to = std::llround(r.range.to * 1e12);
    return r.curve.at(std::llround(value * 1e12) - from, to - from);
  }
  return r.curve.at(std::llround(r.range.place_of(value) * static_cast<double>(kWhole)), kWhole);
}

/// The slope in the figure's own terms: latencies on the longest path, bytes, or picoseconds at speed 1.
double per_step(const CurveReport& r, const Piece& p) {
  const auto rise = static_cast<double>(p.line.rise);
  switch (r.range.axis) {
    case CurveAxis::latency:
      return rise / ((r.range.to - r.range.from) * 1e12);
    case CurveAxis::bandwidth:
      return rise / ((1 / r.range.to - 1 / r.range.from) * 1e12);
    case CurveAxis::speed:
      break;
  }
  return rise / (1 / r.range.to - 1 / r.range.from);
}

std::string per_step_text(CurveAxis axis, double slope) {
  switch (axis) {
    case CurveAxis::latency:
      return readable(static_cast<std::uint64_t>(std::llround(slope)));
    case CurveAxis::bandwidth:
      return readable(Bytes{static_cast<std::uint64_t>(std::llround(slope))});
    case CurveAxis::speed:
      break;
  }
  return readable(Duration::picoseconds(std::llround(slope)));
}

std::string_view slope_heading(CurveAxis axis) {
  switch (axis) {
    case CurveAxis::latency:
      return "latencies on the path";
    case CurveAxis::bandwidth:
      return "bytes on the path";
    case CurveAxis::speed:
      break;
  }
  return "computing on the path";
}

std::string contention_text(const CurveReport& r) {
  if (!r.contended_run_time) return {};
  if (*r.contended_run_time == r.own_run_time) return ", with and without contention";
  const auto more = r.contended_run_time->in_seconds() / r.own_run_time.in_seconds() - 1;
  return fmt::format(", and {} ({:+.1f} %) with contention (model dimemas)", readable(*r.contended_run_time),
                     100 * more);
}

std::string tolerance_text(const CurveReport& r) {
  auto text = fmt::format("\nOn the platform itself ({} {}) the run takes {}{}.\n", name_of(r.range.axis),
                          value_text(r.range.axis, r.own), readable(r.own_run_time), contention_text(r));
  for (const auto slowdown : r.slowdowns) {
    const auto limit = tolerated(r, slowdown);
    const bool whole = limit && *limit == r.range.to;
    text +=
        fmt::format("  at most {} slower: {}\n", percent(slowdown),
                    !limit  ? std::string("nowhere in this range")
                    : whole ? fmt::format("all the way to {}", value_text(r.range.axis, *limit))
                            : fmt::format("{} {}", r.range.axis == CurveAxis::latency ? "up to" : "down to",
                                          value_text(r.range.axis, *limit)));
  }
  return text;
}

}  // namespace

std::string_view name_of(CurveAxis axis) {
  return words(axis).name;
}

std::string value_text(CurveAxis axis, double value) {
  switch (axis) {
    case CurveAxis::latency:
      return readable(Duration::from_double(value * 1e12));
    case CurveAxis::bandwidth:
      return readable(std::isinf(value) ? Bandwidth::unlimited() : Bandwidth::bytes_per_second(value));
    case CurveAxis::speed:
      break;
  }
  return fmt::format("{:.5g}", value);
}

std::optional<double> tolerated(const CurveReport& r, double slowdown) {
  const auto most = static_cast<double>(r.own_run_time.count()) * (1 + slowdown);
  const auto place = r.curve.within(most);
  if (place < 0) return std::nullopt;
  if (place == 0) return r.range.from;
  return place == 1 ? r.range.to : r.range.value_at(place);
}

std::string to_text(const CurveReport& r) {
  const auto axis = r.range.axis;
  const auto value = [&](double v) { return value_text(axis, v); };
  auto text = fmt::format("{} on {}, without contention (model ideal)\n", r.workload, r.platform);
  text +=
      fmt::format("Over {}, {} to {}: {}, complete{}.\n\n", words(axis).of, value(r.range.from),
                  value(r.range.to), readable(r.curve.breakpoints(), "breakpoint"),
                  axis == CurveAxis::latency ? " and exact" : ", exact except for the rounding of each time");
  TextTable table({fmt::format("{} from", name_of(axis)), "run time", std::string(slope_heading(axis))});
  const auto& pieces = r.curve.pieces;
  for (std::size_t i = 0; i < std::min(kShownPieces, pieces.size()); ++i) {
    const auto& p = pieces[i];
    table.add({i == 0 ? value(r.range.from) : value(r.range.value_at(p.from)),
               readable(Duration::from_double(p.line.at(p.from))), per_step_text(axis, per_step(r, p))});
  }
  text += table.text();
  if (pieces.size() > kShownPieces)
    text += fmt::format("  and {} more: --csv or --json shows all\n", pieces.size() - kShownPieces);
  text += fmt::format("  at {} the run takes {}\n", value(r.range.to),
                      readable(Duration::picoseconds(r.curve.at(1, 1))));
  for (const auto v : r.asked)
    text += fmt::format("  at {} the run takes {}\n", value(v),
                        readable(Duration::picoseconds(run_time_at(r, v))));
  text += tolerance_text(r);
  if (axis == CurveAxis::latency)
    text +=
        "\nUntil the next line, each picosecond of latency adds as many picoseconds to the run time as the "
        "last column shows.\n";
  return text;
}

ordered_json to_json(const CurveReport& r) {
  const auto number = [](double v) { return std::isinf(v) ? ordered_json("unlimited") : ordered_json(v); };
  ordered_json pieces = ordered_json::array();
  for (std::size_t i = 0; i < r.curve.pieces.size(); ++i) {
    const auto& p = r.curve.pieces[i];
    pieces.push_back({{"from", number(i == 0 ? r.range.from : r.range.value_at(p.from))},
                      {"run_time_ps", std::llround(p.line.at(p.from))},
                      {"slope", per_step(r, p)}});
  }
  ordered_json tolerances = ordered_json::array();
  for (const auto slowdown : r.slowdowns) {
    const auto limit = tolerated(r, slowdown);
    tolerances.push_back({{"slowdown", slowdown}, {"value", limit ? number(*limit) : ordered_json()}});
  }
  ordered_json asked = ordered_json::array();
  for (const auto v : r.asked) asked.push_back({{"value", number(v)}, {"run_time_ps", run_time_at(r, v)}});
  ordered_json j{{"schema", "busline/curve/1"},   {"workload", r.workload},
                 {"platform", r.platform},        {"model", "ideal"},
                 {"over", name_of(r.range.axis)}, {"from", number(r.range.from)},
                 {"to", number(r.range.to)},      {"run_time_at_end_ps", r.curve.at(1, 1)},
                 {"own_value", number(r.own)},    {"own_run_time_ps", r.own_run_time.count()},
                 {"pieces", std::move(pieces)},   {"tolerances", std::move(tolerances)},
                 {"asked", std::move(asked)},     {"nodes", r.curve.nodes},
                 {"passes", r.curve.passes}};
  if (r.contended_run_time) j["contended_run_time_ps"] = r.contended_run_time->count();
  j["diagnostics"] = to_json(r.diagnostics);
  return j;
}

std::string to_csv(const CurveReport& r) {
  auto text = fmt::format("{},run_time_s,slope\n", words(r.range.axis).column);
  const auto line = [&](double value, double run_time, double slope) {
    text += fmt::format("{:.15g},{:.15g},{:.15g}\n", value, run_time * 1e-12, slope);
  };
  for (std::size_t i = 0; i < r.curve.pieces.size(); ++i) {
    const auto& p = r.curve.pieces[i];
    line(i == 0 ? r.range.from : r.range.value_at(p.from), p.line.at(p.from), per_step(r, p));
  }
  line(r.range.to, static_cast<double>(r.curve.at(1, 1)), per_step(r, r.curve.pieces.back()));
  return text;
}

}  // namespace busline
