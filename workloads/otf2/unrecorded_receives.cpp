#include "workloads/otf2/unrecorded_receives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/program/program_editor.hpp"

namespace busline::otf2 {
namespace {

// Runs the Program in steps: each call that blocks takes one. Messages arrive in the step in which they are
// sent.
class StepRun {
 public:
  StepRun(const Program& program, const std::vector<std::uint64_t>& null_sends, Notices& notices)
      : program_(program),
        editor_(program),
        null_sends_(null_sends),
        notices_(notices),
        channels_(program.channels().size()),
        meetings_(program.communicators().size()) {
    for (const auto& s : program.strands()) {
      auto& rank = ranks_.emplace_back();
      rank.pc = rank.begin = s.begin;
      rank.end = s.end;
      queue_.push({0, Turn::go_on, s.rank});
    }
    count();
  }

  tl::expected<Program, std::string> run() {
    do {
      while (!queue_.empty()) {
        const Event e = queue_.top();
        queue_.pop();
        now_ = e.step;
        if (e.turn == Turn::receive) take_messages(e.rank);
        advance(e.rank);
      }
    } while (pass_over());
    for (std::uint32_t r = 0; r < ranks_.size(); ++r)
      if (ranks_[r].assigned < ranks_[r].open)
        return tl::unexpected(fmt::format(
            "rank {}: the trace does not record what {} receives received, and {} of them could not be "
            "assigned a message",
            r, ranks_[r].open, ranks_[r].open - ranks_[r].assigned));
    return editor_.finish();
  }

 private:
  enum class Turn : std::uint8_t { go_on, receive };  // at one step, all send before anyone receives
  struct Event {
    std::uint64_t step = 0;
    Turn turn = Turn::go_on;
    std::uint32_t rank = 0;
    auto operator<=>(const Event&) const = default;
  };
  enum class State : std::uint8_t { running, channel, messages, meeting };
  struct Message {
    std::uint64_t step = 0, send = 0;  // when it was sent, by which operation
  };
  struct Source {
    std::deque<Message> messages;
    std::uint64_t taken = 0;
  };
  struct Rank {
    std::uint64_t pc = 0, end = 0;
    std::uint64_t begin = 0;        // of the part since the last open waits
    std::uint64_t dealt_until = 0;  // open waits before have been dealt with
    State state = State::running;
    bool entered = false;   // the operation at pc has begun
    bool blocked = false;   // the call before pc is one that blocks
    bool has_turn = false;  // to receive
    std::uint32_t channel = 0;
    std::uint64_t ordinal = 0;             // of the message on it that is waited for
    std::uint64_t need = 0;                // messages that are waited for
    std::uint64_t open = 0, assigned = 0;  // receives
    std::uint64_t left = 0;                // messages for them that are not taken yet
    std::uint64_t spare = 0;               // receives more than messages
    std::vector<std::uint64_t> waits;      // open ones of the call at pc
    std::unordered_map<std::uint32_t, std::uint64_t>
        by_slot;  // of an open receive its position, else its ordinal
    std::map<std::uint32_t, Source> sources;
    std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>>
        heads;                  // step, taken from there, source
    std::uint64_t waiting = 0;  // messages
  };
  struct ChannelState {
    std::uint64_t arrived = 0, posted = 0;
    std::uint64_t known = 0;  // receives that name it: they take its first messages
  };

  const Operation& op(std::uint64_t at) const { return program_.operations()[at]; }

  void count() {
    for (const auto& o : program_.operations()) {
      if (o.kind == OpKind::send || o.kind == OpKind::isend) ++channels_[o.detail].posted;
      if ((o.kind == OpKind::recv || o.kind == OpKind::irecv) && !is_open_receive(o))
        ++channels_[o.detail].known;
      if (o.kind == OpKind::irecv && is_open_receive(o))
        ++ranks_[program_.wildcards()[o.detail & ~kAnyChannel].destination].open;
    }
    std::vector<std::set<std::uint32_t>> sources(ranks_.size());
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      auto& s = channels_[c];
      const auto& channel = program_.channels()[c];
      const auto left = s.posted > s.known ? s.posted - s.known : 0;
      ranks_[channel.destination].left += left;
      if (left > 0) sources[channel.destination].insert(channel.source);
      s.posted = 0;
    }
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      auto& rank = ranks_[r];
      if (rank.open > rank.left) rank.spare = rank.open - rank.left;
      if (sources[r].size() > 1) notices_.chosen_receives += std::min(rank.open, rank.left);
    }
  }

  void later(std::uint32_t rank) {
    ranks_[rank].state = State::running;
    queue_.push({now_ + 1, Turn::go_on, rank});
  }

  void advance(std::uint32_t rank) {
    auto& r = ranks_[rank];
    while (r.pc != r.end) {
      const auto& o = op(r.pc);
      if (r.blocked && (o.flags & Operation::first_of_call) != 0) {
        r.blocked = false;
        return later(rank);
      }
      switch (o.kind) {
        case OpKind::send:
        case OpKind::isend:
          deliver(o.detail, r.pc++);
          break;
        case OpKind::irecv:
          r.by_slot[o.request] = is_open_receive(o) ? r.pc : channels_[o.detail].posted++;
          ++r.pc;
          break;
        case OpKind::recv:
          if (!std::exchange(r.entered, true)) r.ordinal = channels_[o.detail].posted++;
          if (!has_arrived(r, o.detail)) return;
          r.entered = false;
          r.blocked = true;
          ++r.pc;
          break;
        case OpKind::wait_recv:
          if (is_open_receive(o)) {
            if (r.pc >= r.dealt_until) return begin_waits(rank);
          } else {
            r.ordinal = r.by_slot[o.request];
            if (!has_arrived(r, o.detail)) return;
          }
          r.blocked = true;
          ++r.pc;
          break;
        case OpKind::collective:
          return meet(rank, o);
        default:
          ++r.pc;
      }
    }
  }

  bool has_arrived(Rank& r, std::uint32_t channel) {
    if (channels_[channel].arrived > r.ordinal) return true;
    r.state = State::channel;
    r.channel = channel;
    return false;
  }

  void deliver(std::uint32_t channel, std::uint64_t send) {
    auto& c = channels_[channel];
    const auto& [source, destination, communicator, tag] = program_.channels()[channel];
    auto& r = ranks_[destination];
    const auto ordinal = c.arrived++;
    if (ordinal >= c.known) {
      auto& s = r.sources[source];
      if (s.messages.empty()) r.heads.insert({now_, s.taken, source});
      s.messages.push_back({now_, send});
      ++r.waiting;
      ask(destination);
    } else if (r.state == State::channel && r.channel == channel && r.ordinal < c.arrived) {
      r.state = State::running;
      queue_.push({now_, Turn::go_on, destination});
    }
  }

  // Gets its turn to receive if all its messages are there.
  void ask(std::uint32_t rank) {
    auto& r = ranks_[rank];
    if (r.state != State::messages || r.has_turn || r.waiting < r.need) return;
    r.has_turn = true;
    queue_.push({now_, Turn::receive, rank});
  }

  // The open waits of the call at pc.
  void begin_waits(std::uint32_t rank) {
    auto& r = ranks_[rank];
    r.waits.clear();
    auto at = r.pc;
    do {
      if (op(at).kind == OpKind::wait_recv && is_open_receive(op(at))) r.waits.push_back(at);
    } while (++at != r.end && (op(at).flags & Operation::first_of_call) == 0);
    r.dealt_until = at;
    const auto sent_to_null =
        static_cast<std::uint64_t>(std::lower_bound(null_sends_.begin(), null_sends_.end(), r.pc) -
                                   std::lower_bound(null_sends_.begin(), null_sends_.end(), r.begin));
    r.begin = r.pc;
    // Those of calls that exchange with neighbours.
    const auto nulls = std::min({r.spare, sent_to_null, std::uint64_t{r.waits.size()}});
    r.need = std::min(r.waits.size() - nulls, r.left);
    r.state = State::messages;
    ask(rank);
  }

  void take_messages(std::uint32_t rank) {
    auto& r = ranks_[rank];
    r.has_turn = false;
    r.state = State::running;
    std::size_t next = 0;
    for (; next < r.need; ++next) {
      const auto [step, taken, source] = *r.heads.begin();
      r.heads.erase(r.heads.begin());
      auto& s = r.sources[source];
      const auto send = s.messages.front().send;
      s.messages.pop_front();
      ++s.taken;
      if (!s.messages.empty()) r.heads.insert({s.messages.front().step, s.taken, source});
      const auto& sent = op(send);
      for (const auto at : {r.waits[next], r.by_slot[op(r.waits[next]).request]})
        editor_.redirect(at, sent.detail, sent.amount);
    }
    r.waiting -= r.need;
    r.left -= r.need;
    notices_.restored_receives += r.need;
    notices_.null_receives += r.waits.size() - next;
    r.spare -= std::min<std::uint64_t>(r.spare, r.waits.size() - next);
    r.assigned += r.waits.size();
    for (; next < r.waits.size(); ++next) {
      editor_.erase(r.by_slot[op(r.waits[next]).request]);
      editor_.erase(r.waits[next]);
    }
  }

  // Nothing moves: one rank waits for messages that nobody sends.
  bool pass_over() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      auto& r = ranks_[rank];
      if (r.state != State::messages || r.need - r.waiting > r.spare) continue;
      r.need = r.waiting;
      ask(rank);
      return true;
    }
    return false;
  }

  void meet(std::uint32_t rank, const Operation& o) {
    const auto communicator = program_.collectives()[o.detail].communicator;
    auto& meeting = meetings_[communicator];
    ranks_[rank].state = State::meeting;
    meeting.push_back(rank);
    if (meeting.size() < program_.communicators()[communicator].members.size()) return;
    for (const auto member : meeting) {
      ++ranks_[member].pc;
      later(member);
    }
    meeting.clear();
  }

  const Program& program_;
  ProgramEditor editor_;
  const std::vector<std::uint64_t>& null_sends_;
  Notices& notices_;
  std::vector<ChannelState> channels_;
  std::vector<std::vector<std::uint32_t>> meetings_;  // by communicator: who has arrived
  std::vector<Rank> ranks_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  std::uint64_t now_ = 0;
};

}  // namespace

Program restore_communicators(const Program& program, Notices& notices) {
  struct Use {
    std::uint64_t sends = 0, starts = 0, receives = 0;  // starts: of non-blocking receives
  };
  const auto channels = program.channels();
  std::vector<Use> use(channels.size());
  for (const auto& o : program.operations()) {
    if (is_open_receive(o)) continue;
    if (o.kind == OpKind::send || o.kind == OpKind::isend) ++use[o.detail].sends;
    if (o.kind == OpKind::irecv) ++use[o.detail].starts;
    if (o.kind == OpKind::recv) ++use[o.detail].receives;
  }
  std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<std::uint32_t>>
      unreceived;  // by receiver and tag
  for (std::uint32_t c = 0; c < channels.size(); ++c)
    if (channels[c].communicator != 0 && use[c].sends > 0 && use[c].starts + use[c].receives == 0)
      unreceived[{channels[c].destination, channels[c].tag}].push_back(c);
  std::map<std::uint32_t, std::uint32_t> moved;
  for (std::uint32_t c = 0; c < channels.size(); ++c) {
    const auto& channel = channels[c];
    if (channel.communicator != 0 || use[c].sends + use[c].receives > 0 || use[c].starts == 0) continue;
    std::vector<std::uint32_t> fitting;
    for (const auto other : unreceived[{channel.destination, channel.tag}]) {
      const auto& members = program.communicators()[channels[other].communicator].members;
      if (channel.source < members.size() && members[channel.source] == channels[other].source &&
          use[other].sends == use[c].starts)
        fitting.push_back(other);
    }
    if (fitting.size() == 1) moved[c] = fitting.front();
  }
  if (moved.empty()) return program;
  ProgramEditor editor(program);
  for (std::uint64_t at = 0; at < program.operations().size(); ++at) {
    const auto& o = program.operations()[at];
    if (is_open_receive(o) || (o.kind != OpKind::irecv && o.kind != OpKind::wait_recv)) continue;
    const auto to = moved.find(o.detail);
    if (to == moved.end()) continue;
    editor.redirect(at, to->second, o.amount);
    if (o.kind == OpKind::irecv) ++notices.moved_receives;
  }
  return editor.finish();
}

tl::expected<Program, std::string> close_unrecorded_receives(const Program& program,
                                                             const std::vector<std::uint64_t>& null_sends,
                                                             Notices& notices) {
  return StepRun(program, null_sends, notices).run();
}

}  // namespace busline::otf2
