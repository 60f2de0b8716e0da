#include "studies/timeline/recorder.hpp"

#include <map>

#include "sim/base/random.hpp"
#include "studies/timeline/test_timeline.hpp"

using namespace busline;
using namespace busline::timeline;

namespace {

std::int64_t by_order(const timeline::Record&) {
  return 0;
}

std::vector<timeline::Record> all(RecordSorter& sorter) {
  std::vector<timeline::Record> records;
  REQUIRE(sorter.for_each([&](const timeline::Record& r) {
    records.push_back(r);
    return true;
  }));
  return records;
}

std::vector<timeline::Record> recorded(Range range, std::int64_t unit = 1) {
  RecordSorter sorter(by_order, ".");
  Recorder recorder(kRanks, ~0U, unit, range, sorter);
  recorder.finish(record_ring(recorder));
  return all(sorter);
}

}  // namespace

TEST_CASE("records come out by key, and of one key in the order in which they came, in memory or not") {
  const TestFolder folder;
  for (const std::size_t room : {7U, 64U, 5000U}) {
    RecordSorter sorter([](const timeline::Record& r) { return r.at; }, folder.path(), room);
    Random random(3);
    for (std::uint32_t i = 0; i < 1000; ++i) {
      timeline::Record r;
      r.at = random.below(50);
      r.name = i;
      sorter.add(r);
    }
    const auto sorted = all(sorter);
    REQUIRE(sorted.size() == 1000);
    CHECK(std::is_sorted(sorted.begin(), sorted.end(),
                         [](const timeline::Record& a, const timeline::Record& b) {
                           return a.at != b.at ? a.at < b.at : a.name < b.name;
                         }));
    CHECK(folder.files() == 0);
  }
}

TEST_CASE("records that find no room are an error, once") {
  RecordSorter sorter(by_order, "/proc/nowhere", 2);
  for (int i = 0; i < 5; ++i) sorter.add({});
  CHECK(sorter.failed());
  const auto given = sorter.for_each([](const timeline::Record&) { return true; });
  REQUIRE_FALSE(given);
  CHECK(given.error().kind == Error::Kind::unreadable);
  CHECK(to_string(given.error()) ==
        "/proc/nowhere: the timeline's records cannot be kept here for sorting: No such file or directory");
}

TEST_CASE("states leave no gap in a track's time and do not overlap") {
  for (const std::int64_t unit : {1, 1000, 7'777'777}) {
    std::map<std::uint32_t, std::int64_t> ends;
    for (const auto& r : recorded({}, unit)) {
      if (r.kind != Kind::state) continue;
      CHECK(r.at == ends[r.track]);
      CHECK(r.until > r.at);
      ends[r.track] = r.until;
    }
    REQUIRE(ends.size() == kRanks);
    for (const auto& [track, end] : ends) CHECK(end == ends[0]);
  }
}

TEST_CASE("the events of a track are recorded in the order of their times") {
  std::map<std::uint32_t, std::int64_t> last;
  for (const auto& r : recorded({})) {
    if (r.kind == Kind::level || r.kind == Kind::arrival) continue;
    const auto track = r.kind == Kind::message ? r.peer : r.track;
    const auto at = r.kind == Kind::message ? r.until : r.at;
    CHECK(at >= last[track]);
    last[track] = r.kind == Kind::state ? r.until : at;
  }
}

TEST_CASE("a range cuts states and calls at its ends, and keeps whole messages only") {
  constexpr Range kRange{10'200'000, 14'000'000};  // in the first MPI_Send of rank 0, and before the end
  std::map<std::uint32_t, int> depth;
  std::map<std::uint32_t, std::int64_t> ends;
  std::size_t messages = 0;
  for (const auto& r : recorded(kRange)) {
    CHECK(r.at >= kRange.from);
    CHECK(std::max(r.at, r.until) <= kRange.to);
    if (r.kind == Kind::enter) CHECK(++depth[r.track] == 1);
    if (r.kind == Kind::leave) CHECK(--depth[r.track] == 0);
    if (r.kind == Kind::message) ++messages;
    if (r.kind == Kind::state) ends[r.track] = r.until;
  }
  for (const auto& [track, open] : depth) CHECK(open == 0);
  for (const auto& [track, end] : ends) CHECK(end == kRange.to);
  CHECK(messages == 3);  // sent at 10.5, 11.5 and 12.5 us, received 1.25 us later
}

TEST_CASE("a track that is not wanted leaves no records") {
  RecordSorter sorter(by_order, ".");
  Recorder recorder(1, ~0U, 1, {}, sorter);
  recorder.state(kNone, State::compute, 5);
  recorder.enter(kNone, 0, 5);
  recorder.leave(kNone, 6);
  timeline::Record m;
  m.peer = kNone;
  recorder.message(m);
  recorder.finish(10);
  CHECK(sorter.size() == 1);  // the one state of the track that there is
}
