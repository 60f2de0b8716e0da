#include "studies/report/curve_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "documents/text/readable.hpp"
#include "studies/report/members.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kCurveSamples = 200;  // of a curve that is not straight between its breakpoints

struct OverWords {
  std::string_view name, of, slope;
  Unit unit, slope_unit;
};

const OverWords& words_over(StoredCurve::Over over) {
  static constexpr std::array<OverWords, 3> kWords{
      {{"latency", "the network's latency", "latencies on the longest path", Unit::time, Unit::number},
       {"bandwidth", "the network's bandwidth", "bytes on the longest path", Unit::bandwidth, Unit::bytes},
       {"speed", "the speed of CPUs", "computing on the longest path, at speed 1", Unit::number,
        Unit::time}}};
  return kWords[static_cast<std::size_t>(over)];
}

std::string value_on_curve(StoredCurve::Over over, double value) {
  switch (over) {
    case StoredCurve::Over::latency:
      return readable(Duration::from_double(value));
    case StoredCurve::Over::bandwidth:
      return readable(std::isinf(value) ? Bandwidth::unlimited() : Bandwidth::bytes_per_second(value));
    case StoredCurve::Over::speed:
      break;
  }
  return std::isinf(value) ? "unlimited" : fmt::format("{:.5g}", value);
}

// The run time is linear in a latency, but in the inverse of a bandwidth and of a speed.
double evenly(StoredCurve::Over over, double value) {
  return over == StoredCurve::Over::latency ? value : 1 / value;
}

Scale curve_scale(const StoredCurve& c) {
  const auto& words = words_over(c.over);
  const auto [least, most] = std::minmax(c.from, c.to);
  return {std::string(words.name), words.unit, spans_widely(least, most)};
}

Chart::Curve line_between(const StoredCurve& c) {
  Chart::Curve line{"without contention", Chart::Style::line, {}};
  const auto steps =
      c.over == StoredCurve::Over::latency ? 1 : std::max<std::size_t>(2, kCurveSamples / c.pieces.size());
  for (std::size_t i = 0; i < c.pieces.size(); ++i) {
    const auto& piece = c.pieces[i];
    const bool last = i + 1 == c.pieces.size();
    const auto end = last ? c.to : c.pieces[i + 1].from;
    const auto end_time = ps(last ? c.at_end : c.pieces[i + 1].run_time);
    const auto begin = evenly(c.over, piece.from), length = evenly(c.over, end) - begin;
    for (std::size_t k = 0; k < steps + (last ? 1 : 0); ++k) {
      const auto part = static_cast<double>(k) / static_cast<double>(steps);
      const auto x = k == 0 ? piece.from : k == steps ? end : evenly(c.over, begin + part * length);
      if (std::isfinite(x))
        line.samples.push_back({x, ps(piece.run_time) + part * (end_time - ps(piece.run_time)), {}, {}, ""});
    }
  }
  if (c.over != StoredCurve::Over::latency) std::reverse(line.samples.begin(), line.samples.end());
  return line;
}

Figure curve_figure(const StoredCurve& c) {
  Chart chart{curve_scale(c), {"run time", Unit::time}, {line_between(c)}};
  chart.curves.push_back(
      {"the platform itself", Chart::Style::points, {{c.own, ps(c.own_run_time), {}, {}, ""}}});
  if (c.contended_run_time)
    chart.curves.push_back({"the platform itself, with contention",
                            Chart::Style::points,
                            {{c.own, ps(*c.contended_run_time), {}, {}, ""}}});
  return {fmt::format("Run time over {}", words_over(c.over).name),
          "Every breakpoint, not samples: between two of them the longest path stays the same.",
          std::move(chart)};
}

Figure slope_figure(const StoredCurve& c) {
  Chart chart{curve_scale(c), {std::string(words_over(c.over).slope), words_over(c.over).slope_unit}, {}};
  Chart::Curve steps{chart.y.label, Chart::Style::steps, {}};
  const bool rising = c.over == StoredCurve::Over::latency;
  // A step holds from its x to the next one's, so that of a falling axis begins where the next piece does.
  for (std::size_t i = 0; i < c.pieces.size(); ++i) {
    const auto end = i + 1 < c.pieces.size() ? c.pieces[i + 1].from : c.to;
    steps.samples.push_back({rising ? c.pieces[i].from : end, c.pieces[i].slope, {}, {}, ""});
  }
  if (!rising) std::reverse(steps.samples.begin(), steps.samples.end());
  if (const auto last = std::max(c.from, c.to); std::isfinite(last))
    steps.samples.push_back({last, steps.samples.back().y, {}, {}, ""});
  chart.curves.push_back(std::move(steps));
  return {"What the run time depends on", "The slope of the curve.", std::move(chart)};
}

Figure breakpoint_table(const StoredCurve& c) {
  const auto& words = words_over(c.over);
  Table table;
  table.columns = {{fmt::format("{} from", words.name), words.unit},
                   {"run time", Unit::time},
                   {std::string(words.slope), words.slope_unit}};
  for (const auto& p : c.pieces)
    table.rows.push_back(
        {std::isfinite(p.from) ? Table::Cell(p.from) : Table::Cell("unlimited"), ps(p.run_time), p.slope});
  return {"Breakpoints", "", std::move(table)};
}

std::vector<std::string> curve_sentences(const StoredCurve& c) {
  const auto value = [&](double v) { return value_on_curve(c.over, v); };
  std::string contended;
  if (c.contended_run_time == c.own_run_time)
    contended = ", with and without contention";
  else if (c.contended_run_time && c.own_run_time > Duration())
    contended = fmt::format(" without contention, and {} ({}) with it", readable(*c.contended_run_time),
                            signed_percent(ps(*c.contended_run_time) / ps(c.own_run_time) - 1));
  const auto& words = words_over(c.over);
  std::vector<std::string> text{
      fmt::format("On the platform itself ({} {}) the run takes {}{}.", words.name, value(c.own),
                  readable(c.own_run_time), contended),
      fmt::format("From {} to {} of {} the run time rises from {} to {}; the curve has {}.", value(c.from),
                  value(c.to), words.of, readable(c.pieces.front().run_time), readable(c.at_end),
                  readable(std::uint64_t{c.pieces.size() - 1}, "breakpoint"))};
  for (const auto& t : c.tolerances)
    text.push_back(
        !t.value ? fmt::format("Nowhere in this range is the run at most {} slower than on the platform.",
                               percent(t.slowdown))
                 : fmt::format("At most {} slower: {} {}.", percent(t.slowdown),
                               *t.value == c.to                       ? "all the way to"
                               : c.over == StoredCurve::Over::latency ? "up to"
                                                                      : "down to",
                               value(*t.value)));
  for (const auto& a : c.asked)
    text.push_back(fmt::format("At {} the run takes {}.", value(a.value), readable(a.run_time)));
  return text;
}

}  // namespace

Expected<StoredCurve> read_curve(const Document& document) {
  const Cursor top(document);
  Members m(top);
  StoredCurve c;
  std::string over;
  m.text("over", over);
  for (const auto o : {StoredCurve::Over::latency, StoredCurve::Over::bandwidth, StoredCurve::Over::speed})
    if (words_over(o).name == over) c.over = o;
  if (!m.error() && words_over(c.over).name != over)
    return tl::unexpected(top.member("over")->expected("\"latency\", \"bandwidth\" or \"speed\""));
  const bool is_latency = c.over == StoredCurve::Over::latency;
  const auto value = [&](Members& at, std::string_view key, double& out) {
    if (!is_latency && at.is_text(key, "unlimited"))
      out = std::numeric_limits<double>::infinity();
    else
      at.number(key, out);
    if (is_latency) out *= 1e12;
  };
  m.text("workload", c.workload);
  m.text("platform", c.platform);
  value(m, "from", c.from);
  value(m, "to", c.to);
  m.time("run_time_at_end_ps", c.at_end);
  value(m, "own_value", c.own);
  m.time("own_run_time_ps", c.own_run_time);
  m.time("contended_run_time_ps", c.contended_run_time);
  m.list("pieces", [&](Members& p) {
    auto& piece = c.pieces.emplace_back();
    value(p, "from", piece.from);
    p.time("run_time_ps", piece.run_time);
    p.number("slope", piece.slope);
  });
  m.list("tolerances", [&](Members& t) {
    auto& tolerance = c.tolerances.emplace_back();
    t.number("slowdown", tolerance.slowdown);
    if (!t.is_null("value")) value(t, "value", tolerance.value.emplace());
  });
  m.list("asked", [&](Members& a) {
    auto& asked = c.asked.emplace_back();
    value(a, "value", asked.value);
    a.time("run_time_ps", asked.run_time);
  });
  if (m.error()) return tl::unexpected(*m.error());
  if (c.pieces.empty()) return tl::unexpected(top.member("pieces")->expected("one piece or more"));
  return c;
}

Section curve_section(const StoredCurve& c, const std::string& source) {
  Section s{"curve", fmt::format("{} on {}, over {}", c.workload, c.platform, words_over(c.over).name),
            source, curve_sentences(c)};
  s.figures = {curve_figure(c), slope_figure(c), breakpoint_table(c)};
  return s;
}

}  // namespace busline::report
