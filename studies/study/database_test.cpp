#include "studies/study/database.hpp"

#include <doctest/doctest.h>

#include "workloads/files/test_folder.hpp"

using namespace busline;

TEST_CASE("a file that another program is writing to is reported as such") {
  const TestFolder folder;
  const auto path = folder.file("r.sqlite");
  const auto open = [&] {
    auto database = Database::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    REQUIRE(database);
    return *std::move(database);
  };
  const auto other = open(), ours = open();
  REQUIRE(other.execute("CREATE TABLE t (n INTEGER)"));
  // Who reads already is not kept waiting.
  REQUIRE(ours.execute("BEGIN"));
  REQUIRE(ours.number("SELECT count(*) FROM t"));
  REQUIRE(other.execute("BEGIN IMMEDIATE"));
  const auto written = ours.execute("INSERT INTO t VALUES (1)");
  REQUIRE_FALSE(written);
  CHECK(to_string(written.error()) == path + ": database is locked\n  another program is writing to it");
}
