#include "studies/study/point_rows.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "studies/study/axis_number.hpp"
#include "studies/study/store_tables.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

std::string list_of(const std::vector<AxisValue>& values, std::string AxisValue::*member) {
  Json list = Json::array();
  for (const auto& v : values) list.push_back(v.*member);
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// In SI units; null where a value is no number.
std::string si_list(const std::vector<AxisValue>& values) {
  Json list = Json::array();
  for (const auto& v : values) {
    const auto number = axis_number(v.json);
    list.push_back(number ? Json(si_of(*number)) : Json());
  }
  return list.dump();
}

std::vector<std::string> texts_of(const std::string& json) {
  const auto list = Json::parse(json, nullptr, false);
  std::vector<std::string> texts;
  if (list.is_array())
    for (const auto& text : list) texts.push_back(text.is_string() ? text.get<std::string>() : text.dump());
  return texts;
}

}  // namespace

std::string outcome_columns(std::size_t figures) {
  std::string names = "status, reason, program, wall_s";
  for (std::size_t i = 0; i < kFigureColumns.size(); ++i)
    names.append(", ").append(i < figures ? kFigureColumns[i].name : "NULL");
  return names;
}

Outcome outcome_in(const Statement& row, int first) {
  Outcome o;
  o.status = Outcome::Status::failed;  // for a name that this version does not know
  const auto status = row.text(first);
  for (const auto& [name, value] : kOutcomeNames)
    if (name == status) o.status = value;
  o.reason = row.text(first + 1);
  o.program = row.text(first + 2);
  o.wall_s = row.real(first + 3);
  int at = first + 4;
  for (const auto& column : kFigureColumns) {
    if (!row.is_null(at)) o.*column.figure = row.integer(at);
    ++at;
  }
  return o;
}

std::string select_points(std::size_t figures) {
  return fmt::format(
      "SELECT point, axis_values, axis_names, id, {} FROM points JOIN outcomes USING (id)"
      " ORDER BY point",
      outcome_columns(figures));
}

PointOutcome point_in(const Statement& row) {
  PointOutcome p;
  p.point = static_cast<std::uint64_t>(row.integer(0));
  const auto values = texts_of(row.text(1)), names = texts_of(row.text(2));
  for (std::size_t i = 0; i < values.size() && i < names.size(); ++i)
    p.values.push_back({values[i], names[i]});
  p.id = row.text(3);
  p.outcome = outcome_in(row, 4);
  return p;
}

Expected<PointWriter> PointWriter::prepare(const Database& database) {
  std::string marks;
  for (std::size_t i = 0; i < kFigureColumns.size(); ++i) marks += ", ?";
  auto outcome = database.prepare(fmt::format(
      "INSERT OR REPLACE INTO outcomes (id, status, reason, program, wall_s{}) VALUES (?, ?, ?, ?, ?{})",
      figure_columns(), marks));
  if (!outcome) return tl::unexpected(std::move(outcome.error()));
  auto point = database.prepare(
      "INSERT OR REPLACE INTO points (point, axis_values, axis_names, id, axis_si) VALUES (?, ?, ?, ?, ?)");
  if (!point) return tl::unexpected(std::move(point.error()));
  PointWriter writer;
  writer.put_outcome_ = *std::move(outcome);
  writer.put_point_ = *std::move(point);
  return writer;
}

Expected<void> PointWriter::put(const PointOutcome& p) {
  put_outcome_.bind(1, std::string_view(p.id));
  put_outcome_.bind(2, name_of(p.outcome.status));
  put_outcome_.bind(3, std::string_view(p.outcome.reason));
  put_outcome_.bind(4, std::string_view(p.outcome.program));
  put_outcome_.bind(5, p.outcome.wall_s);
  int at = 6;
  for (const auto& column : kFigureColumns) {
    if (const auto& figure = p.outcome.*column.figure)
      put_outcome_.bind(at, *figure);
    else
      put_outcome_.bind_null(at);
    ++at;
  }
  if (auto done = put_outcome_.run(); !done) return done;
  put_point_.bind(1, static_cast<std::int64_t>(p.point));
  put_point_.bind(2, std::string_view(list_of(p.values, &AxisValue::json)));
  put_point_.bind(3, std::string_view(list_of(p.values, &AxisValue::name)));
  put_point_.bind(4, std::string_view(p.id));
  put_point_.bind(5, std::string_view(si_list(p.values)));
  return put_point_.run();
}

}  // namespace busline
