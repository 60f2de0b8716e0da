#include "studies/study/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "documents/text/quantity_column.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/study/axis_number.hpp"

namespace busline {
namespace {

Error no_study(const Store& store) {
  return file_error(Error::Kind::bad_input, store.path(), "it contains no study",
                    "store one with 'busline study run'");
}

std::optional<double> efficiency_of(const Outcome& o) {
  if (!o.compute_ps || !o.run_time_ps || *o.run_time_ps == 0) return std::nullopt;
  return static_cast<double>(*o.compute_ps) / static_cast<double>(*o.run_time_ps);
}

// What the table needs to know of all points before its first row.
struct Overview {
  std::uint64_t stored = 0, failed = 0;
  std::vector<std::set<std::string>> values;  // of each axis, no more than two
  std::vector<PointOutcome> shown;
  std::string reasons;
  bool varies(std::size_t axis) const { return values[axis].size() > 1; }
};

Expected<Overview> overview_of(const Store& store, const StoredStudy& study, std::uint64_t rows) {
  Overview o;
  o.values.resize(study.labels.size());
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    if (o.stored++ < rows) {
      o.shown.push_back(p);
      o.shown.back().values.resize(study.labels.size());
      if (!p.outcome.is_done())
        o.reasons += fmt::format("point {}: {}: {}\n", p.point, name_of(p.outcome.status), p.outcome.reason);
    }
    if (!p.outcome.is_done()) ++o.failed;
    for (std::size_t i = 0; i < o.values.size() && i < p.values.size(); ++i)
      if (o.values[i].size() < 2) o.values[i].insert(p.values[i].json);
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));
  return o;
}

// Those of the axes that vary, of workloads or not.
std::string values_text(const StoredStudy& study, const Overview& all, const PointOutcome& p,
                        const std::vector<bool>* but = nullptr) {
  std::string text;
  for (std::size_t i = 0; i < study.labels.size() && i < p.values.size(); ++i)
    if (all.varies(i) && (but == nullptr || !(*but)[i]))
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", study.labels[i], p.values[i].name);
  return text;
}

// Run times and bandwidths, a column for each if there are both.
class ResultColumns {
 public:
  explicit ResultColumns(const std::vector<const Outcome*>& outcomes) {
    for (const auto* o : outcomes) {
      if (!o->is_done()) continue;
      if (o->run_time_ps)
        times_.see(static_cast<double>(*o->run_time_ps));
      else if (o->bytes_per_s)
        rates_.see(static_cast<double>(*o->bytes_per_s));
    }
  }
  void add_headings(std::vector<std::string>& row) const {
    if (!times_.empty() || rates_.empty())
      row.push_back(times_.empty() ? "result" : times_.heading("result"));
    if (!rates_.empty()) row.push_back(rates_.heading("result"));
  }
  void add(const Outcome& o, std::vector<std::string>& row) const {
    const auto text = [&](const Outcome::Figure& figure, const QuantityColumn& column) {
      return o.is_done() && figure ? column.result(static_cast<double>(*figure)) : std::string("-");
    };
    const auto first = row.size();
    if (!times_.empty() || rates_.empty()) row.push_back(text(o.run_time_ps, times_));
    if (!rates_.empty()) row.push_back(o.run_time_ps ? "-" : text(o.bytes_per_s, rates_));
    if (!o.is_done()) row[first] = name_of(o.status);
  }

 private:
  QuantityColumn times_{QuantityKind::time}, rates_{QuantityKind::bandwidth};
};

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

TextTable points_table(const StoredStudy& study, const Overview& all, const Comparison& compared,
                       StudyView::Against against) {
  const bool to_base = against == StudyView::Against::base;
  std::vector<std::string> heading{"point"};
  std::vector<std::pair<std::size_t, AxisColumn>> axes;
  for (std::size_t i = 0; i < study.labels.size(); ++i) {
    if (!all.varies(i)) continue;
    std::vector<std::string> jsons;
    for (const auto& p : all.shown) jsons.push_back(p.values[i].json);
    axes.emplace_back(i, AxisColumn(study.labels[i], jsons));
    heading.push_back(axes.back().second.heading());
  }
  std::vector<const Outcome*> outcomes;
  for (const auto& p : all.shown) outcomes.push_back(&p.outcome);
  const ResultColumns results(outcomes);
  results.add_headings(heading);
  for (const auto* name : {to_base ? "to base" : "to best", "efficiency", "lost mostly to"})
    heading.emplace_back(name);
  TextTable table(std::move(heading));
  for (const auto& p : all.shown) {
    std::vector<std::string> row{fmt::format("{}", p.point)};
    for (const auto& [i, column] : axes) row.push_back(column.text(p.values[i]));
    results.add(p.outcome, row);
    row.push_back(ratio_text(to_base ? compared.to_base(p) : compared.to_best(p)));
    row.push_back(ratio_text(efficiency_of(p.outcome)));
    const auto lost = lost_most(p.outcome);
    row.push_back(lost.to.empty() ? "-" : fmt::format("{} {}", lost.to, percent(lost.share)));
    table.add(std::move(row));
  }
  return table;
}

// The best point of each workload, and of all of them together.
std::string best_of_workloads(const StoredStudy& study, const Overview& all, const Comparison& compared) {
  if (!compared.compares()) return "\neach point has another workload: their run times are not compared\n";
  std::vector<const Outcome*> outcomes;
  bool weighted = false;
  for (const auto& w : compared.workloads()) {
    if (w.best) outcomes.push_back(&w.best->outcome);
    weighted = weighted || w.weight != 1;
  }
  const ResultColumns results(outcomes);
  std::vector<std::string> heading{"workload"};
  if (weighted) heading.emplace_back("weight");
  heading.emplace_back("point");
  results.add_headings(heading);
  heading.insert(heading.end(), {"to base", "best at"});
  TextTable table(std::move(heading));
  for (const auto& w : compared.workloads()) {
    std::vector<std::string> row{w.name};
    if (weighted) row.push_back(fmt::format("{:g}", w.weight));
    const Outcome none;
    row.push_back(w.best ? fmt::format("{}", w.best->point) : "-");
    results.add(w.best ? w.best->outcome : none, row);
    row.push_back(w.best ? ratio_text(compared.to_base(*w.best)) : "-");
    row.push_back(w.best ? values_text(study, all, *w.best, &compared.of_workloads()) : "-");
    table.add(std::move(row));
  }
  auto text = fmt::format("\nbest for each workload{}\n{}",
                          compared.base_text().empty() ? "" : fmt::format("; base: {}", compared.base_text()),
                          table.text());
  if (const auto* mix = compared.best_mix())
    text += fmt::format("best for the mix of them: {}, {:.3f} of the base's time\n",
                        values_text(study, all, mix->first, &compared.of_workloads()), mix->to_base);
  else
    text += "no best for the mix of them: nothing has a result for each workload and its base\n";
  return text;
}

// Workloads whose points cannot be compared with a base.
std::string missing_bases(const Comparison& compared) {
  std::string text;
  for (const auto& w : compared.workloads())
    if (w.done > 0 && !w.base_cost())
      text += fmt::format("{}the base point {}; choose one with --base\n",
                          compared.several() ? w.name + ": " : "",
                          w.base ? fmt::format("{} has no result", w.base->point)
                                 : fmt::format("({}) is not stored", compared.base_text()));
  return text;
}

}  // namespace

Expected<StoredStudy> study_in(const Store& store) {
  auto study = store.study();
  if (!study) return tl::unexpected(std::move(study.error()));
  if (!*study) return tl::unexpected(no_study(store));
  return **std::move(study);
}

LostTime lost_most(const Outcome& o) {
  LostTime lost;
  if (o.run_time_ps.value_or(0) <= 0) return lost;
  std::int64_t most = 0;
  const auto consider = [&](std::string_view to, std::int64_t ps) {
    if (ps > most) lost.to = to, most = ps;
  };
  const auto of = [](const Outcome::Figure& f) { return f.value_or(0); };
  if (o.has_path()) {
    for (const auto& part : kPathParts)
      if (part.figure != &Outcome::path_compute_ps) consider(part.name, of(o.*part.figure));
  } else {
    consider("messages", of(o.wait_ps));
    consider("collectives", of(o.collective_wait_ps) + of(o.collective_ps));
    consider("latency", of(o.latency_ps));
    consider("CPUs", of(o.cpu_wait_ps));
  }
  lost.share = static_cast<double>(most) / static_cast<double>(*o.run_time_ps);
  return lost;
}

Expected<std::string> study_text(const Store& store, const StudyView& view) {
  const auto study = study_in(store);
  if (!study) return tl::unexpected(study.error());
  const auto compared = Comparison::of(store, *study, compared_as_asked(view.with, *study));
  if (!compared) return tl::unexpected(compared.error());
  const auto all = overview_of(store, *study, view.rows);
  if (!all) return tl::unexpected(all.error());

  auto text =
      fmt::format("{}: {} of {}", study->name, readable(all->stored), readable(study->points, "point"));
  if (all->failed > 0) text += fmt::format(", {} of them without a result", readable(all->failed));
  text.append("\n\n").append(points_table(*study, *all, *compared, view.against).text());
  if (all->stored > view.rows)
    text += fmt::format("  ... and {} more\n", readable(all->stored - view.rows, "point"));
  if (!all->reasons.empty()) text.append("\n").append(all->reasons);
  if (const auto missing = missing_bases(*compared); !missing.empty()) text.append("\n").append(missing);
  if (compared->several()) return text + best_of_workloads(*study, *all, *compared);
  if (compared->workloads().empty() || all->stored < 2) return text;
  if (const auto& best = compared->workloads().front().best) {
    const auto where = values_text(*study, *all, *best);
    text += fmt::format("\nbest: point {}{}, {}\n", best->point,
                        where.empty() ? "" : fmt::format(", {}", where), result_text(best->outcome));
  }
  return text;
}

}  // namespace busline
