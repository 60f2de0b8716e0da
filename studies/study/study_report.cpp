#include "studies/study/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "documents/text/csv.hpp"
#include "documents/text/readable.hpp"
#include "documents/text/text_table.hpp"
#include "studies/study/find_value.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

Error no_study(const Store& store) {
  return file_error(Error::Kind::bad_input, store.path(), "it contains no study",
                    "store one with 'busline study run'");
}

Expected<StoredStudy> study_of(const Store& store) {
  auto study = store.study();
  if (!study) return tl::unexpected(std::move(study.error()));
  if (!*study) return tl::unexpected(no_study(store));
  return **std::move(study);
}

std::optional<double> efficiency_of(const Outcome& o) {
  if (!o.compute_ps || !o.run_time_ps || *o.run_time_ps == 0) return std::nullopt;
  return static_cast<double>(*o.compute_ps) / static_cast<double>(*o.run_time_ps);
}

ordered_json axis_value(const AxisValue& v) {
  auto value = ordered_json::parse(v.json, nullptr, false);
  return value.is_structured() ? ordered_json(v.name) : value;
}

ordered_json row_of(const StoredStudy& study, const PointOutcome& p) {
  ordered_json axes = ordered_json::object();
  for (std::size_t i = 0; i < study.labels.size() && i < p.values.size(); ++i)
    axes[study.labels[i]] = axis_value(p.values[i]);
  ordered_json row{{"point", p.point}, {"axes", std::move(axes)}, {"status", name_of(p.outcome.status)}};
  if (!p.outcome.reason.empty()) row["reason"] = p.outcome.reason;
  for (const auto& column : kFigureColumns)
    if (const auto& figure = p.outcome.*column.figure) row[std::string(column.name)] = *figure;
  return row;
}

std::string csv_head(const StoredStudy& study) {
  std::string line = "point";
  for (const auto& label : study.labels) line.append(",").append(csv_cell(label));
  line += ",status,reason";
  for (const auto& column : kFigureColumns) line.append(",").append(column.name);
  return line + "\n";
}

std::string csv_row(const StoredStudy& study, const PointOutcome& p) {
  auto line = fmt::format("{}", p.point);
  for (std::size_t i = 0; i < study.labels.size(); ++i)
    line.append(",").append(csv_cell(i < p.values.size() ? p.values[i].name : ""));
  line += fmt::format(",{},{}", name_of(p.outcome.status), csv_cell(p.outcome.reason));
  for (const auto& column : kFigureColumns) {
    line += ',';
    if (const auto& figure = p.outcome.*column.figure) line += fmt::format("{}", *figure);
  }
  return line + "\n";
}

// Everything needed about all points before the first row.
struct Overview {
  std::uint64_t stored = 0, failed = 0;
  std::optional<PointOutcome> first, best;
  std::vector<std::set<std::string>> values;  // of each axis, no more than two
};

Expected<Overview> overview_of(const Store& store, const StoredStudy& study) {
  Overview o;
  o.values.resize(study.labels.size());
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    ++o.stored;
    if (!p.outcome.is_done()) ++o.failed;
    for (std::size_t i = 0; i < o.values.size() && i < p.values.size(); ++i)
      if (o.values[i].size() < 2) o.values[i].insert(p.values[i].json);
    const auto here = cost_of(p.outcome);
    if (!here) return {};
    if (!o.first) o.first = p;
    if (!o.best || *here < *cost_of(o.best->outcome)) o.best = p;
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));
  return o;
}

std::string values_text(const StoredStudy& study, const Overview& all, const PointOutcome& p) {
  std::string text;
  for (std::size_t i = 0; i < study.labels.size(); ++i)
    if (all.values[i].size() > 1)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", study.labels[i], p.values[i].name);
  return text;
}

}  // namespace

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
  const auto study = study_of(store);
  if (!study) return tl::unexpected(study.error());
  const auto all = overview_of(store, *study);
  if (!all) return tl::unexpected(all.error());
  const bool against_first = view.against == StudyView::Against::first;
  const auto& reference = against_first ? all->first : all->best;

  std::vector<std::string> heading{"point"};
  for (std::size_t i = 0; i < study->labels.size(); ++i)
    if (all->values[i].size() > 1) heading.push_back(study->labels[i]);
  for (const auto* name : {"result", against_first ? "to first" : "to best", "efficiency", "lost mostly to"})
    heading.emplace_back(name);
  TextTable table(std::move(heading));
  std::uint64_t rows = 0;
  std::string reasons;
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    if (rows++ >= view.rows) return {};
    std::vector<std::string> row{fmt::format("{}", p.point)};
    for (std::size_t i = 0; i < study->labels.size(); ++i)
      if (all->values[i].size() > 1) row.push_back(i < p.values.size() ? p.values[i].name : "");
    const auto here = cost_of(p.outcome);
    row.push_back(p.outcome.is_done() ? result_text(p.outcome) : std::string(name_of(p.outcome.status)));
    row.push_back(here && reference ? fmt::format("{:.3f}", *here / *cost_of(reference->outcome)) : "-");
    const auto efficiency = efficiency_of(p.outcome);
    row.push_back(efficiency ? fmt::format("{:.3f}", *efficiency) : "-");
    const auto lost = lost_most(p.outcome);
    row.push_back(lost.to.empty() ? "-" : fmt::format("{} {}", lost.to, percent(lost.share)));
    table.add(std::move(row));
    if (!p.outcome.is_done())
      reasons += fmt::format("point {}: {}: {}\n", p.point, name_of(p.outcome.status), p.outcome.reason);
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));

  auto text =
      fmt::format("{}: {} of {}", study->name, readable(all->stored), readable(study->points, "point"));
  if (all->failed > 0) text += fmt::format(", {} of them without a result", readable(all->failed));
  text.append("\n\n").append(table.text());
  if (all->stored > view.rows)
    text += fmt::format("  ... and {} more\n", readable(all->stored - view.rows, "point"));
  if (!reasons.empty()) text.append("\n").append(reasons);
  if (all->best && all->stored > 1) {
    const auto where = values_text(*study, *all, *all->best);
    text += fmt::format("\nbest: point {}{}, {}\n", all->best->point,
                        where.empty() ? "" : fmt::format(", {}", where), result_text(all->best->outcome));
  }
  return text;
}

Expected<ordered_json> study_json(const Store& store) {
  const auto study = study_of(store);
  if (!study) return tl::unexpected(study.error());
  ordered_json j{{"schema", "busline/study-results/1"}, {"study", study->name}, {"points", study->points}};
  auto& axes = j["axes"] = ordered_json::array();
  for (std::size_t i = 0; i < study->labels.size(); ++i) {
    ordered_json axis{{"label", study->labels[i]}};
    if (!study->pointers[i].empty()) axis["set"] = study->pointers[i];
    axes.push_back(std::move(axis));
  }
  auto rows = ordered_json::array();
  std::uint64_t failed = 0;
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    if (!p.outcome.is_done()) ++failed;
    rows.push_back(row_of(*study, p));
    return {};
  });
  if (!done) return tl::unexpected(std::move(done.error()));
  j["stored"] = rows.size();
  j["failed"] = failed;
  j["results"] = std::move(rows);
  return j;
}

ordered_json points_json(const Cases& cases, const Slice& slice) {
  const auto count = slice.count(cases.points().count());
  ordered_json j{{"schema", "busline/study-points/1"}, {"study", cases.study().name}, {"points", count}};
  auto& rows = j["results"] = ordered_json::array();
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto point = slice.point(i);
    const auto values = cases.points().at(point);
    ordered_json axes = ordered_json::object();
    for (std::size_t a = 0; a < values.size(); ++a) axes[cases.points().axes()[a].label] = values[a].name;
    rows.push_back({{"point", point}, {"axes", std::move(axes)}});
  }
  return j;
}

ordered_json find_json(const FoundValue& found, const std::string& label, const FindOptions& options) {
  ordered_json j{{"schema", "busline/study-find/1"}, {"axis", label}};
  j["target_ps"] = found.target.count();
  j["within"] = options.within;
  j["found"] = found.found ? ordered_json(found.tried[*found.found].value.name) : ordered_json();
  j["several_borders"] = found.several_borders;
  auto& tried = j["tried"] = ordered_json::array();
  for (const auto& t : found.tried) {
    ordered_json row{{"value", t.value.name}, {"status", name_of(t.outcome.status)}, {"good", t.good}};
    if (t.outcome.run_time_ps) row["run_time_ps"] = *t.outcome.run_time_ps;
    tried.push_back(std::move(row));
  }
  return j;
}

Expected<void> export_study(const Store& store, ExportFormat format,
                            const std::function<Expected<void>(std::string_view)>& write) {
  const auto study = study_of(store);
  if (!study) return tl::unexpected(study.error());
  if (format == ExportFormat::csv)
    if (auto done = write(csv_head(*study)); !done) return done;
  return store.each([&](const PointOutcome& p) {
    if (format == ExportFormat::csv) return write(csv_row(*study, p));
    return write(row_of(*study, p).dump(-1, ' ', true, ordered_json::error_handler_t::replace) + "\n");
  });
}

}  // namespace busline
