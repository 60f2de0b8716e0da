#include "studies/study/database.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "workloads/files/output_file.hpp"

namespace busline {
namespace {

// How long SQLite waits for another program that uses the file.
constexpr int kBusyMilliseconds = 20'000;

tl::unexpected<Error> error_of(sqlite3* database, int code, const std::string& path) {
  Error e;
  e.kind = Error::Kind::unreadable;
  e.path = path;
  e.message = database == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database);
  switch (code & 0xff) {  // the low byte is the class of an error
    case SQLITE_CANTOPEN:
      if (const int why = database == nullptr ? 0 : sqlite3_system_errno(database); why != 0)
        e.message = fmt::format("cannot be opened: {}", std::strerror(why));
      break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      e.kind = Error::Kind::bad_input;
      e.hint = "this is not a results file, or it is damaged";
      break;
    case SQLITE_FULL:
      e.hint = "everything stored before is intact; free some space and run the same command again";
      break;
    case SQLITE_BUSY:
      e.hint = "another program is writing to it";
      break;
    default:
      break;
  }
  return tl::unexpected(std::move(e));
}

}  // namespace

Expected<bool> Statement::step() {
  const int code = sqlite3_step(get());
  if (code == SQLITE_ROW) return true;
  sqlite3* database = sqlite3_db_handle(get());
  if (code == SQLITE_DONE) {
    sqlite3_reset(get());
    return false;
  }
  auto error = error_of(database, code, path_);
  sqlite3_reset(get());
  return error;
}

Expected<void> Statement::run() {
  for (;;) {
    const auto row = step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return {};
  }
}

std::string Statement::text(int column) const {
  const auto* text = sqlite3_column_text(get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(get(), column));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): SQLite's texts are unsigned
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), size);
}

Expected<Database> Database::open(const std::string& path, int flags) {
  sqlite3* opened = nullptr;
  // Used by one thread at a time: locks would take a third of the time for storing.
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database d;
  d.database_.reset(opened);
  d.path_ = path;
  if (code == SQLITE_CANTOPEN && (flags & SQLITE_OPEN_CREATE) != 0)
    // SQLite falls back to reading, and then reports that there is no such file.
    if (auto ok = check_writable(path); !ok) return tl::unexpected(std::move(ok.error()));
  if (code != SQLITE_OK) return error_of(opened, code, path);
  sqlite3_busy_timeout(opened, kBusyMilliseconds);
  return d;
}

Expected<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* made = nullptr;
  const int code =
      sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &made, nullptr);
  if (code != SQLITE_OK) return error_of(database_.get(), code, path_);
  return Statement(made, path_);
}

Expected<void> Database::execute(const std::string& sql) const {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error_of(database_.get(), code, path_);
  return {};
}

Expected<std::int64_t> Database::number(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return tl::unexpected(statement.error());
  const auto row = statement->step();
  if (!row) return tl::unexpected(row.error());
  return *row ? statement->integer(0) : 0;
}

}  // namespace busline
