// Paraver's trace: .prv (the records, by time), .pcf (what their numbers mean), .row (names of the rows).
// Source: "Paraver Trace Generation" and "Paraver Reference Manual" of the Barcelona Supercomputing Center.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "studies/timeline/format.hpp"
#include "studies/timeline/one_line.hpp"
#include "studies/timeline/paraver_codes.hpp"
#include "workloads/files/text_lines.hpp"
#include "workloads/paraver/collective_sizes.hpp"
#include "workloads/paraver/mpi_codes.hpp"

namespace busline::timeline {
namespace {

// Our own events: how many messages wait at a resource.
constexpr std::uint32_t kLevels = 90'000'000;

// A track as each record names it: CPU, application, task and thread, from 1.
struct Place {
  std::uint32_t cpu = 0, task = 0, thread = 0;
  std::string text;  // "1:1:1:1"
};

class Objects {
 public:
  explicit Objects(const Timeline& t) : timeline_(t), cpus_(t.nodes.size()) {
    // A node has the CPUs that its strands can use at once.
    std::vector<std::uint32_t> strands(t.nodes.size(), 0);
    for (const auto& track : t.tracks) ++strands[track.node];
    std::vector<std::uint32_t> first(t.nodes.size(), 0);
    std::uint32_t all = 0;
    for (std::size_t n = 0; n < cpus_.size(); ++n) {
      cpus_[n] = std::max(1U, std::min(t.nodes[n].cpus, strands[n]));
      first[n] = all;
      all += cpus_[n];
      strands[n] = 0;
    }
    for (std::size_t i = 0; i < t.tracks.size(); ++i) {
      const auto& track = t.tracks[i];
      if (i == 0 || t.tracks[i - 1].rank != track.rank) threads_.push_back(0);
      Place p;
      p.cpu = first[track.node] + strands[track.node]++ % cpus_[track.node] + 1;
      p.task = static_cast<std::uint32_t>(threads_.size());
      p.thread = ++threads_.back();
      p.text = fmt::format("{}:1:{}:{}", p.cpu, p.task, p.thread);
      places_.push_back(std::move(p));
      tasks_.emplace(track.rank, places_.back().task);
    }
  }

  const Place& operator[](std::uint32_t track) const { return places_[track]; }

  // Nodes with their CPUs, tasks with their threads and nodes, communicators. The date is always the same
  // one, as the file of the same run is.
  void header(TextLines& out, std::int64_t end) const {
    out.put(fmt::format("#Paraver (01/01/1970 at 00:00):{}_ns:{}({}):1:{}(", end, cpus_.size(),
                        fmt::join(cpus_, ","), threads_.size()));
    std::size_t track = 0;
    for (std::size_t task = 0; task < threads_.size(); ++task) {
      if (task > 0) out.put(',');
      out.put(fmt::format("{}:{}", threads_[task], timeline_.tracks[track].node + 1));
      track += threads_[task];
    }
    const auto& all = timeline_.communicators;
    const auto used = std::count_if(all.begin(), all.end(), [](auto& c) { return !c.members.empty(); });
    out.line(fmt::format("),{}", used));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].members.empty()) continue;
      out.put(fmt::format("c:1:{}:{}", i + 1, all[i].members.size()));
      for (const auto rank : all[i].members) {
        out.put(':');
        out.number(tasks_.at(rank));
      }
      out.end_line();
    }
  }

  void rows(TextLines& out) const {
    std::size_t all = 0;
    for (const auto n : cpus_) all += n;
    out.line(fmt::format("LEVEL CPU SIZE {}", all));
    for (std::size_t n = 0; n < cpus_.size(); ++n)
      for (std::uint32_t c = 1; c <= cpus_[n]; ++c)
        out.line(fmt::format("{}.node {}", c, timeline_.nodes[n].number));
    out.line(fmt::format("\nLEVEL NODE SIZE {}", cpus_.size()));
    for (const auto& n : timeline_.nodes) out.line(fmt::format("node {}", n.number));
    out.line(fmt::format("\nLEVEL THREAD SIZE {}", timeline_.tracks.size()));
    for (const auto& t : timeline_.tracks) out.line(timeline_.name_of(t));
  }

  // The track that shows a level: the first of its node, or of all nodes.
  std::uint32_t track_of(const Level& level) const {
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i)
      if (level.node == kNone || timeline_.tracks[i].node == level.node) return i;
    return 0;
  }

 private:
  const Timeline& timeline_;
  std::vector<std::uint32_t> cpus_;               // by node
  std::vector<std::uint32_t> threads_;            // by task
  std::vector<Place> places_;                     // by track
  std::map<std::uint32_t, std::uint32_t> tasks_;  // by rank
};

// Levels of the same name on different nodes are one event type.
std::vector<std::uint32_t> level_types(const Timeline& t) {
  std::map<std::string, std::uint32_t> types;
  std::vector<std::uint32_t> of;
  for (const auto& l : t.levels)
    of.push_back(types.emplace(l.name, kLevels + 1 + static_cast<std::uint32_t>(types.size())).first->second);
  return of;
}

// Only calls that occur in the records.
void meanings(const Timeline& t, const std::vector<bool>& used, TextLines& out) {
  out.put(
      "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\nLOOK_BACK           100\n"
      "SPEED               1\nFLAG_ICONS          ENABLED\nNUM_OF_STATE_COLORS 1000\nYMAX_SCALE          "
      "37\n\n\n"
      "DEFAULT_SEMANTIC\n\nTHREAD_FUNC         State As Is\n\n\n");
  std::map<int, ParaverState> states;
  for (std::size_t s = 0; s < kStates; ++s) {
    const auto state = paraver_state(static_cast<State>(s));
    states.emplace(state.code, state);
  }
  out.line("STATES");
  for (const auto& [code, s] : states) out.line(fmt::format("{:<4} {}", code, s.label));
  out.line("\n\nSTATES_COLOR");
  for (const auto& [code, s] : states) out.line(fmt::format("{:<4} {}", code, s.colour));

  for (const auto& type : {kPointToPoint, kCollectives, kOther, kOneSided, kFiles}) {
    std::map<std::uint32_t, std::string> values;
    for (std::uint32_t i = 0; i < t.calls.size(); ++i)
      if (const auto c = paraver_call(t.calls[i], i); used[i] && c.type == type.type)
        values.emplace(c.value, t.calls[i]);
    if (values.empty()) continue;
    out.line(fmt::format("\n\nEVENT_TYPE\n9    {}    {}\nVALUES\n0      End", type.type, type.label));
    for (const auto& [value, name] : values) out.line(fmt::format("{:<6} {}", value, one_line(name)));
  }
  if (!t.collectives.empty()) {
    out.line("\n\nEVENT_TYPE");
    for (const auto& [type, label] : {std::pair(paraver::kSentBytes, "Send Size in MPI Global OP"),
                                      std::pair(paraver::kReceivedBytes, "Recv Size in MPI Global OP"),
                                      std::pair(paraver::kRoot, "Root in MPI Global OP"),
                                      std::pair(paraver::kCommunicator, "Communicator in MPI Global OP")})
      out.line(fmt::format("1    {}    {}", type, label));
  }
  std::map<std::uint32_t, std::map<std::int64_t, std::string>> labels;
  for (const auto& e : t.events) labels[e.type].emplace(e.value, one_line(e.text));
  for (const auto& [type, values] : labels) {
    out.line(fmt::format("\n\nEVENT_TYPE\n6    {}    User event {}\nVALUES", type, type));
    if (!values.contains(0)) out.line("0      End");
    for (const auto& [value, text] : values) out.line(fmt::format("{:<6} {}", value, text));
  }
  const auto types = level_types(t);
  std::set<std::uint32_t> told;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (told.insert(types[i]).second)
      out.line(fmt::format("\n\nEVENT_TYPE\n7    {}    {}", types[i], one_line(t.levels[i].name)));
}

class RecordLines {
 public:
  RecordLines(const Timeline& t, const Objects& objects, TextLines& out)
      : timeline_(t), objects_(objects), out_(out), used_(t.calls.size()), level_types_(level_types(t)) {
    for (std::uint32_t i = 0; i < t.calls.size(); ++i) calls_.push_back(paraver_call(t.calls[i], i));
    for (std::size_t s = 0; s < kStates; ++s) states_[s] = paraver_state(static_cast<State>(s)).code;
    for (const auto& l : t.levels) level_tracks_.push_back(objects.track_of(l));
  }

  void write(const Record& r) {
    switch (r.kind) {
      case Kind::state:
        out_.put("1:");
        out_.put(objects_[r.track].text);
        fields({r.at, r.until, states_[static_cast<std::size_t>(r.state)]});
        break;
      case Kind::enter:
        used_[r.name] = true;
        return event(r.track, r.at, calls_[r.name].type, calls_[r.name].value);
      case Kind::leave:
        return event(r.track, r.at, calls_[r.name].type, 0);
      case Kind::collective_begin:
        collective(r);
        break;
      case Kind::event:
        return event(r.track, r.at, r.name, r.value);
      case Kind::level:
        return event(level_tracks_[r.name], r.at, level_types_[r.name], r.value);
      case Kind::message:
        out_.put("3:");
        out_.put(objects_[r.track].text);
        fields({r.at, r.physical_send});
        out_.put(':');
        out_.put(objects_[r.peer].text);
        fields({r.until, r.physical_receive, r.value, r.tag});
        break;
      default:
        return;
    }
    out_.end_line();
  }
  const std::vector<bool>& used_calls() const { return used_; }

 private:
  void fields(std::initializer_list<std::int64_t> values) {
    for (const auto v : values) {
      out_.put(':');
      out_.number(v);
    }
  }
  void event(std::uint32_t track, std::int64_t at, std::uint32_t type, std::int64_t value) {
    out_.put("2:");
    out_.put(objects_[track].text);
    fields({at, type, value});
    out_.end_line();
  }

  // What Extrae records beside the begin of a collective.
  void collective(const Record& r) {
    const auto& c = timeline_.collectives[r.name];
    const auto sizes = paraver::recorded_sizes(c.kind, {c.send_bytes, c.recv_bytes, c.is_root},
                                               timeline_.communicators[c.communicator].members.size());
    out_.put("2:");
    out_.put(objects_[r.track].text);
    fields({r.at, paraver::kSentBytes, static_cast<std::int64_t>(sizes.sent), paraver::kReceivedBytes,
            static_cast<std::int64_t>(sizes.received), paraver::kCommunicator,
            c.communicator + std::int64_t{1}});
    if (sizes.is_root) fields({paraver::kRoot, 1});
  }

  const Timeline& timeline_;
  const Objects& objects_;
  TextLines& out_;
  std::vector<ParaverCall> calls_;
  std::vector<bool> used_;
  std::array<int, kStates> states_{};
  std::vector<std::uint32_t> level_types_, level_tracks_;
};

}  // namespace

Expected<bool> write_paraver(const Writing& w) {
  auto file = OutputFile::create(w.path);
  if (!file) return tl::unexpected(std::move(file.error()));
  const Objects objects(w.timeline);
  TextLines out(*file);
  objects.header(out, w.end);
  RecordLines lines(w.timeline, objects, out);
  auto complete = write_records(w, out, [&](const Record& r) { lines.write(r); });
  if (auto done = out.finish(); !done) return tl::unexpected(std::move(done.error()));
  if (!complete || !*complete) return complete;

  // The records last, so that they never stand beside names that are not theirs.
  const auto stem = w.path.substr(0, w.path.rfind('.'));
  const auto beside = [&](const char* suffix, auto write) -> Expected<bool> {
    auto other = OutputFile::create(stem + suffix);
    if (!other) return tl::unexpected(std::move(other.error()));
    TextLines text(*other);
    write(text);
    return commit(*other, text, true);
  };
  if (auto done = beside(".pcf", [&](TextLines& t) { meanings(w.timeline, lines.used_calls(), t); }); !done)
    return done;
  if (auto done = beside(".row", [&](TextLines& t) { objects.rows(t); }); !done) return done;
  return commit(*file, out, true);
}

}  // namespace busline::timeline
