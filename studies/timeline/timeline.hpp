// A timeline: what each strand of a run did when, as records in the words that all formats of timelines
// share, and what their numbers mean (docs/how-to/timelines.md).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/program/program.hpp"
#include "sim/replay/message.hpp"

namespace busline::timeline {

/// The activity of a strand; at each instant of a run it has exactly one.
enum class State : std::uint8_t {
  compute,
  file_access,  ///< time that passes in a call on files whatever the CPU's speed
  latency,      ///< CPU time of a call: latency and overheads
  in_receive,   ///< waits in a blocking receive or a probe
  in_send,      ///< waits in a blocking send
  in_wait,      ///< waits for a request
  for_members,  ///< in a collective, until it can begin
  collective,   ///< in a collective, from then on
  for_cpu,      ///< ready, but the CPUs of the node are taken
  ended,
};
inline constexpr std::size_t kStates = 10;
inline constexpr std::array<std::string_view, kStates> kStateNames{"compute",          "file access",
                                                                   "latency",          "wait in a receive",
                                                                   "wait in a send",   "wait for a request",
                                                                   "wait for members", "collective",
                                                                   "wait for a CPU",   "ended"};
constexpr std::string_view name_of(State s) {
  return kStateNames[static_cast<std::size_t>(s)];
}

/// The kinds of records; a format names those that it wants as a set of them.
enum class Kind : std::uint8_t {
  state,             ///< track, state, at .. until
  enter,             ///< track, name: index into Timeline::calls
  leave,             ///< the same
  event,             ///< track, name: type of a user event, value: 0 ends it
  send,              ///< track, peer, name: communicator, tag, value: bytes, message
  message,           ///< all of it, when it has been received; at: logical send, until: logical receive
  arrival,           ///< the same, at: physical receive, for formats that show two ends by themselves
  collective_begin,  ///< track, name: index into Timeline::collectives
  collective_end,    ///< the same
  level,             ///< name: index into Timeline::levels, value
  request,           ///< track, value: slot that the track's next send or message is of
  posted,            ///< track, value: slot of a receive that does not block
  send_complete,     ///< track, value: slot of a send that was waited for
};
constexpr unsigned set_of(Kind k) {
  return 1U << static_cast<unsigned>(k);
}
template <class... Kinds>
constexpr unsigned set_of(Kind first, Kinds... others) {
  return set_of(first) | set_of(others...);
}

/// 64 bytes. Times are in units of Format::unit. `track` and `peer` are indices into Timeline::tracks; which
/// other members mean something depends on the kind. For a message `track` is the sender and `peer` the
/// receiver.
struct Record {
  enum Flag : std::uint8_t {
    part = 1,       ///< a message inside a collective's algorithm
    one_sided = 2,  ///< a put or a get
  };
  std::int64_t at = 0, until = 0;
  std::int64_t physical_send = 0;     ///< when it began to use links and buses
  std::int64_t physical_receive = 0;  ///< when it had arrived
  std::int64_t value = 0;
  std::uint32_t track = 0, peer = 0;
  std::uint32_t name = 0;
  std::int32_t tag = 0;
  std::uint32_t message = 0;  ///< the same for a message's send and the message itself
  Kind kind = Kind::state;
  State state = State::compute;
  std::uint8_t flags = 0;
};
static_assert(sizeof(Record) == 64);

/// The tag of messages inside a collective's algorithm, which have none.
inline constexpr std::int32_t kPartTag = 0x7fff'ffff;

/// A node of the machine that has a track.
struct Node {
  std::uint32_t number = 0;
  std::uint32_t cpus = 1;
};
/// A strand of a rank; tracks of a rank are neighbours, in the order of ranks.
struct Track {
  std::uint32_t rank = 0, thread = 0;
  std::uint32_t node = 0;  ///< index into Timeline::nodes
};
/// A counter: a Record of kind level sets its value from then on.
struct Level {
  std::string name;            ///< "messages waiting for buses"
  std::uint32_t node = kNone;  ///< index into Timeline::nodes; kNone: of the whole machine
};

/// The meaning of the numbers in records.
struct Timeline {
  std::string title;
  std::vector<Node> nodes;
  std::vector<Track> tracks;
  std::vector<std::string> calls;
  std::vector<EventLabel> events;
  std::vector<Communicator> communicators;  ///< with the ranks that have tracks
  std::vector<CollectiveArgs> collectives;
  std::vector<Level> levels;
  std::vector<std::string> rank_names{};  ///< by rank, such as "solver 3" of a job; empty: their numbers

  /// "rank 3", or "rank 3 thread 1" for a further strand.
  std::string name_of(const Track& t) const {
    auto name = rank_names.empty() ? std::string("rank ").append(std::to_string(t.rank)) : rank_names[t.rank];
    if (t.thread > 0) name.append(" thread ").append(std::to_string(t.thread));
    return name;
  }
};

}  // namespace busline::timeline
