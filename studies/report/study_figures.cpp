#include "studies/report/study_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "documents/text/readable.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kMostFailures = 1000;

// A column of the figure: a stored figure, or what is made of some.
struct StudyColumn {
  Points::Column shown;
  std::optional<double> (*of)(const Outcome& o, double best);
};

template <Outcome::Figure Outcome::*figure>
std::optional<double> stored(const Outcome& o, double) {
  if (!o.is_done() || !(o.*figure)) return std::nullopt;
  return static_cast<double>(*(o.*figure));
}

// As a share of the run time.
template <Outcome::Figure Outcome::*figure>
std::optional<double> share(const Outcome& o, double) {
  if (!o.is_done() || !(o.*figure) || !o.run_time_ps || *o.run_time_ps <= 0) return std::nullopt;
  return static_cast<double>(*(o.*figure)) / static_cast<double>(*o.run_time_ps);
}

std::optional<double> to_best(const Outcome& o, double best) {
  const auto here = cost_of(o);
  if (!here) return std::nullopt;
  return *here / best;
}

std::optional<double> load_balance(const Outcome& o, double) {
  if (!o.is_done() || !o.compute_ps || !o.largest_compute_ps || *o.largest_compute_ps <= 0)
    return std::nullopt;
  return static_cast<double>(*o.compute_ps) / static_cast<double>(*o.largest_compute_ps);
}

const std::vector<StudyColumn>& all_columns() {
  static const std::vector<StudyColumn> kColumns{
      {{{"bandwidth", Unit::bandwidth}, true}, stored<&Outcome::bytes_per_s>},
      {{{"run time", Unit::time}}, stored<&Outcome::run_time_ps>},
      {{{"time / best", Unit::multiple}}, to_best},
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

// Those that tell something: a share that is 0 everywhere does not.
std::vector<StudyColumn> columns_of(const GatheredStudy& g, double best) {
  std::vector<StudyColumn> used;
  for (const auto& column : all_columns())
    if (std::any_of(g.points.begin(), g.points.end(), [&](const PointOutcome& p) {
          const auto v = column.of(p.outcome, best);
          return v && *v != 0;
        }))
      used.push_back(column);
  return used;
}

}  // namespace

Figure points_figure(const GatheredStudy& g, double best) {
  Points all;
  all.combined = g.combined;
  for (const auto& axis : g.axes) all.axes.push_back(axis.axis);
  const auto columns = columns_of(g, best);
  for (const auto& column : columns) all.columns.push_back(column.shown);
  const auto count = std::min(g.points.size(), kMostPagePoints);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& p = g.points[i];
    Points::Point point{p.point, {}, {}};
    for (std::size_t k = 0; k < g.axes.size(); ++k)
      point.places.push_back(g.axes[k].places.at(p.values[k].json));
    for (const auto& column : columns) point.figures.push_back(column.of(p.outcome, best));
    all.points.push_back(std::move(point));
  }
  std::string caption = "Times of ranks are means over the ranks; shares are of the run time.";
  if (count < g.points.size())
    caption += fmt::format(" The first {} of {} points are shown.", readable(std::uint64_t{count}),
                           readable(std::uint64_t{g.points.size()}));
  return {"Over the axes", std::move(caption), std::move(all)};
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
