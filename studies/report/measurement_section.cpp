#include "studies/report/measurement_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "documents/text/readable.hpp"
#include "measuring/measurement/measurement_fields.hpp"
#include "sim/base/quantity.hpp"
#include "studies/report/launch_figures.hpp"
#include "studies/report/pairs_figures.hpp"

namespace busline::report {
namespace {

using namespace measure;

constexpr std::size_t kMostSentences = 6;
constexpr double kErrors = 2;  // standard errors each way: 95 % of a normal distribution

template <class E, std::size_t N>
std::string measured_name(const Names<E, N>& names, E value) {
  return std::string(name_in(names, value));
}

std::string axis_time_text(double ps) {
  return readable(Duration::from_double(ps));
}

Scale argument_scale(Varies varies) {
  switch (varies) {
    case Varies::bytes:
      return {"message size", Unit::bytes, true};
    case Varies::ranks:
      return {"ranks", Unit::number, false};
    case Varies::nodes:
      return {"nodes", Unit::number, false};
    case Varies::chunks:
      return {"chunks", Unit::number, false};
    case Varies::pairs:
      return {"pairs at once", Unit::number, false};
    case Varies::steps:
      return {"step", Unit::number, false};
    case Varies::nothing:
      break;
  }
  return {"", Unit::number, false};
}

// What is drawn as a curve: pairs and launches have figures of their own, and what takes no time on a machine
// has none.
bool is_curve(const Suite& s) {
  return s.varies != Varies::nothing && s.pattern != Pattern::all_pairs && s.pattern != Pattern::startup &&
         std::any_of(s.points.begin(), s.points.end(),
                     [](const measure::Point& p) { return p.result_ps.value > 0; });
}

bool per_pair(const Suite& s) {
  return std::any_of(s.points.begin(), s.points.end(),
                     [](const measure::Point& p) { return !p.ranks.empty(); });
}

Chart::Curve curve_of(const Suite& suite) {
  Chart::Curve curve{suite.name, per_pair(suite) ? Chart::Style::points : Chart::Style::line, {}};
  for (const auto& p : suite.points) {
    Chart::Sample s{static_cast<double>(p.argument), p.result_ps.value, {}, {}, ""};
    if (p.merged) {
      s.low = p.merged->results_ps.low;
      s.high = p.merged->results_ps.high;
    } else if (p.result_ps.standard_error > 0) {
      s.low = std::max(0.0, s.y - kErrors * p.result_ps.standard_error);
      s.high = s.y + kErrors * p.result_ps.standard_error;
    }
    if (!p.settled) s.name = fmt::format("{}, not settled", suite.name);
    if (p.interpolated) s.name = fmt::format("{}, interpolated", suite.name);
    curve.samples.push_back(std::move(s));
  }
  std::stable_sort(curve.samples.begin(), curve.samples.end(),
                   [](const Chart::Sample& a, const Chart::Sample& b) { return a.x < b.x; });
  return curve;
}

// Messages of the suite's size that go by in one result, in one direction; 0: it is no time of messages.
double messages_in_result(const Suite& s) {
  if (s.varies != Varies::bytes) return 0;
  if (s.pattern == Pattern::pingpong)
    return s.time == TimeOf::round_trip ? 2 : s.time == TimeOf::half_round_trip ? 1 : 0;
  return s.pattern == Pattern::bandwidth && s.time == TimeOf::one_way ? 1 : 0;
}

std::optional<Figure> bandwidth_figure(const Measurement& m) {
  Chart chart{{"message size", Unit::bytes, true}, {"bandwidth", Unit::bandwidth, true}, {}, false};
  for (const auto& suite : m.suites) {
    const auto messages = messages_in_result(suite);
    if (messages == 0 || chart.curves.size() >= kMostCurves) continue;
    auto curve = curve_of(suite);
    for (auto& s : curve.samples) {
      const auto rate = [&](double time) { return messages * s.x / (time * 1e-12); };
      const auto low = s.low, high = s.high;
      s.low.reset(), s.high.reset();
      if (low && *low > 0) s.low = rate(*high), s.high = rate(*low);
      s.y = s.y > 0 ? rate(s.y) : 0;
    }
    std::erase_if(curve.samples, [](const Chart::Sample& s) { return s.y <= 0; });
    if (!curve.samples.empty()) chart.curves.push_back(std::move(curve));
  }
  if (chart.curves.empty()) return std::nullopt;
  return Figure{"Bandwidth", "Message size divided by the one-way time of a message.", std::move(chart)};
}

bool has_errors(const Chart& chart) {
  return std::any_of(chart.curves.begin(), chart.curves.end(), [](const Chart::Curve& c) {
    return std::any_of(c.samples.begin(), c.samples.end(),
                       [](const Chart::Sample& s) { return s.low && s.high && *s.high > *s.low; });
  });
}

void add_curves(const Measurement& m, Section& section) {
  // By what is measured and over what, in the document's order.
  std::vector<std::pair<std::pair<Pattern, Varies>, std::vector<const Suite*>>> groups;
  for (const auto& suite : m.suites) {
    if (!is_curve(suite)) continue;
    const auto key = std::pair(suite.pattern, suite.varies);
    auto at = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == key; });
    if (at == groups.end()) at = groups.insert(groups.end(), {key, {}});
    at->second.push_back(&suite);
  }
  for (const auto& [key, suites] : groups) {
    const auto charts = (suites.size() + kMostCurves - 1) / kMostCurves;
    for (std::size_t i = 0; i < charts; ++i) {
      Chart chart{argument_scale(key.second), {"time", Unit::time, key.second == Varies::bytes}, {}, false};
      for (std::size_t k = i * kMostCurves; k < std::min(suites.size(), (i + 1) * kMostCurves); ++k)
        chart.curves.push_back(curve_of(*suites[k]));
      auto title = fmt::format("{} over {}", measured_name(kPatternNames, key.first),
                               measured_name(kVariesNames, key.second));
      if (charts > 1) title += fmt::format(" ({} of {})", i + 1, charts);
      const bool errors = has_errors(chart);
      const auto* const caption = m.merged
                                      ? "Bars run from the smallest to the largest result of the merged runs."
                                      : "Bars extend two standard errors each way.";
      section.figures.push_back({std::move(title), errors ? caption : "", std::move(chart)});
    }
  }
  if (auto figure = bandwidth_figure(m)) section.figures.push_back(*std::move(figure));
}

Figure suites_table(const Measurement& m) {
  Table table;
  table.columns = {{"suite"},
                   {"operation"},
                   {"pattern"},
                   {"over"},
                   {"between"},
                   {"points"},
                   {"from"},
                   {"to"},
                   {"smallest result", Unit::time},
                   {"largest result", Unit::time},
                   {"largest error", Unit::share}};
  for (const auto& s : m.suites) {
    double least = 0, most = 0, error = 0, from = 0, to = 0;
    for (const auto& p : s.points) {
      const bool first = &p == &s.points.front();
      const auto argument = static_cast<double>(p.argument);
      least = first ? p.result_ps.value : std::min(least, p.result_ps.value);
      most = std::max(most, p.result_ps.value);
      from = first ? argument : std::min(from, argument);
      to = std::max(to, argument);
      if (p.result_ps.value > 0) error = std::max(error, p.result_ps.standard_error / p.result_ps.value);
    }
    std::vector<Table::Cell> row{
        s.name,
        s.operation,
        measured_name(kPatternNames, s.pattern),
        measured_name(kVariesNames, s.varies),
        s.route_class ? measured_name(kRouteClassNames, s.route_class) : std::string(),
        static_cast<double>(s.points.size())};
    const bool any = !s.points.empty(), varies = any && s.varies != Varies::nothing;
    for (const auto& [there, v] :
         {std::pair(varies, from), {varies, to}, {any, least}, {any, most}, {any, error}}) {
      row.emplace_back();
      if (there) row.back() = v;
    }
    table.rows.push_back(std::move(row));
  }
  return {"Suites", "", std::move(table)};
}

std::string pingpong_sentence(const Suite& s) {
  const auto messages = messages_in_result(s);
  if (messages == 0 || s.pattern != Pattern::pingpong || s.points.empty()) return "";
  const auto by_size = std::minmax_element(
      s.points.begin(), s.points.end(),
      [](const measure::Point& a, const measure::Point& b) { return a.argument < b.argument; });
  const auto &small = *by_size.first, &large = *by_size.second;
  auto text = fmt::format("{}: a message of {} takes {}", s.name, to_text(Bytes{small.argument}),
                          axis_time_text(small.result_ps.value / messages));
  if (large.result_ps.value > 0 && large.argument > small.argument)
    text += fmt::format("; messages of {} reach {}", to_text(Bytes{large.argument}),
                        readable(Bandwidth::bytes_per_second(messages * static_cast<double>(large.argument) /
                                                             (large.result_ps.value * 1e-12))));
  return text + ".";
}

void add_sentences(const Measurement& m, Section& section) {
  for (const auto& s : m.suites)
    if (auto text = pingpong_sentence(s); !text.empty() && section.summary.size() < kMostSentences)
      section.summary.push_back(std::move(text));
  std::uint64_t points = 0, unsettled = 0;
  for (const auto& s : m.suites)
    for (const auto& p : s.points) {
      ++points;
      if (!p.settled) ++unsettled;
    }
  section.summary.push_back(
      unsettled == 0
          ? fmt::format("{} of {} measured, all with the requested precision.", readable(points, "point"),
                        readable(m.suites.size(), "suite"))
          : fmt::format("{} of {} measured, {} of them with less than the requested precision.",
                        readable(points, "point"), readable(m.suites.size(), "suite"), readable(unsettled)));
  if (m.budget && !m.budget->left_out.empty())
    section.summary.push_back(
        fmt::format("No time was left for {}.", readable(m.budget->left_out.size(), "further suite")));
}

}  // namespace

Section measurement_section(const Measurement& m, const std::string& source) {
  Section section{"measurement", m.machine.name, source, {}};
  section.facts = {{"testbed", measured_name(kTestbedNames, m.testbed)},
                   {"suites", readable(std::uint64_t{m.suites.size()})}};
  if (!m.machine.nodes.empty())
    section.facts.emplace_back("nodes", readable(std::uint64_t{m.machine.nodes.size()}));
  if (m.clock) section.facts.emplace_back("tick of the clock", readable(m.clock->tick));
  if (!m.machine.mpi.empty()) section.facts.emplace_back("MPI", m.machine.mpi);
  if (m.merged) section.facts.emplace_back("merged from", readable(m.merged->files.size(), "file"));
  add_pairs(m, section);
  add_launches(m, section);
  add_curves(m, section);
  add_sentences(m, section);
  section.figures.push_back(suites_table(m));
  return section;
}

}  // namespace busline::report
