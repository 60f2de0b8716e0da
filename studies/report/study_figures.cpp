#include "studies/report/study_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "documents/text/readable.hpp"
#include "studies/report/study_effects.hpp"
#include "studies/report/study_sentences.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kMostFailures = 1000;
constexpr std::size_t kMostStateBars = 24;

// A column of the figure: a stored figure, or what is made of some.
struct StudyColumn {
  Points::Column shown;
  std::optional<double> (*of)(const Outcome& o, std::optional<double> to_base);
};

template <Outcome::Figure Outcome::*figure>
std::optional<double> stored(const Outcome& o, std::optional<double>) {
  if (!o.is_done() || !(o.*figure)) return std::nullopt;
  return static_cast<double>(*(o.*figure));
}

// As a share of the run time.
template <Outcome::Figure Outcome::*figure>
std::optional<double> share(const Outcome& o, std::optional<double>) {
  if (!o.is_done() || !(o.*figure) || !o.run_time_ps || *o.run_time_ps <= 0) return std::nullopt;
  return static_cast<double>(*(o.*figure)) / static_cast<double>(*o.run_time_ps);
}

std::optional<double> to_base(const Outcome&, std::optional<double> to_base) {
  return to_base;
}

std::optional<double> load_balance(const Outcome& o, std::optional<double>) {
  if (!o.is_done() || !o.compute_ps || !o.largest_compute_ps || *o.largest_compute_ps <= 0)
    return std::nullopt;
  return static_cast<double>(*o.compute_ps) / static_cast<double>(*o.largest_compute_ps);
}

const std::vector<StudyColumn>& all_columns() {
  static const std::vector<StudyColumn> kColumns{
      {{{"bandwidth", Unit::bandwidth}, true, true}, stored<&Outcome::bytes_per_s>},
      {{{"run time", Unit::time}, false, true}, stored<&Outcome::run_time_ps>},
      {{{"time / base", Unit::multiple}, false, true}, to_base},
      {{{"efficiency", Unit::share}, true}, share<&Outcome::compute_ps>},
      {{{"load balance", Unit::share}, true}, load_balance},
      {{{"waiting for messages", Unit::share}}, share<&Outcome::wait_ps>},
      {{{"collectives", Unit::share}}, share<&Outcome::collective_ps>},
      {{{"waiting in collectives", Unit::share}}, share<&Outcome::collective_wait_ps>},
      {{{"latency on CPUs", Unit::share}}, share<&Outcome::latency_ps>},
      {{{"waiting for CPUs", Unit::share}}, share<&Outcome::cpu_wait_ps>},
      {{{"wait for links", Unit::time}}, stored<&Outcome::link_wait_ps>},
      {{{"wait for buses", Unit::time}}, stored<&Outcome::bus_wait_ps>},
      {{{"path: computing", Unit::share}, true}, share<&Outcome::path_compute_ps>},
      {{{"path: transfers", Unit::share}}, share<&Outcome::path_transfer_ps>},
      {{{"path: latency", Unit::share}}, share<&Outcome::path_latency_ps>},
      {{{"path: waiting for output links", Unit::share}}, share<&Outcome::path_wait_out_link_ps>},
      {{{"path: waiting for input links", Unit::share}}, share<&Outcome::path_wait_in_link_ps>},
      {{{"path: waiting for buses", Unit::share}}, share<&Outcome::path_wait_bus_ps>},
      {{{"path: collectives", Unit::share}}, share<&Outcome::path_collective_ps>},
      {{{"path: other waits", Unit::share}}, share<&Outcome::path_other_ps>},
      {{{"latencies in the run time", Unit::number}}, stored<&Outcome::slope_latency>},
      {{{"messages", Unit::number}}, stored<&Outcome::messages>},
      {{{"bytes", Unit::bytes}}, stored<&Outcome::bytes>}};
  return kColumns;
}

// Those that tell something: a share that is 0 everywhere does not. Of several workloads, times have to be of
// a base to be side by side.
std::vector<StudyColumn> columns_of(const GatheredStudy& g) {
  std::vector<StudyColumn> used;
  for (auto column : all_columns()) {
    bool any = false;
    std::map<const Comparison::Workload*, std::pair<double, double>> ranges;
    for (const auto& p : g.points) {
      const auto v = column.of(p.outcome, g.compared.to_base(p));
      any = any || (v && *v != 0);
      if (!v || *v <= 0) continue;
      auto& [low, high] = ranges.try_emplace(&g.compared.workload_of(p), *v, *v).first->second;
      low = std::min(low, *v);
      high = std::max(high, *v);
    }
    if (!any) continue;
    const bool positive = column.shown.scale.unit != Unit::share;
    column.shown.scale.logarithmic = positive && std::any_of(ranges.begin(), ranges.end(), [](const auto& r) {
                                       return spans_widely(r.second.first, r.second.second);
                                     });
    used.push_back(column);
  }
  if (g.compared.several())
    std::stable_partition(used.begin(), used.end(), [](const StudyColumn& c) { return c.of == to_base; });
  return used;
}

Points::Point placed(const GatheredStudy& g, const PointOutcome& p) {
  Points::Point point{p.point, {}, {}};
  for (std::size_t k = 0; k < g.axes.size(); ++k)
    point.places.push_back(g.axes[k].places.at(p.values[k].json));
  return point;
}

// What is drawn over what: first what matters most.
void choose_axes(const GatheredStudy& g, Points& all) {
  std::vector<std::size_t> order;
  for (const auto& e : effects_of(g)) order.push_back(e.axis);
  for (const bool of_workloads : {false, true})
    for (std::size_t i = 0; i < g.axes.size(); ++i)
      if (g.axes[i].varies() && g.axes[i].axis.of_workloads == of_workloads &&
          std::find(order.begin(), order.end(), i) == order.end())
        order.push_back(i);
  if (!order.empty()) all.over = order[0];
  if (order.size() > 1 && !g.axes[order[1]].axis.of_workloads) all.by = order[1];
}

std::string question(const GatheredStudy& g, double within) {
  const auto varied = g.varied();
  if (varied.empty()) return "The points";
  const bool times = std::any_of(g.points.begin(), g.points.end(),
                                 [](const PointOutcome& p) { return p.outcome.run_time_ps.has_value(); });
  return fmt::format("{} within {:g} % of the best{}: which {}?", times ? "Run time" : "Result", within * 100,
                     g.compared.several() ? " of each workload" : "", varied);
}

// Where the time of a rank goes: names as in the section of a run, so that pages give them the same colours.
constexpr std::array<FigureColumn, 6> kRankParts{{{"compute", &Outcome::compute_ps},
                                                  {"waiting for messages", &Outcome::wait_ps},
                                                  {"collectives", &Outcome::collective_ps},
                                                  {"waiting in collectives", &Outcome::collective_wait_ps},
                                                  {"waiting for a CPU", &Outcome::cpu_wait_ps},
                                                  {"latency on the CPU", &Outcome::latency_ps}}};

}  // namespace

Figure points_figure(const GatheredStudy& g, double within) {
  Points all;
  all.combined = g.combined;
  all.within = within;
  for (const auto& axis : g.axes) all.axes.push_back(axis.axis);
  choose_axes(g, all);
  const auto columns = columns_of(g);
  for (const auto& column : columns) all.columns.push_back(column.shown);
  const auto count = std::min(g.points.size(), kMostPagePoints);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& p = g.points[i];
    auto point = placed(g, p);
    for (const auto& column : columns) point.figures.push_back(column.of(p.outcome, g.compared.to_base(p)));
    all.points.push_back(std::move(point));
  }
  all.mix_name = mix_name(g);
  for (const auto& mix : g.compared.mixes()) {
    if (all.mix.size() == kMostPagePoints) break;
    auto point = placed(g, mix.first);
    for (const auto& column : columns)
      point.figures.push_back(column.of == to_base ? std::optional(mix.to_base) : std::nullopt);
    all.mix.push_back(std::move(point));
  }
  std::string caption = "Times of ranks are means over the ranks; shares are of the run time.";
  if (!g.compared.base_text().empty()) caption += fmt::format(" The base is {}.", g.compared.base_text());
  if (count < g.points.size())
    caption += fmt::format(" The first {} of {} points are shown.", readable(std::uint64_t{count}),
                           readable(std::uint64_t{g.points.size()}));
  return {question(g, within), std::move(caption), std::move(all)};
}

std::optional<Figure> states_figure(const GatheredStudy& g) {
  const auto can = [&](const PointOutcome& p) { return p.outcome.compute_ps && g.compared.to_base(p); };
  std::vector<const PointOutcome*> shown;
  const bool all = g.points.size() <= kMostStateBars;
  for (const auto& w : g.compared.workloads()) {
    const auto is_extreme = [&](const PointOutcome& p) {
      return (w.base && p.point == w.base->point) || (w.best && p.point == w.best->point);
    };
    for (const auto& p : g.points)
      if (&g.compared.workload_of(p) == &w && can(p) && (all || is_extreme(p))) shown.push_back(&p);
  }
  if (shown.size() < 2 || shown.size() > 2 * kMostStateBars || !g.compared.compares()) return std::nullopt;
  const bool paths =
      std::all_of(shown.begin(), shown.end(), [](const PointOutcome* p) { return p->outcome.has_path(); });
  const auto parts = paths ? std::span<const FigureColumn>(kPathParts) : kRankParts;
  Bars bars{{"time / base", Unit::multiple}, {}, {}};
  for (const auto& part : parts) bars.parts.emplace_back(part.name);
  if (!paths) bars.parts.emplace_back("after its end");
  for (const auto* p : shown) {
    const auto& workload = g.compared.workload_of(*p);
    const bool is_base = workload.base && workload.base->point == p->point;
    const auto choice = all ? g.choice(*p) : std::string(is_base ? "base" : "best");
    const auto name = g.compared.several() ? fmt::format("{}: {}", workload.name, choice) : choice;
    Bars::Row row{name, {}};
    const auto base = *workload.base_cost();
    auto rest = static_cast<double>(*p->outcome.run_time_ps) / base;
    for (const auto& part : parts) {
      row.values.push_back(static_cast<double>((p->outcome.*part.figure).value_or(0)) / base);
      rest -= row.values.back();
    }
    if (!paths) row.values.push_back(std::max(rest, 0.0));
    bars.rows.push_back(std::move(row));
  }
  return Figure{
      paths ? "What the critical path consists of" : "Where the time of ranks goes",
      fmt::format("{}Each workload is relative to its own base.{}", paths ? "" : "Means over the ranks. ",
                  all ? "" : " The base and the best point of each."),
      std::move(bars)};
}

Figure failures_figure(const GatheredStudy& g) {
  Table table;
  table.columns = {{"point"}, {"where"}, {"status"}, {"reason"}};
  std::size_t failed = 0;
  for (const auto& p : g.points) {
    if (p.outcome.is_done() || ++failed > kMostFailures) continue;
    table.rows.push_back(
        {static_cast<double>(p.point), g.where(p), std::string(name_of(p.outcome.status)), p.outcome.reason});
  }
  return {"Points without a result",
          failed > kMostFailures
              ? fmt::format("The first {} of {}.", kMostFailures, readable(std::uint64_t{failed}))
              : std::string(),
          std::move(table)};
}

}  // namespace busline::report
