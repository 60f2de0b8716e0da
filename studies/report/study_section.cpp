#include "studies/report/study_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/quantity.hpp"
#include "studies/output/readable.hpp"
#include "studies/study/study_report.hpp"

namespace busline::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostFailures = 1000;
constexpr double kCloseToBest = 1.05;
constexpr double kMostLostWorthTelling = 0.01;  // a share of the run time
constexpr double kWide = 4;                     // a ratio from which an axis is logarithmic to begin with

// Everything of a study that sentences and figures are made of.
struct Gathered {
  StoredStudy study;
  std::vector<PointOutcome> points;
  Points::Combined combined = Points::Combined::product;
};

// What points are compared by: larger is slower.
std::optional<double> cost(const Outcome& o) {
  if (!o.is_done()) return std::nullopt;
  if (o.bytes_per_s && *o.bytes_per_s > 0) return 1 / static_cast<double>(*o.bytes_per_s);
  if (!o.bytes_per_s && o.run_time_ps && *o.run_time_ps > 0) return static_cast<double>(*o.run_time_ps);
  return std::nullopt;
}

std::string result_text(const Outcome& o) {
  if (o.bytes_per_s) return readable(Bandwidth::bytes_per_second(static_cast<double>(*o.bytes_per_s)));
  return o.run_time_ps ? readable(Duration::picoseconds(*o.run_time_ps)) : "-";
}

Points::Combined combined_of(const StoredStudy& study) {
  const auto described = Json::parse(study.axes, nullptr, false);
  const auto kind = described.is_object() ? described.value("combine", Json()) : Json();
  if (kind == static_cast<int>(Sampling::Kind::zip)) return Points::Combined::together;
  if (kind == static_cast<int>(Sampling::Kind::random) || kind == static_cast<int>(Sampling::Kind::latin))
    return Points::Combined::sampled;
  return Points::Combined::product;
}

// The values of one axis, in the order in which they are shown, and where each is.
struct AxisValues {
  Points::Axis axis;
  std::map<std::string, std::uint32_t> places;  // by JSON text
};

AxisValues values_of(const Gathered& g, std::size_t axis) {
  struct Found {
    std::string json, name;
    std::optional<AxisNumber> number;
  };
  std::vector<Found> found;
  std::map<std::string, std::uint32_t> seen;
  for (const auto& p : g.points)
    if (seen.emplace(p.values[axis].json, 0).second)
      found.push_back({p.values[axis].json, p.values[axis].name, axis_number(p.values[axis].json)});
  AxisValues all{{{g.study.labels[axis], Unit::number, false}, {}}, {}};
  // Numbers of different kinds cannot be on one axis.
  const auto first =
      std::find_if(found.begin(), found.end(), [](const Found& f) { return f.number.has_value(); });
  if (first != found.end()) {
    const auto unit = first->number->unit;
    const bool same = std::all_of(found.begin(), found.end(),
                                  [&](const Found& f) { return !f.number || f.number->unit == unit; });
    if (same) {
      all.axis.scale.unit = unit;
      std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        if (!a.number || !b.number) return a.number.has_value() && !b.number.has_value();
        return a.number->value < b.number->value;
      });
    } else {
      for (auto& f : found) f.number.reset();
    }
  }
  double least = 0, most = 0;
  for (const auto& f : found) {
    all.places[f.json] = static_cast<std::uint32_t>(all.axis.values.size());
    all.axis.values.push_back({f.name, f.number ? std::optional(f.number->value) : std::nullopt});
    if (!f.number) continue;
    if (least == 0) least = f.number->value;
    most = f.number->value;
  }
  all.axis.scale.logarithmic = least > 0 && most / least >= kWide;
  return all;
}

// A column of the figure: a stored figure, or what is made of some.
struct Column {
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
  const auto here = cost(o);
  if (!here) return std::nullopt;
  return *here / best;
}

std::optional<double> load_balance(const Outcome& o, double) {
  if (!o.is_done() || !o.compute_ps || !o.largest_compute_ps || *o.largest_compute_ps <= 0)
    return std::nullopt;
  return static_cast<double>(*o.compute_ps) / static_cast<double>(*o.largest_compute_ps);
}

const std::vector<Column>& all_columns() {
  static const std::vector<Column> kColumns{
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
std::vector<Column> columns_of(const Gathered& g, double best) {
  std::vector<Column> used;
  for (const auto& column : all_columns())
    if (std::any_of(g.points.begin(), g.points.end(), [&](const PointOutcome& p) {
          const auto v = column.of(p.outcome, best);
          return v && *v != 0;
        }))
      used.push_back(column);
  return used;
}

const PointOutcome* best_of(const Gathered& g, bool slowest = false) {
  const PointOutcome* best = nullptr;
  for (const auto& p : g.points) {
    const auto here = cost(p.outcome);
    if (!here) continue;
    if (best == nullptr || (slowest ? *here > *cost(best->outcome) : *here < *cost(best->outcome))) best = &p;
  }
  return best;
}

std::string where(const Gathered& g, const std::vector<AxisValues>& axes, const PointOutcome& p) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].axis.values.size() > 1)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", g.study.labels[i], p.values[i].name);
  return text.empty() ? fmt::format("point {}", p.point) : text;
}

// How much an axis changes by itself: the largest over the smallest geometric mean of the points with one of
// its values. Of values whose points are not all done nothing is said, since the others then differ, too.
struct Effect {
  std::size_t axis = 0;
  double ratio = 1;
  std::string best, worst;
};

std::optional<Effect> effect_of(const Gathered& g, const AxisValues& axis, std::size_t number) {
  struct Sum {
    double logs = 0;
    std::size_t done = 0, points = 0;
  };
  std::vector<Sum> sums(axis.axis.values.size());
  for (const auto& p : g.points) {
    auto& sum = sums[axis.places.at(p.values[number].json)];
    ++sum.points;
    if (const auto here = cost(p.outcome)) {
      sum.logs += std::log(*here);
      ++sum.done;
    }
  }
  Effect e{number, 1, "", ""};
  double least = 0, most = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].done == 0 || sums[i].done != sums[i].points) continue;
    const auto mean = sums[i].logs / static_cast<double>(sums[i].done);
    if (e.best.empty() || mean < least) least = mean, e.best = axis.axis.values[i].name;
    if (e.worst.empty() || mean > most) most = mean, e.worst = axis.axis.values[i].name;
  }
  if (e.best.empty()) return std::nullopt;
  e.ratio = std::exp(most - least);
  return e;
}

std::string effects_sentence(const Gathered& g, const std::vector<AxisValues>& axes) {
  std::vector<Effect> effects;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].axis.values.size() > 1)
      if (auto e = effect_of(g, axes[i], i)) effects.push_back(*std::move(e));
  if (effects.size() < 2) return "";
  std::stable_sort(effects.begin(), effects.end(),
                   [](const Effect& a, const Effect& b) { return a.ratio > b.ratio; });
  auto text =
      fmt::format("What matters most is {}: from {} to {} the time changes {:.2f}-fold in the mean",
                  g.study.labels[effects[0].axis], effects[0].best, effects[0].worst, effects[0].ratio);
  for (std::size_t i = 1; i < std::min<std::size_t>(effects.size(), 4); ++i)
    text += fmt::format("; {} {:.2f}-fold", g.study.labels[effects[i].axis], effects[i].ratio);
  return text + ".";
}

// "8 is the first value of network/buses ...": of an axis of numbers that is alone.
std::string enough_sentence(const Gathered& g, const std::vector<AxisValues>& axes, double best) {
  std::size_t varying = axes.size(), count = 0;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].axis.values.size() > 1) varying = i, ++count;
  std::size_t close = 0, done = 0;
  const PointOutcome* least = nullptr;
  for (const auto& p : g.points) {
    const auto here = cost(p.outcome);
    if (!here) continue;
    ++done;
    if (*here > best * kCloseToBest) continue;
    ++close;
    if (count != 1) continue;
    const auto place = [&](const PointOutcome& point) {
      return axes[varying].places.at(point.values[varying].json);
    };
    if (least == nullptr || place(p) < place(*least)) least = &p;
  }
  if (done < 2) return "";
  if (least != nullptr && axes[varying].axis.values.front().number)
    return *cost(least->outcome) <= best ? std::string()
                                         : fmt::format("{} = {} is the first value within 5 % of the best.",
                                                       g.study.labels[varying], least->values[varying].name);
  return fmt::format("{} of {} points are within 5 % of the best.", readable(std::uint64_t{close}),
                     readable(std::uint64_t{done}));
}

std::vector<std::string> sentences(const Gathered& g, const std::vector<AxisValues>& axes) {
  std::vector<std::string> text;
  const auto failed = static_cast<std::uint64_t>(std::count_if(
      g.points.begin(), g.points.end(), [](const PointOutcome& p) { return !p.outcome.is_done(); }));
  const auto* best = best_of(g);
  if (best != nullptr) {
    text.push_back(fmt::format("Best is {}: {}.", where(g, axes, *best), result_text(best->outcome)));
    const auto* worst = best_of(g, true);
    if (worst != best)
      text.push_back(fmt::format("The slowest, {}, takes {:.2f} times as long: {}.", where(g, axes, *worst),
                                 *cost(worst->outcome) / *cost(best->outcome), result_text(worst->outcome)));
    if (auto s = enough_sentence(g, axes, *cost(best->outcome)); !s.empty()) text.push_back(std::move(s));
    // Where axes move together, or by chance, none changes anything by itself.
    if (g.combined == Points::Combined::product)
      if (auto s = effects_sentence(g, axes); !s.empty()) text.push_back(std::move(s));
    if (const auto lost = lost_most(best->outcome); lost.share >= kMostLostWorthTelling)
      text.push_back(fmt::format("Even there {} of the time is lost to {}.", percent(lost.share), lost.to));
  }
  if (g.points.size() < g.study.points)
    text.push_back(fmt::format("{} of {} points are simulated so far.",
                               readable(std::uint64_t{g.points.size()}), readable(g.study.points)));
  if (failed > 0)
    text.push_back(fmt::format("{} of {} points have no result; the reasons are below.", readable(failed),
                               readable(std::uint64_t{g.points.size()})));
  return text;
}

Figure points_figure(const Gathered& g, const std::vector<AxisValues>& axes, double best) {
  Points all;
  all.combined = g.combined;
  for (const auto& axis : axes) all.axes.push_back(axis.axis);
  const auto columns = columns_of(g, best);
  for (const auto& column : columns) all.columns.push_back(column.shown);
  const auto count = std::min(g.points.size(), kMostPagePoints);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& p = g.points[i];
    Points::Point point{p.point, {}, {}};
    for (std::size_t k = 0; k < axes.size(); ++k) point.places.push_back(axes[k].places.at(p.values[k].json));
    for (const auto& column : columns) point.figures.push_back(column.of(p.outcome, best));
    all.points.push_back(std::move(point));
  }
  std::string caption = "Times of ranks are means over the ranks; shares are of the run time.";
  if (count < g.points.size())
    caption += fmt::format(" The first {} of {} points are shown.", readable(std::uint64_t{count}),
                           readable(std::uint64_t{g.points.size()}));
  return {"Over the axes", std::move(caption), std::move(all)};
}

Figure failures_figure(const Gathered& g, const std::vector<AxisValues>& axes) {
  Table table;
  table.columns = {{"point"}, {"where"}, {"status"}, {"reason"}};
  std::size_t failed = 0;
  for (const auto& p : g.points) {
    if (p.outcome.is_done() || ++failed > kMostFailures) continue;
    table.rows.push_back({static_cast<double>(p.point), where(g, axes, p),
                          std::string(name_of(p.outcome.status)), p.outcome.reason});
  }
  return {"Points without a result",
          failed > kMostFailures
              ? fmt::format("The first {} of {}.", kMostFailures, readable(std::uint64_t{failed}))
              : std::string(),
          std::move(table)};
}

}  // namespace

std::optional<AxisNumber> axis_number(const std::string& json) {
  const auto value = Json::parse(json, nullptr, false);
  if (value.is_number()) return AxisNumber{value.get<double>(), Unit::number};
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (const auto time = parse_duration(text))
    return AxisNumber{static_cast<double>(time->count()), Unit::time};
  if (const auto size = parse_bytes(text)) return AxisNumber{static_cast<double>(count(*size)), Unit::bytes};
  if (const auto rate = parse_bandwidth(text); rate && !rate->is_unlimited())
    return AxisNumber{rate->in_bytes_per_second(), Unit::bandwidth};
  return std::nullopt;
}

Expected<Section> study_section(const Store& store) {
  auto study = store.study();
  if (!study) return tl::unexpected(std::move(study.error()));
  if (!*study) {
    return refuse_file(Error::Kind::bad_input, store.path(), "there is no study in it",
                       "'busline study run' stores one");
  }
  Gathered g{**std::move(study), {}, {}};
  g.combined = combined_of(g.study);
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    if (p.values.size() != g.study.labels.size()) {
      return refuse_file(Error::Kind::bad_input, store.path(),
                         fmt::format("point {} has {} values, expected one for each of {} axes", p.point,
                                     p.values.size(), g.study.labels.size()));
    }
    g.points.push_back(p);
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));

  std::vector<AxisValues> axes;
  for (std::size_t i = 0; i < g.study.labels.size(); ++i) axes.push_back(values_of(g, i));
  const auto* best = best_of(g);
  Section s{"study", g.study.name, store.path(), sentences(g, axes)};
  s.facts = {{"points", readable(std::uint64_t{g.points.size()})}};
  for (const auto& axis : axes) {
    const auto& values = axis.axis.values;
    if (values.size() == 1) s.facts.emplace_back(axis.axis.scale.label, values.front().name);
    if (values.size() > 1)
      s.facts.emplace_back(axis.axis.scale.label, values.front().number
                                                      ? fmt::format("{} values, {} to {}", values.size(),
                                                                    values.front().name, values.back().name)
                                                      : fmt::format("{} values", values.size()));
  }
  if (best != nullptr) s.figures.push_back(points_figure(g, axes, *cost(best->outcome)));
  if (std::any_of(g.points.begin(), g.points.end(), [](const auto& p) { return !p.outcome.is_done(); }))
    s.figures.push_back(failures_figure(g, axes));
  return s;
}

}  // namespace busline::report
