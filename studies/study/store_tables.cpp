#include "studies/study/store_tables.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace busline {
namespace {

constexpr std::int64_t kApplication = 0x42734c6e;  // "BsLn", in the file's header
constexpr std::int64_t kVersion = 2;
// Version 1 files have only the first of kFigureColumns. The others read as NULL and are added before the
// file is written to.
constexpr std::size_t kFiguresOfVersion1 = 17;

std::string create_view() {
  return fmt::format(
      "CREATE VIEW results AS SELECT point, axis_names, status, reason{} FROM points JOIN outcomes USING (id)"
      " ORDER BY point;",
      figure_columns());
}

std::string create_tables() {
  return fmt::format(
      "CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE axes (axis INTEGER PRIMARY KEY, label TEXT NOT NULL, pointer TEXT NOT NULL);"
      "CREATE TABLE outcomes (id TEXT PRIMARY KEY, status TEXT NOT NULL, reason TEXT NOT NULL,"
      " program TEXT NOT NULL, wall_s REAL NOT NULL{}) WITHOUT ROWID;"
      "CREATE TABLE points (point INTEGER PRIMARY KEY, axis_values TEXT NOT NULL, axis_names TEXT NOT NULL,"
      " id TEXT NOT NULL REFERENCES outcomes (id));"
      "{} PRAGMA application_id={}; PRAGMA user_version={};",
      figure_columns(" INTEGER"), create_view(), kApplication, kVersion);
}

std::string upgrade_version_1() {
  std::string sql = "DROP VIEW results;";
  for (std::size_t i = kFiguresOfVersion1; i < kFigureColumns.size(); ++i)
    sql += fmt::format("ALTER TABLE outcomes ADD COLUMN {} INTEGER;", kFigureColumns[i].name);
  return sql + create_view() + fmt::format("PRAGMA user_version={};", kVersion);
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
  if (*version == 1)
    if (auto done = database.transaction([&] { return database.execute(upgrade_version_1()); }); !done)
      return tl::unexpected(std::move(done.error()));
  return kFigureColumns.size();
}

}  // namespace busline
