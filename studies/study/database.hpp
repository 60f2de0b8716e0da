// SQLite with our errors: a connection, and statements that are made ready once.
#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.hpp"

namespace busline {

/// A statement that is made ready. Its connection must outlive it.
class Statement {
 public:
  Statement() = default;
  Statement(sqlite3_stmt* statement, std::string path) : statement_(statement), path_(std::move(path)) {}

  /// From 1. Texts are copied.
  void bind(int index, std::int64_t value) { sqlite3_bind_int64(get(), index, value); }
  void bind(int index, double value) { sqlite3_bind_double(get(), index, value); }
  void bind(int index, std::string_view value) {
    sqlite3_bind_text(get(), index, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  }
  void bind_null(int index) { sqlite3_bind_null(get(), index); }

  /// True: there is a row. False: it is through, and can be bound and run again.
  Expected<bool> step();
  /// Runs it to its end, whatever rows there are.
  Expected<void> run();

  // For the row; from 0.
  bool is_null(int column) const { return sqlite3_column_type(get(), column) == SQLITE_NULL; }
  std::int64_t integer(int column) const { return sqlite3_column_int64(get(), column); }
  double real(int column) const { return sqlite3_column_double(get(), column); }
  std::string text(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
  };
  sqlite3_stmt* get() const { return statement_.get(); }
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string path_;
};

class Database {
 public:
  /// `flags` are those of sqlite3_open_v2. ":memory:" is not a file.
  static Expected<Database> open(const std::string& path, int flags);

  Expected<Statement> prepare(std::string_view sql) const;
  /// Statements without rows, one after the other.
  Expected<void> execute(const std::string& sql) const;
  /// The number that a statement gives.
  Expected<std::int64_t> number(std::string_view sql) const;
  /// Runs `work` in a transaction: after an Error nothing is stored.
  template <class Work>
  Expected<void> transaction(Work&& work) const {
    if (auto begun = execute("BEGIN IMMEDIATE"); !begun) return begun;
    auto done = work();
    if (done) done = execute("COMMIT");
    if (!done) (void)execute("ROLLBACK");  // which SQLite may have done itself
    return done;
  }
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(sqlite3* d) const { sqlite3_close(d); }
  };
  std::unique_ptr<sqlite3, Close> database_;
  std::string path_;
};

}  // namespace busline
