// Reads what studies/timeline/perfetto.cpp writes: of it the states, which are slices of category "state",
// and the messages, which are arrows. A track's slices nest, so that an E closes the youngest B.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "studies/report/members.hpp"
#include "studies/report/timeline_section.hpp"
#include "studies/timeline/timeline.hpp"

namespace busline::report {
namespace {

constexpr double kPicosecondsInMicrosecond = 1e6;
constexpr double kLatest = 9e18;  // picoseconds; what a Duration can be, except for a little

// Takes one event after the other. Errors are the events' own, or what wrong() gives.
class TimelineEvents {
 public:
  explicit TimelineEvents(Lanes& lanes) : lanes_(lanes) {}

  void take(Members& event) {
    std::string phase;
    event.text("ph", phase);
    if (phase == "M") return name(event);
    if (phase == "B") return begin(event);
    if (phase == "E") return end(event);
    if (phase == "s") return depart(event);
    if (phase == "f") return arrive(event);
  }

  // For the event that was just taken.
  const std::optional<std::string>& wrong() const { return wrong_; }

  // After the last one: an arrival may stand before the departure of that instant. Messages without one were
  // sent by a rank that is not in the file, or before its start.
  void pair_messages() {
    for (const auto& [id, arrow] : received_) {
      const auto from = sent_.find(id);
      if (from == sent_.end()) continue;
      lanes_.arrows.push_back(arrow);
      lanes_.arrows.back().source = from->second.first;
      lanes_.arrows.back().sent = from->second.second;
      sent_.erase(from);
    }
  }

 private:
  struct Slice {
    std::int64_t from = 0;
    std::optional<std::uint32_t> state;  // none: a call
  };

  std::uint32_t lane(Members& event) {
    std::uint32_t process = 0, thread = 0;
    event.whole("pid", process);
    event.whole("tid", thread);
    const auto [at, added] = index_.try_emplace({process, thread}, static_cast<std::uint32_t>(index_.size()));
    if (added) {
      lanes_.lanes.push_back({fmt::format("track {}", thread), {}});
      open_.emplace_back();
    }
    return at->second;
  }

  std::int64_t time(Members& event) {
    double at = 0;
    event.number("ts", at);
    at *= kPicosecondsInMicrosecond;
    if (at < 0 || at > kLatest) {
      wrong_ = "the time is outside the run";
      return 0;
    }
    const auto t = std::llround(at);
    lanes_.from = any_ ? std::min<std::int64_t>(lanes_.from, t) : t;
    lanes_.to = std::max<std::int64_t>(lanes_.to, t);
    any_ = true;
    return t;
  }

  void name(Members& event) {
    std::string what;
    event.text("name", what);
    if (what != "thread_name") return;
    const auto at = lane(event);
    event.object("args", [&](Members& args) { args.text("name", lanes_.lanes[at].name); });
  }

  void begin(Members& event) {
    std::string category;
    event.text("cat", category);
    const auto at = lane(event);
    Slice slice{time(event), {}};
    if (category == "state") {
      std::string state;
      event.text("name", state);
      const auto known = std::find(lanes_.kinds.begin(), lanes_.kinds.end(), state);
      if (known == lanes_.kinds.end()) {
        wrong_ = "unknown state";
        return;
      }
      slice.state = static_cast<std::uint32_t>(known - lanes_.kinds.begin());
    }
    open_[at].push_back(slice);
  }

  void end(Members& event) {
    const auto at = lane(event);
    const auto until = time(event);
    auto& open = open_[at];
    if (open.empty()) {
      wrong_ = "an end without a beginning";
      return;
    }
    const auto slice = open.back();
    open.pop_back();
    if (!slice.state) return;
    auto& pieces = lanes_.lanes[at].pieces;
    if (until < slice.from || (!pieces.empty() && pieces.back().to > slice.from)) {
      wrong_ = "it ends a slice that does not follow the previous one";
      return;
    }
    if (until > slice.from) pieces.push_back({slice.from, until, *slice.state});
  }

  void depart(Members& event) {
    std::uint64_t id = 0;
    event.whole("id", id);
    const auto at = lane(event);
    sent_[id] = {at, time(event)};
  }

  void arrive(Members& event) {
    std::uint64_t id = 0, bytes = 0;
    event.whole("id", id);
    const auto at = lane(event);
    const auto when = time(event);
    event.object("args", [&](Members& args) { args.whole("bytes", bytes); });
    received_.emplace_back(id, Lanes::Arrow{0, at, 0, when, static_cast<double>(bytes)});
  }

  Lanes& lanes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> index_;          // by process and thread
  std::vector<std::vector<Slice>> open_;                                            // by lane
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::int64_t>> sent_;  // lane and time, by id
  std::vector<std::pair<std::uint64_t, Lanes::Arrow>> received_;
  std::optional<std::string> wrong_;
  bool any_ = false;
};

}  // namespace

bool is_timeline(const Document& document) {
  const auto& root = document.root();
  if (!root.is_object() || !root.contains("traceEvents") || !root.contains("otherData")) return false;
  const auto& other = root["otherData"];
  return other.is_object() && other.contains("producer") && other["producer"] == "busline";
}

Expected<ReadTimeline> read_timeline(const Document& document) {
  const Cursor top(document);
  Members m(top);
  ReadTimeline t;
  for (const auto name : timeline::kStateNames) t.lanes.kinds.emplace_back(name);
  m.object("otherData", [&](Members& other) { other.text("title", t.title); });
  TimelineEvents events(t.lanes);
  std::size_t taken = 0;
  m.list("traceEvents", [&](Members& event) {
    if (events.wrong()) return;
    events.take(event);
    ++taken;
  });
  if (m.error()) return tl::unexpected(*m.error());
  if (events.wrong())
    return tl::unexpected(top.error_within(fmt::format("/traceEvents/{}", taken - 1), *events.wrong()));
  events.pair_messages();
  return t;
}

}  // namespace busline::report
