#include "studies/study/store_tables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "studies/study/axis_number.hpp"
#include "studies/study/comparison.hpp"

namespace busline {
namespace {

constexpr std::int64_t kApplication = 0x42734c6e;  // "BsLn", in the file's header
constexpr std::int64_t kVersion = 3;
// Version 1 files have only the first of kFigureColumns. The others read as NULL and are added before the
// file is written to.
constexpr std::size_t kFiguresOfVersion1 = 17;

// Identifiers and texts of SQL: a quote inside stands there twice.
std::string in_quotes(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) out.append(c == quote ? 2 : 1, c);
  return out + quote;
}

// The kind of the numbers of an axis beside whose texts there is a column of numbers.
std::optional<QuantityKind> kind_beside(const StoredAxis& axis) {
  std::vector<std::string> jsons;
  for (const auto& v : axis.values) jsons.push_back(v.json);
  return kind_of_axis(jsons);
}

std::string create_results_view(const StoredStudy& study) {
  std::string columns = "point, axis_names";
  const auto add = [&](const std::string& value, const std::string& name) {
    columns += fmt::format(", {} AS {}", value, in_quotes(name, '"'));
  };
  bool names_workload = false, of_workloads = false;
  const auto axes = axes_of(study);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& axis = axes[i];
    add(fmt::format("json_extract(axis_names, '$[{}]')", i), axis.label);
    if (const auto kind = kind_beside(axis))
      add(fmt::format("json_extract(axis_si, '$[{}]')", i), axis.label + std::string(si_suffix(*kind)));
    // A path is a JSON text in a list of texts; an object stays one.
    if (axis.pointer == "/workload")
      add(fmt::format("json_extract(json_extract(axis_values, '$[{}]'), '$')", i), axis.label + "_path");
    names_workload = names_workload || axis.label == "workload";
    of_workloads = of_workloads || axis.is_of_workloads();
  }
  if (!names_workload && !of_workloads && !study.document.empty()) {
    const auto path = workload_path(study, {});
    add(in_quotes(workload_name(study, {}), '\''), "workload");
    add(in_quotes(path, '\''), "workload_path");
  }
  return fmt::format(
      "CREATE VIEW results AS SELECT {}, status, reason,"
      " run_time_ps / 1e12 AS run_time_s{} FROM points JOIN outcomes USING (id) ORDER BY point",
      columns, figure_columns());
}

std::string create_tables() {
  return fmt::format(
      "CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE axes (axis INTEGER PRIMARY KEY, label TEXT NOT NULL, pointer TEXT NOT NULL);"
      "CREATE TABLE outcomes (id TEXT PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL,"
      " program TEXT NOT NULL, wall_s REAL NOT NULL{}) WITHOUT ROWID;"
      "CREATE TABLE points (point INTEGER PRIMARY KEY, axis_values TEXT NOT NULL, axis_names TEXT NOT NULL,"
      " id TEXT NOT NULL REFERENCES outcomes (id), axis_si TEXT);"
      "{}; PRAGMA application_id={}; PRAGMA user_version={};",
      figure_columns(" INTEGER"), create_results_view({}), kApplication, kVersion);
}

// Points of these files get axis_si when they are stored again, and the view when the study begins again.
std::string upgrade_from(std::int64_t version) {
  std::string sql;
  for (std::size_t i = kFiguresOfVersion1; version == 1 && i < kFigureColumns.size(); ++i)
    sql += fmt::format("ALTER TABLE outcomes ADD COLUMN {} INTEGER;", kFigureColumns[i].name);
  return sql +
         fmt::format(
             "ALTER TABLE points ADD COLUMN axis_si TEXT; DROP VIEW results; {}; PRAGMA user_version={};",
             create_results_view({}), kVersion);
}

Error not_ours(const std::string& path, std::string message) {
  return file_error(Error::Kind::bad_input, path, std::move(message),
                    "create a results file with 'busline study run -o FILE'");
}

}  // namespace

std::string figure_columns(std::string_view suffix) {
  std::string names;
  for (const auto& column : kFigureColumns) names += fmt::format(", {}{}", column.name, suffix);
  return names;
}

Expected<void> put_results_view(const Database& database, const StoredStudy& study) {
  auto rows = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'results'");
  if (!rows) return tl::unexpected(std::move(rows.error()));
  const auto row = rows->step();
  if (!row) return tl::unexpected(row.error());
  const auto wanted = create_results_view(study);
  if (*row && rows->text(0) == wanted) return {};
  *rows = Statement();
  return database.transaction([&] { return database.execute("DROP VIEW IF EXISTS results;" + wanted); });
}

Expected<std::size_t> open_store_tables(const Database& database, Store::Mode mode) {
  const auto application = database.number("PRAGMA application_id");
  if (!application) return tl::unexpected(application.error());
  const auto tables = database.number("SELECT count(*) FROM sqlite_master");
  if (!tables) return tl::unexpected(tables.error());
  if (*tables == 0 && mode == Store::Mode::create) {
    if (auto made = database.transaction([&] { return database.execute(create_tables()); }); !made)
      return tl::unexpected(std::move(made.error()));
  } else if (*application != kApplication) {
    return tl::unexpected(not_ours(database.path(), "this is not a results file of 'busline study'"));
  }
  const auto version = database.number("PRAGMA user_version");
  if (!version) return tl::unexpected(version.error());
  if (*version < 1 || *version > kVersion)
    return tl::unexpected(
        not_ours(database.path(),
                 fmt::format("its version is {}, but this program reads up to {}", *version, kVersion)));
  if (*version == 1 && mode == Store::Mode::read) return kFiguresOfVersion1;
  if (*version < kVersion && mode != Store::Mode::read)
    if (auto done = database.transaction([&] { return database.execute(upgrade_from(*version)); }); !done)
      return tl::unexpected(std::move(done.error()));
  return kFigureColumns.size();
}

}  // namespace busline
