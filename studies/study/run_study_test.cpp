#include "studies/study/run_study.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/random.hpp"
#include "studies/study/difference.hpp"
#include "studies/study/find_value.hpp"
#include "studies/study/test_study.hpp"

using namespace busline;
using namespace busline::test;

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kAxes{"/network/buses=1,2,4,unlimited", "/network/latency=1us..100us:5:log",
                                     "/model=dimemas,ideal"};

}  // namespace

TEST_CASE("a study's results are the same for one, two and eight threads") {
  const Folder folder;
  const auto cases = cases_of(folder, kAxes, kHalo);
  auto one = open(":memory:");
  CHECK(run(cases, one).simulated == 40);
  const auto expected = contents(one);
  for (const unsigned threads : {2U, 8U}) {
    auto store = open(":memory:");
    CHECK(run(cases, store, {.threads = threads}).stored == 40);
    CHECK(contents(store) == expected);
  }
}

TEST_CASE("points that are stored are not run again, also those of a study with other axes") {
  const Folder folder;
  auto store = open(folder.at("r.sqlite"));
  CHECK(run(cases_of(folder, {"/network/buses=1,2"}, kHalo), store).simulated == 2);
  CHECK(run(cases_of(folder, {"/network/buses=1,2"}, kHalo), store).simulated == 0);
  // 2 is known, 3 is not.
  const auto more = run(cases_of(folder, {"/network/buses=3,2"}, kHalo), store);
  CHECK(more.simulated == 1);
  CHECK(more.stored == 2);
  REQUIRE(points_in(store).size() == 2);
  CHECK(points_in(store)[0].values[0].name == "3");
}

TEST_CASE("a point is run again when its platform has changed, not when only its name has") {
  const Folder folder;
  auto store = open(":memory:");
  CHECK(run(cases_of(folder, {"/network/buses=1"}, kHalo), store).simulated == 1);
  CHECK(run(cases_of(folder, {"/network/buses=1"}, kHalo, {"/name=other"}), store).simulated == 0);
  CHECK(run(cases_of(folder, {"/network/buses=1"}, kHalo, {"/network/latency=11us"}), store).simulated == 1);
}

TEST_CASE("parts of a study, put together, are the study") {
  const Folder folder;
  const auto cases = cases_of(folder, kAxes, kHalo);
  auto all = open(":memory:"), merged = open(folder.at("all.sqlite"));
  run(cases, all);
  REQUIRE(merged.begin(stored(cases.study(), cases.points().count())));
  for (std::uint64_t part = 1; part <= 3; ++part) {
    auto store = open(folder.at("part" + std::to_string(part)));
    CHECK(run(cases, store, {.slice = {part, 3}}).points == (part == 1 ? 14 : 13));
    REQUIRE(merged.merge(store));
  }
  CHECK(contents(merged) == contents(all));
}

TEST_CASE("a point that deadlocks or does not fit is stored with its reason, and the others go on") {
  const Folder folder;
  // Rank 0 waits for a message that nobody sends (record 3 of Dimemas traces: a receive).
  std::ofstream(folder.at("stuck.dim")) << "#DIMEMAS:\"x\":1,0:1(2),0\n"
                                           "2:0:1:0.001\n3:0:1:1:8:1:0:0\n2:1:1:0.001\n";
  const auto cases = cases_of(folder,
                              {"/workload=" + folder.at("stuck.dim") + R"(,{"generate": "halo", "ranks": 8})",
                               "/mapping=fill,per-node:1,0"},
                              kHalo);
  auto store = open(":memory:");
  const auto done = run(cases, store);
  CHECK(done.stored == 6);
  const auto points = points_in(store);
  CHECK(points[3].outcome.is_done());
  CHECK(points[4].outcome.is_done());
  CHECK(points[5].outcome.status == Outcome::Status::refused);
  CHECK(points[5].outcome.reason.find("/mapping") != std::string::npos);
  CHECK_FALSE(points[0].outcome.is_done());
  CHECK_FALSE(points[0].outcome.reason.empty());
  CHECK(done.failed == 4);
}

TEST_CASE("a point that is out of time is given up, and run again on request") {
  const Folder folder;
  const auto slow = std::string(R"({"generate": "halo", "ranks": 8, "iterations": 20000})");
  auto store = open(":memory:");
  const auto cases = cases_of(folder, {"/network/buses=1"}, slow, {}, "1ns");
  CHECK(run(cases, store).failed == 1);
  CHECK(points_in(store)[0].outcome.status == Outcome::Status::timed_out);
  CHECK(points_in(store)[0].outcome.reason == "it took longer than 1 ns");
  CHECK(run(cases, store).simulated == 0);
  CHECK(run(cases, store, {.retry = true}).simulated == 1);
}

TEST_CASE("an interrupted study keeps its finished points") {
  const Folder folder;
  const auto cases = cases_of(folder, kAxes, kHalo);
  auto store = open(":memory:");
  std::atomic<int> asked = 0;
  RunStudyOptions how;
  how.threads = 2;
  how.stop = [&asked] { return ++asked > 20; };
  const auto stopped = run(cases, store, how);
  CHECK(stopped.interrupted);
  CHECK(stopped.stored < 40);
  CHECK(points_in(store).size() == stopped.stored);
  const auto rest = run(cases, store);
  CHECK_FALSE(rest.interrupted);
  CHECK(rest.simulated == 40 - stopped.stored);
}

TEST_CASE("whenever a study is killed, its file is whole and the rest is run to the same results") {
  const Folder folder;
  const auto cases = cases_of(folder, kAxes, kHalo);
  auto whole = open(":memory:");
  run(cases, whole);
  const auto expected = contents(whole);
  Random random(4711);
  for (int i = 0; i < 10; ++i) {
    const auto path = folder.at("killed.sqlite");
    fs::remove(path);
    fs::remove(path + "-journal");
    const auto child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      auto store = Store::open(path, Store::Mode::create);
      if (store && store->begin(stored(cases.study(), cases.points().count()))) {
        WorkloadPool workloads;
        (void)run_study(cases, workloads, *store, {.threads = 2, .program = "test", .store_every_s = 0.0005});
      }
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(30'000)));
    kill(child, SIGKILL);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    auto store = open(path);
    const auto rest = run(cases, store);
    CAPTURE(rest.simulated);
    CHECK(contents(store) == expected);
  }
}

TEST_CASE("a failed write is an error, and stored points stay") {
  const Folder folder;
  const auto cases = cases_of(folder, {"/network/buses=1,2"}, kHalo);
  const auto path = folder.at("r.sqlite");
  {
    auto store = open(path);
    run(cases, store);
  }
  { const auto empty = open(folder.at("empty.sqlite")); }
  const auto nothing = study_text(open(folder.at("empty.sqlite"), Store::Mode::read), {});
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().message == "it contains no study");
  CHECK(nothing.error().hint == "store one with 'busline study run'");
  CHECK_FALSE(Store::open("/dev/full", Store::Mode::create));
  CHECK(Store::open(folder.at("none/r.sqlite"), Store::Mode::create).error().kind == Error::Kind::unreadable);
  CHECK(Store::open(folder.at("none.sqlite"), Store::Mode::read).error().kind == Error::Kind::unreadable);
  CHECK(Store::open(folder.at("p.json"), Store::Mode::create).error().kind == Error::Kind::bad_input);
  CHECK(points_in(open(path, Store::Mode::read)).size() == 2);
}

TEST_CASE("benchmarks give a latency, a bandwidth and a launch's time") {
  const Folder folder;
  const auto cases =
      cases_of(folder, {R"(/workload={"measure": "latency"},{"measure": "bisection"},{"measure": "launch"})"},
               kHalo, {"/network/buses=\"unlimited\""});
  auto store = open(":memory:");
  CHECK(run(cases, store).failed == 0);
  const auto points = points_in(store);
  // 10 us on the sender's CPU and 10 us on the receiver's, which waits for the message meanwhile; a byte
  // takes 8 ns: L + S / BW is 10.008 us.
  CHECK(points[0].outcome.run_time_ps == 10'008'000);
  // Four pairs, both ways at once at 125 MB/s a link: 1 GB/s, less the latency of a window.
  REQUIRE(points[1].outcome.bytes_per_s);
  CHECK(*points[1].outcome.bytes_per_s > 990'000'000);
  CHECK(*points[1].outcome.bytes_per_s <= 1'000'000'000);
  CHECK(points[2].outcome.run_time_ps.value_or(0) > 0);
}

TEST_CASE("a pointer that leads nowhere and a value that does not fit are reported with the axis") {
  const Folder folder;
  const auto refused = [&](const std::string& axis) {
    StudyOptions options;
    options.platform = folder.at("p.json");
    options.workload = kHalo;
    options.axes = {axis};
    Diagnostics diagnostics;
    const auto cases = Cases::of(make_study(options).value(), diagnostics);
    REQUIRE_FALSE(cases);
    return to_string(cases.error());
  };
  CHECK(refused("/network/busses=1,2") ==
        "--axis /network/busses: unknown key 'busses'; did you mean 'buses'?");
  CHECK(refused("/network/buses=1,many") ==
        "--axis /network/buses: \"many\": expected a whole number from 1 to 1000000 or \"unlimited\", found "
        "\"many\"");
  CHECK(refused("/nodes/3/links=1").find("--axis /nodes/3/links: /nodes has 1 element") == 0);
  CHECK(refused("/model=dimemas,magic").find("--axis /model: ") == 0);
  CHECK(refused("/workload/nodes=4").find("--axis /workload/nodes: ") == 0);
  CHECK(refused("/mapping=fill,sideways") ==
        "--axis /mapping: 'sideways' is not a mapping\n"
        "  one of fill, round-robin, per-node:K, or the node of each rank as in 0,0,1,1");
  CHECK(refused("/mapping=[0,9]") == "--axis /mapping: there is no node 9, expected 0 to 7");
  const auto none = folder.at("none.json");
  CHECK(refused("/platform=" + folder.at("p.json") + "," + none) ==
        "--axis /platform: " + none + ": cannot be read: No such file or directory");
  CHECK(refused("/platform=" + folder.at("p.json") + R"(,{"name": 7})") ==
        "--axis /platform: " + folder.at("p.json") + ": {\"name\":7}: 'schema' is missing");
}

TEST_CASE("errors of a generator name the workload's member") {
  const Folder folder;
  auto store = open(":memory:");
  run(cases_of(folder, {"/workload/ranks=0"}, kHalo), store);
  CHECK(points_in(store)[0].outcome.status == Outcome::Status::refused);
  CHECK(points_in(store)[0].outcome.reason == "/workload/ranks: '0', expected 1 to 1000000");
}

TEST_CASE("a value that gives no run time is shown without a ratio") {
  const Folder folder;
  auto store = open(":memory:");
  WorkloadPool workloads;
  const auto cases = cases_of(folder, {"/nodes/0/count=8,2"}, kHalo, {"/mapping=per-node:1"});
  const FindOptions options;
  const auto found = find_value(cases, workloads, store, {.program = "test"}, options);
  REQUIRE(found);
  CHECK(to_text(*found, "nodes", options) ==
        R"(  nodes  run time [ms]  to target  good enough
  8             3.4823      1.000          yes
  2            refused          -           no

target 3.4823 ms (the best), within 5.0 %: at most 3.6564 ms
8 is the first of the values tried that is good enough
)");
}

TEST_CASE("the fewest buses that are good enough are found between those that were named") {
  const Folder folder;
  // Eight ranks exchange with their neighbours at once: more than one bus per message is of no use.
  const auto cases = cases_of(folder, {"/network/buses=1..64:3:log"}, kHalo);
  auto store = open(":memory:");
  WorkloadPool workloads;
  const auto found = find_value(cases, workloads, store, {.threads = 2, .program = "test"}, {.within = 0.02});
  REQUIRE(found);
  REQUIRE(found->found);
  const auto& value = found->tried[*found->found];
  REQUIRE(*found->found > 0);
  const auto& before = found->tried[*found->found - 1];
  // Whole numbers: the two values at the border are neighbours.
  CHECK(std::stoi(value.value.name) == std::stoi(before.value.name) + 1);
  CHECK(value.good);
  CHECK_FALSE(before.good);
  const auto limit = static_cast<double>(found->target.count()) * 1.02;
  CHECK(static_cast<double>(*value.outcome.run_time_ps) <= limit);
  CHECK(static_cast<double>(*before.outcome.run_time_ps) > limit);
  auto again = open(":memory:");
  const auto alone = find_value(cases, workloads, again, {.threads = 1, .program = "test"}, {.within = 0.02});
  CHECK(alone->tried.size() == found->tried.size());
}

TEST_CASE("a value that is good enough again beyond a border is reported") {
  const Folder folder;
  const auto cases = cases_of(folder, {"/network/latency=1us,1ms,2us"}, kHalo);
  auto store = open(":memory:");
  WorkloadPool workloads;
  const auto found = find_value(cases, workloads, store, {.program = "test"}, {.within = 0.1});
  REQUIRE(found);
  CHECK(found->several_borders);
  CHECK(found->tried[found->found.value()].value.name == "1us");
  CHECK_FALSE(find_value(cases_of(folder, {"/network/buses=1,2", "/model=dimemas,ideal"}, kHalo), workloads,
                         store, {.program = "test"}, {}));
}

TEST_CASE("two studies are compared point by point, by the values of their axes") {
  const Folder folder;
  const auto first = folder.at("a.sqlite"), second = folder.at("b.sqlite");
  {
    auto a = open(first), b = open(second);
    run(cases_of(folder, {"/network/buses=1,2"}, kHalo), a);
    run(cases_of(folder, {"/network/buses=3,2"}, kHalo, {"/network/bandwidth=2 Gbps"}), b);
  }
  auto a = read_comparable_runs(first);
  auto b = read_comparable_runs(second);
  REQUIRE((a && b));
  // The second study's setting is not part of its points' names.
  const auto difference = difference_of(*a, *b);
  REQUIRE(difference.pairs.size() == 1);
  CHECK(difference.pairs[0].name == "network/buses = 2");
  CHECK(*difference.pairs[0].second.run_time_ps < *difference.pairs[0].first.run_time_ps);
  CHECK(difference.only_first == std::vector<std::string>{"network/buses = 1"});
  CHECK(difference.only_second == std::vector<std::string>{"network/buses = 3"});
}
