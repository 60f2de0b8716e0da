#include "studies/report/validation_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "documents/text/readable.hpp"
#include "sim/base/quantile.hpp"
#include "studies/report/members.hpp"

namespace busline::report {
namespace {

constexpr std::size_t kMostKinds = 8;  // that have a colour of their own
constexpr std::size_t kErrorBins = 30;

std::string title_of(const ValidatedRun& r) {
  const auto title = fmt::format("{} on {}", r.program, r.machine);
  return r.traced_on ? fmt::format("{} (traced on {})", title, *r.traced_on) : title;
}

bool is_traced_elsewhere(const ValidatedRun& r) {
  return r.traced_on.has_value();
}

bool is_counted(const ValidatedRun& r) {
  return r.counts && r.predicted && r.error;
}

Figure scatter(const Validation& v) {
  Chart chart{{"measured", Unit::time, true}, {"predicted", Unit::time, true}, {}, true};
  std::map<std::string, std::size_t> programs;  // curve of each
  for (const auto& r : v.runs)
    if (r.predicted) programs.emplace(r.program, 0);
  const bool by_program = programs.size() <= kMostKinds;
  for (auto& [name, curve] : programs) {
    curve = by_program ? chart.curves.size() : 0;
    if (by_program || chart.curves.empty())
      chart.curves.push_back({by_program ? name : "runs", Chart::Style::points, {}});
  }
  for (const auto& r : v.runs)
    if (r.predicted)
      chart.curves[programs.at(r.program)].samples.push_back(
          {ps(r.measured), ps(*r.predicted), {}, {}, title_of(r)});
  for (auto& c : chart.curves)
    std::stable_sort(c.samples.begin(), c.samples.end(),
                     [](const Chart::Sample& a, const Chart::Sample& b) { return a.x < b.x; });
  return {"Predicted against measured",
          "On the dashed line a prediction equals the measurement; above it, it is too long.",
          std::move(chart)};
}

Figure error_histogram(const std::vector<const ValidatedRun*>& counted) {
  double most = 0.01;
  for (const auto* r : counted) most = std::max(most, std::abs(*r->error));
  const auto width = 2 * most / static_cast<double>(kErrorBins);
  Chart chart{{"error of the prediction", Unit::share}, {"runs"}, {}, false};
  Chart::Curve curve{"runs", Chart::Style::steps, {}};
  std::vector<double> counts(kErrorBins);
  for (const auto* r : counted)
    ++counts[std::min(kErrorBins - 1, static_cast<std::size_t>((*r->error + most) / width))];
  for (std::size_t i = 0; i <= kErrorBins; ++i)
    curve.samples.push_back(
        {-most + width * static_cast<double>(i), i < kErrorBins ? counts[i] : 0, {}, {}, ""});
  chart.curves.push_back(std::move(curve));
  return {"Errors", "For the runs that count; below 0 the prediction is too short.", std::move(chart)};
}

// Errors of all runs of a program or on a machine.
Figure by_kind(const std::vector<const ValidatedRun*>& counted, const char* title, const char* kind,
               const std::string ValidatedRun::*name) {
  std::map<std::string, std::vector<double>> errors;
  for (const auto* r : counted) errors[r->*name].push_back(*r->error);
  Table table;
  table.columns = {{kind},
                   {"runs"},
                   {"mean error", Unit::share},
                   {"median size", Unit::share},
                   {"largest size", Unit::share}};
  for (auto& [key, list] : errors) {
    double sum = 0;
    for (auto& e : list) sum += e, e = std::abs(e);
    std::sort(list.begin(), list.end());
    table.rows.push_back({key, static_cast<double>(list.size()), sum / static_cast<double>(list.size()),
                          quantile(list, 0.5), list.back()});
  }
  return {title, "", std::move(table)};
}

Figure runs_table(const Validation& v) {
  Table table;
  table.columns = {{"program"},
                   {"machine"},
                   {"ranks"},
                   {"measured", Unit::time},
                   {"predicted", Unit::time},
                   {"error", Unit::share},
                   {"spread", Unit::share},
                   {"counts"}};
  const bool elsewhere = std::any_of(v.runs.begin(), v.runs.end(), is_traced_elsewhere);
  if (elsewhere) table.columns.push_back({"traced on"});
  const auto cell = [](const std::optional<double>& share) {
    Table::Cell c;
    if (share) c = *share;
    return c;
  };
  for (const auto& r : v.runs) {
    table.rows.push_back({r.program, r.machine, static_cast<double>(r.ranks), ps(r.measured),
                          r.predicted ? Table::Cell(ps(*r.predicted)) : Table::Cell(r.status), cell(r.error),
                          cell(r.spread), std::string(r.counts ? "yes" : "no")});
    if (elsewhere) table.rows.back().push_back(r.traced_on.value_or(r.machine));
  }
  return {"Runs", "Spread is how far apart repetitions of the real run are.", std::move(table)};
}

std::vector<std::string> validation_sentences(const Validation& v,
                                              const std::vector<const ValidatedRun*>& counted) {
  std::vector<std::string> text;
  if (!counted.empty()) {
    std::vector<double> sizes;
    double sum = 0;
    for (const auto* r : counted) sizes.push_back(std::abs(*r->error)), sum += *r->error;
    std::sort(sizes.begin(), sizes.end());
    text.push_back(
        fmt::format("Half of {} predictions are within {} of the measured time, nine in ten within {}.",
                    readable(std::uint64_t{counted.size()}), percent(quantile(sizes, 0.5)),
                    percent(quantile(sizes, 0.9))));
    const auto* worst = *std::max_element(counted.begin(), counted.end(), [](const auto* a, const auto* b) {
      return std::abs(*a->error) < std::abs(*b->error);
    });
    text.push_back(fmt::format("The worst is {}: {}, {} predicted and {} measured.", title_of(*worst),
                               signed_percent(*worst->error), readable(*worst->predicted),
                               readable(worst->measured)));
    const auto mean = sum / static_cast<double>(counted.size());
    if (std::abs(mean) > 0.005)
      text.push_back(fmt::format("On average predictions are {} too {}.", percent(std::abs(mean)),
                                 mean < 0 ? "short" : "long"));
  }
  if (const auto elsewhere = std::count_if(v.runs.begin(), v.runs.end(), is_traced_elsewhere); elsewhere > 0)
    text.push_back(
        fmt::format("{} of {} runs are predicted from traces of other run sets.", elsewhere, v.runs.size()));
  const auto without =
      std::count_if(v.runs.begin(), v.runs.end(), [](const auto& r) { return !r.predicted; });
  if (without > 0)
    text.push_back(fmt::format("{} of {} runs could not be predicted.", without, v.runs.size()));
  const auto scattered =
      std::count_if(v.runs.begin(), v.runs.end(), [](const auto& r) { return r.predicted && !r.counts; });
  if (scattered > 0)
    text.push_back(fmt::format("{} of {} do not count: repetitions of the real run differ by more than {}.",
                               scattered, v.runs.size(), percent(v.most_spread)));
  return text;
}

}  // namespace

Expected<Validation> read_validation(const Document& document) {
  const Cursor top(document);
  Members m(top);
  Validation v;
  m.text("model", v.model);
  m.number("max_spread", v.most_spread);
  m.list("runs", [&](Members& run) {
    auto& r = v.runs.emplace_back();
    run.text("machine", r.machine);
    run.text("program", r.program);
    run.text("status", r.status);
    run.whole("ranks", r.ranks);
    run.time("measured_ps", r.measured);
    run.time("least_ps", r.least);
    run.time("most_ps", r.most);
    run.time("predicted_ps", r.predicted);
    run.number("error", r.error);
    run.number("spread", r.spread);
    run.flag("counts", r.counts);
    run.text("traced_on", r.traced_on);
  });
  if (m.error()) return tl::unexpected(*m.error());
  return v;
}

Section validation_section(const Validation& v, const std::string& source) {
  std::vector<const ValidatedRun*> counted;
  for (const auto& r : v.runs)
    if (is_counted(r)) counted.push_back(&r);
  Section s{"validation", "Predictions against real runs", source, validation_sentences(v, counted)};
  s.facts = {{"runs", readable(std::uint64_t{v.runs.size()})}, {"model", v.model}};
  if (std::any_of(v.runs.begin(), v.runs.end(), [](const auto& r) { return r.predicted.has_value(); }))
    s.figures.push_back(scatter(v));
  if (!counted.empty()) {
    s.figures.push_back(error_histogram(counted));
    s.figures.push_back(by_kind(counted, "By program", "program", &ValidatedRun::program));
    s.figures.push_back(by_kind(counted, "By machine", "machine", &ValidatedRun::machine));
  }
  s.figures.push_back(runs_table(v));
  return s;
}

}  // namespace busline::report
