// Makes the records of a timeline from the observed actions of strands: exactly one state at each instant,
// nested calls, nothing outside a time range.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "studies/timeline/record_sorter.hpp"
#include "studies/timeline/timeline.hpp"

namespace busline::timeline {

/// Instants in picoseconds, both included.
struct Range {
  std::int64_t from = 0, to = std::numeric_limits<std::int64_t>::max();
};

/// Usage: report the events of each track in order of time, then call finish(). Times are picoseconds; a
/// track that is kNone is left out. The times added for a track never decrease, so records sorted by track
/// keep their order in time.
class Recorder {
 public:
  /// Keeps records of the kinds in `wanted`, with times in units of `unit` ps, in `records`, which must
  /// outlive this. At 0 all tracks wait for a CPU.
  Recorder(std::size_t tracks, unsigned wanted, std::int64_t unit, Range range, RecordSorter& records);

  /// From `at` on the track is in this state.
  void state(std::uint32_t track, State state, std::int64_t at);
  /// Calls do not nest in one another: the one before was left.
  void enter(std::uint32_t track, std::uint32_t call, std::int64_t at);
  void leave(std::uint32_t track, std::int64_t at);
  void event(std::uint32_t track, std::uint32_t type, std::int64_t value, std::int64_t at);
  void begin_collective(std::uint32_t track, std::uint32_t collective, std::int64_t at);
  void end_collective(std::uint32_t track, std::int64_t at);
  /// As Record says, except for the kind. A message that does not lie within the range as a whole is left
  /// out.
  void send(Record send);
  void message(Record message);
  /// `kind` is request, posted or send_complete. Not kept of a part of a run, which may lack what they belong
  /// to.
  void request(Kind kind, std::uint32_t track, std::uint32_t slot, std::int64_t at);
  /// The level is `value` from now on.
  void level(std::uint32_t level, std::int64_t value, std::int64_t at);

  /// Ends the run: everything in progress ends here, or with the range.
  void finish(std::int64_t end);
  /// What the records span, in units.
  std::int64_t begin() const { return rounded(range_.from); }
  std::int64_t end() const { return end_; }

 private:
  struct Track {
    State state = State::for_cpu;
    std::int64_t since = 0;
    std::uint32_t call = kNone;
    std::int64_t entered = 0;
    std::uint32_t collective = kNone;
    bool call_told = false;  // its `enter` is a record
  };
  bool has_all() const { return range_.from == Range().from && range_.to == Range().to; }
  bool in_range(std::int64_t at) const { return at >= range_.from && at <= range_.to; }
  std::int64_t rounded(std::int64_t at) const { return at / unit_ + (at % unit_ * 2 >= unit_ ? 1 : 0); }
  void close_state(std::uint32_t track, std::int64_t at);
  void tell_call(std::uint32_t track);
  void add(Record record);
  void add_at(Kind kind, std::uint32_t track, std::uint32_t name, std::int64_t at, std::int64_t value = 0);

  std::vector<Track> tracks_;
  unsigned wanted_;
  std::int64_t unit_;
  Range range_;
  RecordSorter& records_;
  std::int64_t end_ = 0;
};

}  // namespace busline::timeline
