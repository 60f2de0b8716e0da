#include "studies/study/store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "studies/study/database.hpp"

namespace busline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kApplication = 0x42734c6e;  // "BsLn", in the file's header
constexpr std::int64_t kVersion = 2;
// Files of version 1 have the first of kFigureColumns only. Read, the others are NULL; before such a file is
// written to it gets them.
constexpr std::size_t kFiguresOfVersion1 = 17;

std::string figure_columns(std::string_view suffix = {}) {
  std::string names;
  for (const auto& column : kFigureColumns) names += fmt::format(", {}{}", column.name, suffix);
  return names;
}

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
                    "'busline study run -o FILE' makes files of results");
}

std::string list_of(const std::vector<AxisValue>& values, std::string AxisValue::*member) {
  Json list = Json::array();
  for (const auto& v : values) list.push_back(v.*member);
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> texts_of(const std::string& json) {
  const auto list = Json::parse(json, nullptr, false);
  std::vector<std::string> texts;
  if (list.is_array())
    for (const auto& text : list) texts.push_back(text.is_string() ? text.get<std::string>() : text.dump());
  return texts;
}

// From column `first` on: status, reason, program, wall_s, figures.
Outcome outcome_in(const Statement& row, int first) {
  Outcome o;
  o.status = Outcome::Status::failed;  // of a name that this version does not know
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

// For outcome_in, of a file with the first `figures` columns.
std::string select_outcome(std::size_t figures) {
  std::string names = "status, reason, program, wall_s";
  for (std::size_t i = 0; i < kFigureColumns.size(); ++i)
    names.append(", ").append(i < figures ? kFigureColumns[i].name : "NULL");
  return names;
}

}  // namespace

bool is_store(const std::string& path) {
  // https://www.sqlite.org/fileformat.html, 1.3
  constexpr std::string_view kHeader = "SQLite format 3";
  std::string head(kHeader.size(), '\0');
  std::ifstream in(path, std::ios::binary);
  return in.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kHeader;
}

StoredStudy stored(const Study& study, std::uint64_t points) {
  Json axes = Json::array();
  StoredStudy s{study.name, study.document, study.folder, {}, {}, {}, points};
  for (const auto& axis : study.axes) {
    Json values = Json::array();
    for (const auto& v : axis.values) values.push_back({v.json, v.name});
    axes.push_back(
        {{"pointer", axis.pointer}, {"range", axis.range.has_value()}, {"values", std::move(values)}});
    s.labels.push_back(axis.label);
    s.pointers.push_back(axis.pointer);
  }
  const auto& how = study.sampling;
  s.axes = Json{{"axes", std::move(axes)},
                {"combine", static_cast<int>(how.kind)},
                {"samples", how.points},
                {"seed", how.seed}}
               .dump();
  return s;
}

struct Store::State {
  Database database;
  Statement put_outcome, put_point;
  std::size_t figures = kFigureColumns.size();  ///< that the file has

  Expected<void> prepare_writing() {
    std::string marks;
    for (std::size_t i = 0; i < kFigureColumns.size(); ++i) marks += ", ?";
    auto outcome = database.prepare(fmt::format(
        "INSERT OR REPLACE INTO outcomes (id, status, reason, program, wall_s{}) VALUES (?, ?, ?, ?, ?{})",
        figure_columns(), marks));
    if (!outcome) return tl::unexpected(std::move(outcome.error()));
    auto point = database.prepare("INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?)");
    if (!point) return tl::unexpected(std::move(point.error()));
    put_outcome = *std::move(outcome);
    put_point = *std::move(point);
    return {};
  }

  Expected<void> put(const PointOutcome& p) {
    put_outcome.bind(1, std::string_view(p.id));
    put_outcome.bind(2, name_of(p.outcome.status));
    put_outcome.bind(3, std::string_view(p.outcome.reason));
    put_outcome.bind(4, std::string_view(p.outcome.program));
    put_outcome.bind(5, p.outcome.wall_s);
    int at = 6;
    for (const auto& column : kFigureColumns) {
      if (const auto& figure = p.outcome.*column.figure)
        put_outcome.bind(at, *figure);
      else
        put_outcome.bind_null(at);
      ++at;
    }
    if (auto done = put_outcome.run(); !done) return done;
    put_point.bind(1, static_cast<std::int64_t>(p.point));
    put_point.bind(2, std::string_view(list_of(p.values, &AxisValue::json)));
    put_point.bind(3, std::string_view(list_of(p.values, &AxisValue::name)));
    put_point.bind(4, std::string_view(p.id));
    return put_point.run();
  }

  Expected<void> put_key(Statement& statement, std::string_view key, std::string_view value) {
    statement.bind(1, key);
    statement.bind(2, value);
    return statement.run();
  }
};

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::string& Store::path() const {
  return state_->database.path();
}

Expected<Store> Store::open(const std::string& path, Mode mode) {
  // A file that may be written is opened for that even to be read: what a program that was killed left half
  // done is undone then.
  const bool writable = access(path.c_str(), W_OK) == 0;
  int flags = SQLITE_OPEN_READWRITE;
  if (mode == Mode::create) flags |= SQLITE_OPEN_CREATE;
  if (mode == Mode::read && !writable) flags = SQLITE_OPEN_READONLY;
  auto database = Database::open(path, flags);
  if (!database) return tl::unexpected(std::move(database.error()));
  auto state = std::make_unique<State>(State{*std::move(database), {}, {}, kFigureColumns.size()});
  const auto& d = state->database;
  // The rollback journal and not the write-ahead log, which does not work on file systems of clusters.
  for (const auto* setting : {"PRAGMA journal_mode=DELETE", "PRAGMA synchronous=FULL"})
    if (mode != Mode::read)
      if (auto done = d.execute(setting); !done) return tl::unexpected(std::move(done.error()));
  const auto application = d.number("PRAGMA application_id");
  if (!application) return tl::unexpected(application.error());
  const auto tables = d.number("SELECT count(*) FROM sqlite_master");
  if (!tables) return tl::unexpected(tables.error());
  if (*tables == 0 && mode == Mode::create) {
    if (auto made = d.transaction([&] { return d.execute(create_tables()); }); !made)
      return tl::unexpected(std::move(made.error()));
  } else if (*application != kApplication) {
    return tl::unexpected(not_ours(path, "this is no file of results of 'busline study'"));
  }
  const auto version = d.number("PRAGMA user_version");
  if (!version) return tl::unexpected(version.error());
  if (*version < 1 || *version > kVersion)
    return tl::unexpected(
        not_ours(path, fmt::format("its version is {}, this program reads up to {}", *version, kVersion)));
  if (*version == 1 && mode == Mode::read) state->figures = kFiguresOfVersion1;
  if (*version == 1 && mode != Mode::read)
    if (auto done = d.transaction([&] { return d.execute(upgrade_version_1()); }); !done)
      return tl::unexpected(std::move(done.error()));
  if (mode != Mode::read)
    if (auto ready = state->prepare_writing(); !ready) return tl::unexpected(std::move(ready.error()));
  return Store(std::move(state));
}

Expected<std::optional<StoredStudy>> Store::study() const {
  StoredStudy s;
  bool any = false;
  auto keys = state_->database.prepare("SELECT key, value FROM study");
  if (!keys) return tl::unexpected(std::move(keys.error()));
  for (auto row = keys->step(); !row || *row; row = keys->step()) {
    if (!row) return tl::unexpected(row.error());
    any = true;
    const auto key = keys->text(0);
    auto value = keys->text(1);
    if (key == "points") s.points = static_cast<std::uint64_t>(keys->integer(1));
    for (const auto& [name, member] : {std::pair("name", &StoredStudy::name),
                                       {"document", &StoredStudy::document},
                                       {"folder", &StoredStudy::folder},
                                       {"axes", &StoredStudy::axes}})
      if (key == name) s.*member = std::move(value);
  }
  if (!any) return std::optional<StoredStudy>();
  auto axes = state_->database.prepare("SELECT label, pointer FROM axes ORDER BY axis");
  if (!axes) return tl::unexpected(std::move(axes.error()));
  for (auto row = axes->step(); !row || *row; row = axes->step()) {
    if (!row) return tl::unexpected(row.error());
    s.labels.push_back(axes->text(0));
    s.pointers.push_back(axes->text(1));
  }
  return std::optional(std::move(s));
}

Expected<void> Store::begin(const StoredStudy& study) {
  const auto before = this->study();
  if (!before) return tl::unexpected(before.error());
  if (*before == study) return {};
  const bool same_points = *before && (*before)->axes == study.axes;
  const auto& d = state_->database;
  return d.transaction([&]() -> Expected<void> {
    if (auto done = d.execute("DELETE FROM study; DELETE FROM axes;"); !done) return done;
    if (!same_points)
      if (auto done = d.execute("DELETE FROM points;"); !done) return done;
    auto keys = d.prepare("INSERT INTO study VALUES (?, ?)");
    if (!keys) return tl::unexpected(std::move(keys.error()));
    const auto points = fmt::format("{}", study.points);
    for (const auto& [key, value] : {std::pair<std::string_view, const std::string*>("name", &study.name),
                                     {"document", &study.document},
                                     {"folder", &study.folder},
                                     {"axes", &study.axes},
                                     {"points", &points}})
      if (auto done = state_->put_key(*keys, key, *value); !done) return done;
    auto axes = d.prepare("INSERT INTO axes VALUES (?, ?, ?)");
    if (!axes) return tl::unexpected(std::move(axes.error()));
    for (std::size_t i = 0; i < study.labels.size(); ++i) {
      axes->bind(1, static_cast<std::int64_t>(i));
      axes->bind(2, std::string_view(study.labels[i]));
      axes->bind(3, std::string_view(study.pointers[i]));
      if (auto done = axes->run(); !done) return done;
    }
    return {};
  });
}

Expected<void> Store::put(std::span<const PointOutcome> outcomes) {
  return state_->database.transaction([&]() -> Expected<void> {
    for (const auto& p : outcomes)
      if (auto done = state_->put(p); !done) return done;
    return {};
  });
}

Expected<std::unordered_map<std::string, Outcome::Status>> Store::known() const {
  std::unordered_map<std::string, Outcome::Status> all;
  auto rows = state_->database.prepare("SELECT id, status FROM outcomes");
  if (!rows) return tl::unexpected(std::move(rows.error()));
  for (auto row = rows->step(); !row || *row; row = rows->step()) {
    if (!row) return tl::unexpected(row.error());
    const auto status = rows->text(1);
    for (const auto& [name, value] : kOutcomeNames)
      if (name == status) all.emplace(rows->text(0), value);
  }
  return all;
}

Expected<std::optional<Outcome>> Store::outcome(const std::string& id) const {
  auto rows = state_->database.prepare(
      fmt::format("SELECT {} FROM outcomes WHERE id = ?", select_outcome(state_->figures)));
  if (!rows) return tl::unexpected(std::move(rows.error()));
  rows->bind(1, std::string_view(id));
  const auto row = rows->step();
  if (!row) return tl::unexpected(row.error());
  return *row ? std::optional(outcome_in(*rows, 0)) : std::nullopt;
}

Expected<void> Store::each(const std::function<Expected<void>(const PointOutcome&)>& call) const {
  auto rows = state_->database.prepare(
      fmt::format("SELECT point, axis_values, axis_names, id, {} FROM points JOIN outcomes USING (id)"
                  " ORDER BY point",
                  select_outcome(state_->figures)));
  if (!rows) return tl::unexpected(std::move(rows.error()));
  for (auto row = rows->step(); !row || *row; row = rows->step()) {
    if (!row) return tl::unexpected(row.error());
    PointOutcome p;
    p.point = static_cast<std::uint64_t>(rows->integer(0));
    const auto values = texts_of(rows->text(1)), names = texts_of(rows->text(2));
    for (std::size_t i = 0; i < values.size() && i < names.size(); ++i)
      p.values.push_back({values[i], names[i]});
    p.id = rows->text(3);
    p.outcome = outcome_in(*rows, 4);
    if (auto done = call(p); !done) return done;
  }
  return {};
}

Expected<void> Store::merge(const Store& other) {
  const auto known_here = known();
  if (!known_here) return tl::unexpected(known_here.error());
  return state_->database.transaction([&]() -> Expected<void> {
    return other.each([&](const PointOutcome& p) -> Expected<void> {
      const auto here = known_here->find(p.id);
      // A point that was done counts more than one that was not.
      if (here == known_here->end() || here->second != Outcome::Status::done) return state_->put(p);
      return {};
    });
  });
}

}  // namespace busline
