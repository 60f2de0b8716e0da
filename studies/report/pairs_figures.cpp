#include "studies/report/pairs_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "documents/text/readable.hpp"

namespace busline::report {
namespace {

using namespace measure;

constexpr std::size_t kMostSlow = 100;
constexpr std::size_t kTimeBins = 40;
constexpr double kSlow = 1.1;    // times the median of the class, as in 'busline inspect'
constexpr double kFlat = 1.001;  // where no pair takes more, none is slower than the others

// One run over all pairs: its suites are those of the classes of pairs.
struct Run {
  std::string name;
  std::vector<const Suite*> suites;
};

struct Pair {
  std::uint32_t from, to;
  double ps, relative;  // relative: to the median of its class
  std::uint64_t step;
};

std::vector<Run> runs_of(const Measurement& m) {
  std::vector<Run> runs;
  for (const auto& s : m.suites) {
    if (s.pattern != Pattern::all_pairs || s.varies != Varies::steps || s.points.empty()) continue;
    const auto name = s.name.substr(0, s.name.find(", "));
    auto at = std::find_if(runs.begin(), runs.end(), [&](const Run& r) { return r.name == name; });
    if (at == runs.end()) at = runs.insert(runs.end(), {name, {}});
    at->suites.push_back(&s);
  }
  return runs;
}

std::vector<Pair> pairs_of(const Run& run) {
  std::vector<Pair> pairs;
  for (const auto* suite : run.suites) {
    std::vector<double> times;
    for (const auto& p : suite->points) times.push_back(p.result_ps.value);
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    const auto median = times[times.size() / 2];
    for (const auto& p : suite->points)
      if (p.ranks.size() == 2 && p.result_ps.value > 0)
        pairs.push_back({p.ranks[0], p.ranks[1], p.result_ps.value,
                         median > 0 ? p.result_ps.value / median : 1, p.argument});
  }
  return pairs;
}

// Bytes that a result is the time of.
double pair_bytes(const Run& run) {
  const auto& s = *run.suites.front();
  return static_cast<double>(s.bytes.value_or(0)) * (s.operation == "bidirectional" ? 2 : 1);
}

Figure field(const std::vector<Pair>& pairs, double bytes) {
  std::uint32_t ranks = 0;
  for (const auto& p : pairs) ranks = std::max({ranks, p.from + 1, p.to + 1});
  const auto block = static_cast<std::uint32_t>((ranks + kMostFields - 1) / kMostFields);
  const auto width = (ranks + block - 1) / block;
  Matrix matrix{"from rank", "to rank", {"bandwidth", Unit::bandwidth}, {}, {}, true};
  for (std::uint32_t i = 0; i < width; ++i) matrix.names.push_back(fmt::format("{}", i * block));
  matrix.values.resize(std::size_t{width} * width);
  for (const auto& p : pairs) {
    auto& v = matrix.values[std::size_t{p.from / block} * width + p.to / block];
    const auto rate = bytes / (p.ps * 1e-12);
    v = v ? std::min(*v, rate) : rate;
  }
  if (bytes == 0) {
    matrix.value = {"time", Unit::time};
    matrix.low_is_bad = false;
    for (auto& v : matrix.values) v.reset();
    for (const auto& p : pairs) {
      auto& v = matrix.values[std::size_t{p.from / block} * width + p.to / block];
      v = v ? std::max(*v, p.ps) : p.ps;
    }
  }
  return {"Every pair",
          block > 1 ? fmt::format("Dark is slow. Each field shows the slowest of {0} x {0} pairs.", block)
                    : std::string("Dark is slow."),
          std::move(matrix)};
}

// Bins of equal ratio, as in 'busline inspect'.
Figure histogram(const Run& run) {
  double least = HUGE_VAL, most = 0;
  for (const auto* suite : run.suites)
    for (const auto& p : suite->points) {
      if (p.result_ps.value <= 0) continue;
      least = std::min(least, p.result_ps.value);
      most = std::max(most, p.result_ps.value);
    }
  most = std::max(most, least * 1.01);
  const auto step = std::log(most / least) / static_cast<double>(kTimeBins);
  Chart chart{{"time of a message", Unit::time, most / least > 10}, {"pairs"}, {}, false};
  for (const auto* suite : run.suites) {
    std::vector<double> counts(kTimeBins);
    for (const auto& p : suite->points)
      if (p.result_ps.value > 0)
        ++counts[std::min(kTimeBins - 1,
                          static_cast<std::size_t>(std::log(p.result_ps.value / least) / step))];
    const auto comma = suite->name.find(", ");
    Chart::Curve curve{
        comma == std::string::npos ? suite->name : suite->name.substr(comma + 2), Chart::Style::steps, {}};
    for (std::size_t i = 0; i <= kTimeBins; ++i)
      curve.samples.push_back(
          {least * std::exp(step * static_cast<double>(i)), i < kTimeBins ? counts[i] : 0, {}, {}, ""});
    chart.curves.push_back(std::move(curve));
  }
  return {"Distribution of the times of pairs", "", std::move(chart)};
}

Figure steps_chart(const std::vector<Pair>& pairs) {
  struct Step {
    double least = HUGE_VAL, most = 0, sum = 0, count = 0;
  };
  std::map<std::uint64_t, Step> steps;
  for (const auto& p : pairs) {
    auto& s = steps[p.step];
    s.least = std::min(s.least, p.ps);
    s.most = std::max(s.most, p.ps);
    s.sum += p.ps;
    ++s.count;
  }
  Chart chart{{"step"}, {"time of a message", Unit::time}, {}, false};
  chart.curves = {{"slowest", Chart::Style::line, {}},
                  {"mean", Chart::Style::line, {}},
                  {"quickest", Chart::Style::line, {}}};
  for (const auto& [number, s] : steps) {
    const auto x = static_cast<double>(number);
    chart.curves[0].samples.push_back({x, s.most, {}, {}, ""});
    chart.curves[1].samples.push_back({x, s.sum / s.count, {}, {}, ""});
    chart.curves[2].samples.push_back({x, s.least, {}, {}, ""});
  }
  return {"Step by step",
          "In each step all ranks exchange messages at once, in different pairs: in slower steps the "
          "messages contend in the network.",
          std::move(chart)};
}

Figure slow_table(std::vector<Pair>& pairs) {
  const auto shown = std::min(pairs.size(), kMostSlow);
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(shown), pairs.end(),
                    [](const Pair& a, const Pair& b) {
                      if (a.relative != b.relative) return a.relative > b.relative;
                      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
                    });
  Table table;
  table.columns = {
      {"from rank"}, {"to rank"}, {"step"}, {"time", Unit::time}, {"time / median", Unit::multiple}};
  for (std::size_t i = 0; i < shown; ++i)
    table.rows.push_back({static_cast<double>(pairs[i].from), static_cast<double>(pairs[i].to),
                          static_cast<double>(pairs[i].step), pairs[i].ps, pairs[i].relative});
  return {"Slowest pairs", "Relative to the median of pairs of the same kind.", std::move(table)};
}

std::string pairs_sentence(const Run& run, const std::vector<Pair>& pairs, double bytes) {
  const auto slow =
      std::count_if(pairs.begin(), pairs.end(), [](const Pair& p) { return p.relative > kSlow; });
  const auto& worst = *std::max_element(pairs.begin(), pairs.end(),
                                        [](const Pair& a, const Pair& b) { return a.relative < b.relative; });
  auto text = fmt::format("{}: ", run.name);
  if (slow == 0)
    return text + fmt::format("all {} pairs are within 10 % of the median of their kind.",
                              readable(std::uint64_t{pairs.size()}));
  text += fmt::format(
      "{} of {} pairs take more than 1.1 times the median of their kind; the slowest is {} to {}, "
      "{:.2f} times, {}",
      readable(static_cast<std::uint64_t>(slow)), readable(std::uint64_t{pairs.size()}), worst.from, worst.to,
      worst.relative, readable(Duration::from_double(worst.ps)));
  if (bytes > 0)
    text += fmt::format(" or {}", readable(Bandwidth::bytes_per_second(bytes / (worst.ps * 1e-12))));
  return text + ".";
}

}  // namespace

void add_pairs(const Measurement& m, Section& section) {
  const auto runs = runs_of(m);
  for (const auto& run : runs) {
    auto pairs = pairs_of(run);
    if (pairs.empty()) continue;
    const auto bytes = pair_bytes(run);
    section.summary.push_back(pairs_sentence(run, pairs, bytes));
    std::vector<Figure> figures{field(pairs, bytes), histogram(run), steps_chart(pairs)};
    if (std::any_of(pairs.begin(), pairs.end(), [](const Pair& p) { return p.relative > kFlat; }))
      figures.push_back(slow_table(pairs));
    for (auto& figure : figures) {
      if (runs.size() > 1) figure.title = fmt::format("{}: {}", run.name, figure.title);
      section.figures.push_back(std::move(figure));
    }
  }
}

}  // namespace busline::report
