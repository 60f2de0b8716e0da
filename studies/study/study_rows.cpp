// The points of a study as documents and rows for other programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "documents/text/csv.hpp"
#include "studies/study/axis_number.hpp"
#include "studies/study/find_value.hpp"
#include "studies/study/study_report.hpp"

namespace busline {
namespace {

using nlohmann::ordered_json;

ordered_json axis_value(const AxisValue& v) {
  auto value = ordered_json::parse(v.json, nullptr, false);
  return value.is_structured() ? ordered_json(v.name) : value;
}

bool is_quantity(const std::optional<AxisNumber>& number) {
  return number && number->kind != QuantityKind::number;
}

ordered_json axes_json(const StoredStudy& study, const PointOutcome& p) {
  ordered_json axes = ordered_json::object();
  for (std::size_t i = 0; i < study.labels.size() && i < p.values.size(); ++i)
    axes[study.labels[i]] = axis_value(p.values[i]);
  return axes;
}

ordered_json row_of(const StoredStudy& study, const Comparison& compared, const PointOutcome& p) {
  ordered_json row{{"point", p.point}, {"axes", axes_json(study, p)}};
  ordered_json si = ordered_json::object();
  for (std::size_t i = 0; i < study.labels.size() && i < p.values.size(); ++i)
    if (const auto number = axis_number(p.values[i].json); is_quantity(number))
      si[study.labels[i]] = si_of(*number);
  if (!si.empty()) row["axes_si"] = std::move(si);
  row["workload"] = compared.workload_of(p).name;
  row["status"] = name_of(p.outcome.status);
  if (!p.outcome.reason.empty()) row["reason"] = p.outcome.reason;
  if (const auto ratio = compared.to_base(p)) row["to_base"] = *ratio;
  for (const auto& column : kFigureColumns)
    if (const auto& figure = p.outcome.*column.figure) row[std::string(column.name)] = *figure;
  return row;
}

// The columns of a CSV file, which depend on the values of the axes.
class CsvColumns {
 public:
  CsvColumns(const StoredStudy& study, const Comparison& compared) : study_(study), compared_(compared) {
    for (const auto& axis : axes_of(study)) {
      std::vector<std::string> jsons;
      for (const auto& v : axis.values) jsons.push_back(v.json);
      const auto kind = kind_of_axis(jsons);
      const bool plain =
          kind == QuantityKind::number &&
          std::all_of(jsons.begin(), jsons.end(), [](const auto& json) { return axis_number(json); });
      si_.push_back(plain ? std::nullopt : kind);
      names_workload_ = names_workload_ || axis.label == "workload";
    }
  }

  std::string head() const {
    std::string line = "point";
    for (std::size_t i = 0; i < study_.labels.size(); ++i) {
      line.append(",").append(csv_cell(study_.labels[i]));
      if (si_[i]) line.append(",").append(csv_cell(study_.labels[i] + std::string(si_suffix(*si_[i]))));
    }
    if (!names_workload_) line += ",workload";
    line += ",workload_path,status,reason,to_base,run_time_s";
    for (const auto& column : kFigureColumns) line.append(",").append(column.name);
    return line + "\n";
  }

  std::string row(const PointOutcome& p) const {
    auto line = fmt::format("{}", p.point);
    for (std::size_t i = 0; i < study_.labels.size(); ++i) {
      const bool there = i < p.values.size();
      line.append(",").append(csv_cell(there ? p.values[i].name : ""));
      if (!si_[i]) continue;
      line += ',';
      if (const auto number = there ? axis_number(p.values[i].json) : std::nullopt;
          number && number->kind == *si_[i])
        line += fmt::format("{}", si_of(*number));
    }
    const auto& workload = compared_.workload_of(p);
    if (!names_workload_) line.append(",").append(csv_cell(workload.name));
    line += fmt::format(",{},{},{},", csv_cell(workload.path), name_of(p.outcome.status),
                        csv_cell(p.outcome.reason));
    if (const auto ratio = compared_.to_base(p)) line += fmt::format("{:.6g}", *ratio);
    line += ',';
    if (p.outcome.run_time_ps) line += fmt::format("{}", static_cast<double>(*p.outcome.run_time_ps) / 1e12);
    for (const auto& column : kFigureColumns) {
      line += ',';
      if (const auto& figure = p.outcome.*column.figure) line += fmt::format("{}", *figure);
    }
    return line + "\n";
  }

 private:
  const StoredStudy& study_;
  const Comparison& compared_;
  std::vector<std::optional<QuantityKind>> si_;  // by axis; nothing: its texts are numbers, or none is
  bool names_workload_ = false;
};

ordered_json workloads_json(const Comparison& compared) {
  auto list = ordered_json::array();
  const auto number = [](const std::optional<PointOutcome>& p) {
    return p ? ordered_json(p->point) : ordered_json();
  };
  for (const auto& w : compared.workloads())
    list.push_back({{"name", w.name},
                    {"path", w.path},
                    {"weight", w.weight},
                    {"base_point", number(w.base)},
                    {"best_point", number(w.best)}});
  return list;
}

ordered_json best_mix_json(const StoredStudy& study, const Comparison& compared) {
  const auto* best = compared.best_mix();
  if (best == nullptr) return {};
  ordered_json axes = ordered_json::object();
  for (std::size_t i = 0; i < study.labels.size() && i < best->first.values.size(); ++i)
    if (!compared.of_workloads()[i]) axes[study.labels[i]] = axis_value(best->first.values[i]);
  return {{"axes", std::move(axes)}, {"to_base", best->to_base}};
}

}  // namespace

Expected<ordered_json> study_json(const Store& store, const CompareWith& with) {
  const auto study = study_in(store);
  if (!study) return tl::unexpected(study.error());
  const auto compared = Comparison::of(store, *study, compared_as_asked(with, *study));
  if (!compared) return tl::unexpected(compared.error());
  ordered_json j{{"schema", "busline/study-results/1"}, {"study", study->name}, {"points", study->points}};
  auto& axes = j["axes"] = ordered_json::array();
  for (std::size_t i = 0; i < study->labels.size(); ++i) {
    ordered_json axis{{"label", study->labels[i]}};
    if (!study->pointers[i].empty()) axis["set"] = study->pointers[i];
    axes.push_back(std::move(axis));
  }
  j["workloads"] = workloads_json(*compared);
  if (compared->several()) j["best_mix"] = best_mix_json(*study, *compared);
  auto rows = ordered_json::array();
  std::uint64_t failed = 0;
  auto done = store.each([&](const PointOutcome& p) -> Expected<void> {
    if (!p.outcome.is_done()) ++failed;
    rows.push_back(row_of(*study, *compared, p));
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
  constexpr std::array<const char*, 3> kTargets{"best", "base", "given"};
  j["target_is"] = kTargets[static_cast<std::size_t>(found.target_is)];
  j["target_ps"] = found.target.count();
  j["within"] = options.within;
  j["found"] = found.found ? ordered_json(found.tried[*found.found].value.name) : ordered_json();
  j["several_borders"] = found.several_borders;
  auto& tried = j["tried"] = ordered_json::array();
  for (const auto& t : found.tried) {
    ordered_json row{{"value", t.value.name}};
    if (const auto number = axis_number(t.value.json)) row["value_si"] = si_of(*number);
    row.update(ordered_json{{"status", name_of(t.outcome.status)}, {"good", t.good}});
    if (t.outcome.run_time_ps) row["run_time_ps"] = *t.outcome.run_time_ps;
    tried.push_back(std::move(row));
  }
  return j;
}

Expected<void> export_study(const Store& store, ExportFormat format,
                            const std::function<Expected<void>(std::string_view)>& write) {
  const auto study = study_in(store);
  if (!study) return tl::unexpected(study.error());
  const auto compared = Comparison::of(store, *study, compare_with(study->document));
  if (!compared) return tl::unexpected(compared.error());
  const CsvColumns columns(*study, *compared);
  if (format == ExportFormat::csv)
    if (auto done = write(columns.head()); !done) return done;
  return store.each([&](const PointOutcome& p) {
    if (format == ExportFormat::csv) return write(columns.row(p));
    return write(row_of(*study, *compared, p).dump(-1, ' ', true, ordered_json::error_handler_t::replace) +
                 "\n");
  });
}

}  // namespace busline
