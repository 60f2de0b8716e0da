#include "studies/study/store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "studies/study/database.hpp"
#include "studies/study/point_rows.hpp"
#include "studies/study/store_tables.hpp"

namespace busline {
namespace {
using Json = nlohmann::ordered_json;
}

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
  PointWriter writer;
  std::size_t figures = kFigureColumns.size();  ///< that the file has
};

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::string& Store::path() const {
  return state_->database.path();
}

Expected<Store> Store::open(const std::string& path, Mode mode) {
  // A writable file is opened for writing even to read it: this rolls back what a killed program left half
  // done.
  const bool writable = access(path.c_str(), W_OK) == 0;
  int flags = SQLITE_OPEN_READWRITE;
  if (mode == Mode::create) flags |= SQLITE_OPEN_CREATE;
  if (mode == Mode::read && !writable) flags = SQLITE_OPEN_READONLY;
  auto database = Database::open(path, flags);
  if (!database) return tl::unexpected(std::move(database.error()));
  auto state = std::make_unique<State>(State{*std::move(database), {}, kFigureColumns.size()});
  const auto& d = state->database;
  // Uses the rollback journal, because the write-ahead log does not work on cluster file systems.
  for (const auto* setting : {"PRAGMA journal_mode=DELETE", "PRAGMA synchronous=FULL"})
    if (mode != Mode::read)
      if (auto done = d.execute(setting); !done) return tl::unexpected(std::move(done.error()));
  const auto figures = open_store_tables(d, mode);
  if (!figures) return tl::unexpected(figures.error());
  state->figures = *figures;
  if (mode != Mode::read) {
    auto writer = PointWriter::prepare(d);
    if (!writer) return tl::unexpected(std::move(writer.error()));
    state->writer = *std::move(writer);
  }
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
  if (auto viewed = put_results_view(state_->database, study); !viewed) return viewed;
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
                                     {"points", &points}}) {
      keys->bind(1, key);
      keys->bind(2, std::string_view(*value));
      if (auto done = keys->run(); !done) return done;
    }
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
      if (auto done = state_->writer.put(p); !done) return done;
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
      fmt::format("SELECT {} FROM outcomes WHERE id = ?", outcome_columns(state_->figures)));
  if (!rows) return tl::unexpected(std::move(rows.error()));
  rows->bind(1, std::string_view(id));
  const auto row = rows->step();
  if (!row) return tl::unexpected(row.error());
  return *row ? std::optional(outcome_in(*rows, 0)) : std::nullopt;
}

Expected<void> Store::each(const std::function<Expected<void>(const PointOutcome&)>& call) const {
  auto rows = state_->database.prepare(select_points(state_->figures));
  if (!rows) return tl::unexpected(std::move(rows.error()));
  for (auto row = rows->step(); !row || *row; row = rows->step()) {
    if (!row) return tl::unexpected(row.error());
    if (auto done = call(point_in(*rows)); !done) return done;
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
      if (here == known_here->end() || here->second != Outcome::Status::done) return state_->writer.put(p);
      return {};
    });
  });
}

}  // namespace busline
