#include "studies/runs/curve_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "documents/fields/names.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "documents/text/written.hpp"
#include "sim/base/quantity.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownPieces = 24;

constexpr Names<CurveAxis, 3> kCurveAxisNames{
    {{"latency", CurveAxis::latency}, {"bandwidth", CurveAxis::bandwidth}, {"speed", CurveAxis::speed}}};

/// What the CSV calls it, and a person.
struct AxisWords {
  std::string_view column, of;
};

AxisWords words(CurveAxis axis) {
  switch (axis) {
    case CurveAxis::latency:
      return {"latency_s", "the network's latency"};
    case CurveAxis::bandwidth:
      return {"bytes_per_s", "the network's bandwidth"};
    case CurveAxis::speed:
      break;
  }
  return {"speed", "the CPUs' speed"};
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
  return name_in(kCurveAxisNames, axis);
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

/// A value of the varied quantity.
struct CurveValue {
  double value = 0;
};
Expected<void> read_value(const Cursor&, CurveValue&) {
  return {};
}
ordered_json write_value(const CurveValue& v) {
  return std::isinf(v.value) ? ordered_json("unlimited") : ordered_json(v.value);
}
ordered_json schema_of(const CurveValue&) {
  auto value = one_schema_of({schema_of(Real{0, 0}), constant_schema("unlimited")});
  value["description"] = "A value of the varied quantity, in its unit.";
  return fields::definition("curve.schema.json#/$defs/value", std::move(value));
}

void describe(Fields& f, CurveReport& r) {
  f.about(
      "docs/how-to/curves.md. Values are seconds, bytes per second, or a factor on CPU speed, depending on "
      "'over'; "
      "\"unlimited\" is a bandwidth or a speed.");
  if (r.curve.pieces.empty()) {  // as in a schema, whose figures do not matter
    r.range = {CurveAxis::latency, 0, 1e-9};
    r.curve.pieces.resize(1);
  }
  f.required("schema", SchemaName{"busline/curve/1"});
  f.required("workload", r.workload, "The last part of its path.");
  f.required("platform", r.platform, "The platform's name.");
  f.required("model", SchemaName{"ideal"}, "The model of the runs.");
  f.required("over", Choice<CurveAxis>{r.range.axis, kCurveAxisNames},
             "The varied quantity: the network's latency, its bandwidth, or the speed of all CPUs.");
  f.required("from", CurveValue{r.range.from}, "Where the curve begins.");
  f.required("to", CurveValue{r.range.to}, "Where it ends.");
  f.required("run_time_at_end_ps", TimeTaken{Duration::picoseconds(r.curve.at(1, 1))}, "Run time at 'to'.");
  f.required("own_value", CurveValue{r.own}, "Of the platform itself.");
  f.required("own_run_time_ps", TimeTaken{r.own_run_time}, "Run time on the unchanged platform.");
  f.required(
      "pieces",
      Also{DescribedList{r.curve.pieces,
                         [&](Fields& o, std::size_t i, Piece& p) {
                           o.required("from", CurveValue{i == 0 ? r.range.from : r.range.value_at(p.from)},
                                      "Where it begins.");
                           o.required("run_time_ps",
                                      TimeTaken{Duration::picoseconds(std::llround(p.line.at(p.from)))},
                                      "At 'from'.");
                           o.required("slope", Real{per_step(r, p), {}},
                                      "On the longest path: latencies, bytes, or picoseconds of computing at "
                                      "speed 1.");
                         }},
           R"({"minItems": 1})"},
      "The straight pieces of the curve from 'from' to 'to', each up to where the next one begins.");
  f.required("tolerances",
             DescribedList{r.slowdowns,
                           [&](Fields& o, std::size_t, double& slowdown) {
                             const auto limit = tolerated(r, slowdown);
                             o.required("slowdown", NotNegative{slowdown}, "A share of own_run_time_ps.");
                             o.required(
                                 "value",
                                 OrNull<CurveValue>{limit ? std::optional(CurveValue{*limit}) : std::nullopt},
                                 "The worst one; null if there is none in the range.");
                           }},
             "How far the value may go until the run is this much slower: --slowdown.");
  f.required("asked",
             DescribedList{r.asked,
                           [&](Fields& o, std::size_t, double& value) {
                             o.required("value", CurveValue{value}, "As asked for.");
                             o.required("run_time_ps",
                                        TimeTaken{Duration::picoseconds(run_time_at(r, value))},
                                        "Run time at that value.");
                           }},
             "The run time at the values of --at.");
  f.required("nodes", Amount{r.curve.nodes}, "Of the graph.");
  f.required("passes", Amount{r.curve.passes}, "Over the graph.");
  f.optional("contended_run_time_ps",
             r.contended_run_time ? std::optional(TimeTaken{*r.contended_run_time}) : std::nullopt,
             "The same with contention, model dimemas; left out if that run is not complete.");
  describe_end(f, r.diagnostics);
}

ordered_json to_json(const CurveReport& r) {
  auto copy = r;
  return written(fields::Object(copy));
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
