// What a page says and draws of a timeline.
#include "studies/report/timeline_section.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "studies/report/coarse_lanes.hpp"
#include "studies/timeline/test_timeline.hpp"

using namespace busline;
using namespace busline::report;
using Strings = std::vector<std::string>;

namespace {

Document timeline_document_of(const std::string& events) {
  auto document = Document::parse(
      R"({"otherData":{"producer":"busline","title":"ring on machine"},"traceEvents":[)" + events + "]}",
      "file.json");
  REQUIRE(document);
  return *std::move(document);
}

std::string state(const char* phase, int thread, const char* us, const std::string& name = "") {
  return std::string(R"({"ph":")") + phase + R"(","pid":1,"tid":)" + std::to_string(thread) + R"(,"ts":)" +
         us + (name.empty() ? "}" : R"(,"cat":"state","name":")" + name + "\"}");
}

// Lanes with a piece of 1 ps for each of the kinds, one after the other.
Lanes lanes_of(const std::vector<std::vector<std::uint32_t>>& kinds) {
  Lanes lanes{0, 0, {"a", "b", "c"}, {}, {}};
  for (const auto& lane : kinds) {
    auto& made = lanes.lanes.emplace_back();
    made.name = std::string("rank ").append(std::to_string(lanes.lanes.size() - 1));
    for (const auto kind : lane) {
      const auto at = static_cast<std::int64_t>(made.pieces.size());
      made.pieces.push_back({at, at + 1, kind});
      lanes.to = std::max(lanes.to, at + 1);
    }
  }
  return lanes;
}

}  // namespace

TEST_CASE("timelines written for Perfetto are read back: states and messages") {
  const TestFolder folder;
  timeline::write_ring(folder.file("ring.json"));
  const auto document = Document::read(folder.file("ring.json"));
  REQUIRE(document);
  REQUIRE(is_timeline(*document));
  const auto read = read_timeline(*document);
  REQUIRE(read);
  CHECK(read->title == "ring \"on\" machine");
  CHECK(read->lanes.lanes.size() == timeline::kRanks);
  CHECK(read->lanes.lanes[1].name == "rank 1");
  CHECK(read->lanes.arrows.size() == timeline::kRanks * timeline::kRounds);
  for (const auto& a : read->lanes.arrows) {
    CHECK(a.bytes == 4096);
    CHECK(a.destination == (a.source + 1) % timeline::kRanks);
    CHECK(a.sent <= a.received);
  }
  // A rank is in some state from its start to its end.
  for (const auto& lane : read->lanes.lanes)
    for (std::size_t i = 1; i < lane.pieces.size(); ++i) CHECK(lane.pieces[i].from == lane.pieces[i - 1].to);
}

TEST_CASE("a page of a timeline shows how long each rank waits") {
  const auto document =
      timeline_document_of(state("B", 1, "0", "compute") + "," + state("E", 1, "60") + "," +
                           state("B", 1, "60", "wait in a receive") + "," + state("E", 1, "100") + "," +
                           state("B", 2, "0", "compute") + "," + state("E", 2, "100.000001"));
  const auto read = read_timeline(document);
  REQUIRE(read);
  const auto section = timeline_section(*read, "file.json");
  CHECK(section.summary ==
        Strings{"2 ranks over 100 us: 80.0 % of their time is compute, 20.0 % is wait in a receive.",
                "The longest wait: 40 us of track 1 (wait in a receive), starting at 60 us.",
                "Total waiting is longest for track 1: 40 us; and shortest for track 2: 0 s."});
  CHECK(std::get<Lanes>(section.figures.at(0).content).to == 100'000'001);
  CHECK(section.figures.at(0).caption.empty());
}

TEST_CASE("a timeline without waiting says so") {
  const auto read =
      read_timeline(timeline_document_of(state("B", 1, "0", "compute") + "," + state("E", 1, "60")));
  REQUIRE(read);
  CHECK(timeline_section(*read, "file.json").summary ==
        Strings{"1 rank over 60 us: 100.0 % of their time is compute.", "No rank waits."});
}

TEST_CASE("an invalid timeline is refused with the wrong event") {
  const auto message = [](const std::string& events) {
    const auto read = read_timeline(timeline_document_of(events));
    REQUIRE_FALSE(read);
    return to_string(read.error());
  };
  CHECK(message(state("E", 1, "1")) == "file.json:1:78: /traceEvents/0: an end without a beginning");
  CHECK(message(state("B", 1, "1", "sleep")) == "file.json:1:78: /traceEvents/0: unknown state");
  CHECK(message(state("B", 1, "5", "compute") + "," + state("E", 1, "4")) ==
        "file.json:1:143: /traceEvents/1: it ends a slice that does not follow the previous one");
  CHECK(message(state("B", 1, "-1", "compute")) ==
        "file.json:1:78: /traceEvents/0: the time is outside the run");
  CHECK(message(state("B", 1, "1e300", "compute")) ==
        "file.json:1:78: /traceEvents/0: the time is outside the run");
  CHECK(message("3") == "file.json:1:78: /traceEvents/0: expected an object, found 3");
  const auto other = Document::parse(R"({"otherData":{},"traceEvents":[]})", "file.json");
  REQUIRE(other);
  CHECK_FALSE(is_timeline(*other));
}

TEST_CASE("lanes that fit stay as they are") {
  auto lanes = lanes_of({{0, 1, 0}, {2}});
  const auto how = make_coarse(lanes, 2, 4, 0);
  CHECK(how.step == 0);
  CHECK(how.lanes_in_one == 1);
  CHECK(lanes.lanes[0].pieces.size() == 3);
}

TEST_CASE("each drawn step shows the state that takes most of it") {
  // 8 ps in steps of 4 ps.
  auto lanes = lanes_of({{0, 1, 1, 1, 2, 2, 0, 2}, {0, 0, 0, 1, 0, 0, 0, 2}});
  lanes.arrows = {{0, 1, 0, 1, 8}};
  const auto how = make_coarse(lanes, 2, 4, 0);
  CHECK(how.step == 4);
  CHECK(how.arrows_left_out == 1);
  CHECK(lanes.arrows.empty());
  REQUIRE(lanes.lanes[0].pieces.size() == 2);
  CHECK(lanes.lanes[0].pieces[0].kind == 1);
  CHECK(lanes.lanes[0].pieces[1].kind == 2);
  CHECK(lanes.lanes[0].pieces[1].to == 8);
  // Both steps alike are one piece.
  REQUIRE(lanes.lanes[1].pieces.size() == 1);
  CHECK(lanes.lanes[1].pieces[0].to == 8);
}

TEST_CASE("neighbouring ranks share a lane if there is not enough room") {
  auto lanes = lanes_of({{0, 0}, {0, 1}, {1, 1}});
  const auto how = make_coarse(lanes, 2, 100, 100);
  CHECK(how.lanes_in_one == 2);
  REQUIRE(lanes.lanes.size() == 2);
  CHECK(lanes.lanes[0].name == "rank 0 to rank 1");
  CHECK(lanes.lanes[1].name == "rank 2");
  CHECK(lanes.lanes[0].pieces.size() == 1);  // of equal times the first kind
  CHECK(lanes.lanes[1].pieces[0].kind == 1);
}
