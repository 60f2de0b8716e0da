// Studies that ask why.
#include <string>
#include <vector>

#include "studies/study/database.hpp"
#include "studies/study/difference.hpp"
#include "studies/study/put_why.hpp"
#include "studies/study/team_letters.hpp"
#include "studies/study/test_study.hpp"

using namespace busline;
using namespace busline::test;

namespace {

Cases cases_with_why(const Folder& folder, std::vector<std::string> axes, const std::string& workload) {
  auto study = cases_of(folder, std::move(axes), workload).study();
  ask_why(study);
  Diagnostics diagnostics;
  auto cases = Cases::of(std::move(study), diagnostics);
  REQUIRE(cases);
  return *std::move(cases);
}

std::int64_t path_of(const Outcome& o) {
  std::int64_t sum = 0;
  for (const auto& part : kPathParts) sum += (o.*part.figure).value();
  return sum;
}

// What version 1 of the file was.
void put_back_to_version_1(const std::string& path) {
  const auto database = Database::open(path, SQLITE_OPEN_READWRITE);
  REQUIRE(database);
  std::string sql = "DROP VIEW results; PRAGMA user_version=1; ALTER TABLE points DROP COLUMN axis_si;";
  for (std::size_t i = 17; i < kFigureColumns.size(); ++i)
    sql.append("ALTER TABLE outcomes DROP COLUMN ").append(kFigureColumns[i].name).append(";");
  REQUIRE(database->execute(sql + "CREATE VIEW results AS SELECT point FROM points;"));
}

}  // namespace

TEST_CASE("the parts of the path of each point add up to its run time, whatever its model") {
  const Folder folder;
  const auto cases = cases_with_why(
      folder, {"/network/buses=1,2,unlimited", "/network/latency=1us,50us", "/model=dimemas,ideal,flow"},
      kHalo);
  auto store = open(":memory:");
  CHECK(run(cases, store).failed == 0);
  for (const auto& p : points_in(store)) {
    CAPTURE(p.values[2].name);
    REQUIRE(p.outcome.has_path());
    CHECK(path_of(p.outcome) == p.outcome.run_time_ps);
    CHECK(p.outcome.slope_latency.value() > 0);
    CHECK(p.outcome.slope_byte_time.value() > 0);
  }
}

TEST_CASE("transfers of any kind are one part, and the slope of a byte's time is in bytes") {
  // 10 us of transfers at 125 MB/s are 1250 B.
  Outcome o;
  CriticalPath path;
  path.parts[static_cast<std::size_t>(PathCause::transfer)] = Duration::picoseconds(10'000'000);
  path.parts[static_cast<std::size_t>(PathCause::memory)] = Duration::picoseconds(1);
  path.parts[static_cast<std::size_t>(queue_cause(ResourceKind::turn))] = Duration::picoseconds(2);
  Platform platform;
  platform.machines.emplace_back();
  platform.machines[0].network.bandwidth = Bandwidth::bytes_per_second(125e6);
  put_why(path, {.latency = 2, .transfer = 10'000'000, .compute = 0}, platform, o);
  CHECK(o.path_transfer_ps == 10'000'001);
  CHECK(o.path_other_ps == 2);
  CHECK(o.slope_latency == 2);
  CHECK(o.slope_byte_time == 1250);
  platform.machines[0].network.bandwidth = Bandwidth::unlimited();
  Outcome unlimited;
  put_why(path, {}, platform, unlimited);
  CHECK_FALSE(unlimited.slope_byte_time);
}

TEST_CASE("why is the same for any number of threads and survives the way between processes") {
  const Folder folder;
  const auto cases =
      cases_with_why(folder, {"/network/buses=1,2,4,unlimited", "/model=dimemas,ideal"}, kHalo);
  auto one = open(":memory:"), two = open(":memory:");
  run(cases, one);
  run(cases, two, {.threads = 2});
  CHECK(contents(two) == contents(one));
  TeamLetter letter;
  letter.kind = LetterKind::done;
  letter.finished.point = points_in(one).front();
  CHECK(letter_from(to_bytes(letter)).finished.point.outcome == letter.finished.point.outcome);
  CHECK(letter_from("").reason == "its message was truncated");
}

TEST_CASE("what was stored without why does not answer a study that asks, and is not lost") {
  const Folder folder;
  const std::vector<std::string> axes{"/network/buses=1,2"};
  const auto plain = cases_of(folder, axes, kHalo), why = cases_with_why(folder, axes, kHalo);
  auto store = open(":memory:");
  CHECK(run(plain, store).simulated == 2);
  const auto before = contents(store);
  CHECK(run(why, store).simulated == 2);
  const auto asked = points_in(store);
  CHECK(asked[0].outcome.has_path());
  CHECK(run(why, store).simulated == 0);
  // The document that is stored asks, too.
  auto again = parse_study(store.study().value()->document, "stored", "");
  REQUIRE(again);
  CHECK(again->why);
  CHECK(run(plain, store).simulated == 0);
  CHECK(contents(store) == before);
}

TEST_CASE("benchmarks, and runs that cannot be watched, are stored without why") {
  const Folder folder;
  const auto workload = std::string(R"({"measure": "latency"})");
  auto store = open(":memory:");
  CHECK(run(cases_of(folder, {"/network/buses=1"}, workload), store).simulated == 1);
  const auto before = contents(store);
  CHECK(run(cases_with_why(folder, {"/network/buses=1"}, workload), store).simulated == 0);
  CHECK(contents(store) == before);
  // Where SimGrid is missing the run is refused for that, and not because it was to be watched.
  run(cases_with_why(folder, {R"(/network/flow={"solver": "SimGrid"})", "/model=flow"}, kHalo), store);
  const auto unwatched = points_in(store).front().outcome;
  CHECK(unwatched.is_done() == unwatched.run_time_ps.has_value());
  CHECK_FALSE(unwatched.has_path());
  CHECK(unwatched.reason.find("observed") == std::string::npos);
}

TEST_CASE("a results file of the previous version is read, and upgraded when written to") {
  const Folder folder;
  const std::vector<std::string> axes{"/network/buses=1,2"};
  const auto path = folder.at("old.sqlite");
  std::string before;
  {
    auto store = open(path);
    run(cases_of(folder, axes, kHalo), store);
    before = contents(store);
  }
  put_back_to_version_1(path);
  CHECK(contents(open(path, Store::Mode::read)) == before);
  CHECK(contents(open(path, Store::Mode::read)) == before);  // reading does not change it
  auto store = open(path, Store::Mode::extend);
  CHECK(contents(store) == before);
  CHECK(run(cases_of(folder, axes, kHalo), store).simulated == 0);
  const auto database = Database::open(path, SQLITE_OPEN_READONLY);
  REQUIRE(database);
  CHECK(database->number("SELECT \"network/buses_number\" FROM results WHERE point = 1").value() == 2);
  CHECK(run(cases_with_why(folder, axes, kHalo), store).simulated == 2);
  CHECK(points_in(store)[1].outcome.has_path());
}

TEST_CASE("a difference is reported by paths if both sides have them") {
  const Folder folder;
  const auto first = folder.at("a.sqlite"), second = folder.at("b.sqlite");
  {
    auto a = open(first), b = open(second);
    run(cases_with_why(folder, {"/network/buses=1,2"}, kHalo), a);
    run(cases_of(folder, {"/network/buses=1,2"}, kHalo), b);
  }
  const auto with = read_comparable_runs(first).value(), without = read_comparable_runs(second).value();
  CHECK(to_text(difference_of(with, with)).find("largest change, critical path") != std::string::npos);
  CHECK(to_text(difference_of(with, without)).find("largest change, mean over ranks") != std::string::npos);
}

TEST_CASE("losses are reported from the critical path where there is one") {
  Outcome o;
  o.run_time_ps = 100;
  o.wait_ps = 60;
  CHECK(lost_most(o).to == "messages");
  for (const auto& part : kPathParts) o.*part.figure = 0;
  o.path_compute_ps = 70;
  o.path_wait_bus_ps = 30;
  CHECK(lost_most(o).to == "buses");
  CHECK(lost_most(o).share == 0.3);
}
