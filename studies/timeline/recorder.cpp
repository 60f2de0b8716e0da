#include "studies/timeline/recorder.hpp"

#include <algorithm>

namespace busline::timeline {

Recorder::Recorder(std::size_t tracks, unsigned wanted, std::int64_t unit, Range range, RecordSorter& records)
    : tracks_(tracks), wanted_(wanted), unit_(unit), range_(range), records_(records) {}

// Each instant is rounded separately, so what ends and what starts there stay together.
void Recorder::add(Record record) {
  if ((wanted_ & set_of(record.kind)) == 0) return;
  record.at = rounded(record.at);
  record.until = rounded(record.until);
  record.physical_send = rounded(record.physical_send);
  record.physical_receive = rounded(record.physical_receive);
  if (record.kind == Kind::state && record.at == record.until) return;
  records_.add(record);
}

void Recorder::add_at(Kind kind, std::uint32_t track, std::uint32_t name, std::int64_t at,
                      std::int64_t value) {
  Record r;
  r.kind = kind;
  r.track = track;
  r.name = name;
  r.at = at;
  r.value = value;
  add(r);
}

/// The call that a track is in, before anything that happens in it. One that was entered before the range
/// begins with it.
void Recorder::tell_call(std::uint32_t track) {
  auto& t = tracks_[track];
  if (t.call == kNone || t.call_told || t.entered > range_.to) return;
  t.call_told = true;
  add_at(Kind::enter, track, t.call, std::max(t.entered, range_.from));
}

void Recorder::close_state(std::uint32_t track, std::int64_t at) {
  auto& t = tracks_[track];
  Record r;
  r.kind = Kind::state;
  r.track = track;
  r.state = t.state;
  r.at = std::max(t.since, range_.from);
  r.until = std::min(at, range_.to);
  t.since = std::max(t.since, at);
  if (r.until <= r.at) return;
  tell_call(track);
  add(r);
}

void Recorder::state(std::uint32_t track, State state, std::int64_t at) {
  if (track == kNone || tracks_[track].state == state) return;
  close_state(track, at);
  tracks_[track].state = state;
}

void Recorder::enter(std::uint32_t track, std::uint32_t call, std::int64_t at) {
  if (track == kNone) return;
  close_state(track, at);
  auto& t = tracks_[track];
  t.call = call;
  t.entered = at;
  t.call_told = false;
  if (in_range(at)) tell_call(track);
}

void Recorder::leave(std::uint32_t track, std::int64_t at) {
  if (track == kNone || tracks_[track].call == kNone) return;
  close_state(track, at);
  auto& t = tracks_[track];
  if (at > range_.from) tell_call(track);
  if (t.call_told) add_at(Kind::leave, track, t.call, std::min(at, range_.to));
  t.call = kNone;
}

void Recorder::event(std::uint32_t track, std::uint32_t type, std::int64_t value, std::int64_t at) {
  if (track == kNone || !in_range(at)) return;
  close_state(track, at);
  tell_call(track);
  add_at(Kind::event, track, type, at, value);
}

void Recorder::begin_collective(std::uint32_t track, std::uint32_t collective, std::int64_t at) {
  if (track == kNone || !in_range(at)) return;
  close_state(track, at);
  tell_call(track);
  tracks_[track].collective = collective;
  add_at(Kind::collective_begin, track, collective, at);
}

void Recorder::end_collective(std::uint32_t track, std::int64_t at) {
  if (track == kNone || tracks_[track].collective == kNone) return;
  close_state(track, at);
  add_at(Kind::collective_end, track, tracks_[track].collective, std::min(at, range_.to));
  tracks_[track].collective = kNone;
}

void Recorder::send(Record send) {
  if (send.track == kNone || send.peer == kNone || !in_range(send.at)) return;
  close_state(send.track, send.at);
  tell_call(send.track);
  send.kind = Kind::send;
  add(send);
}

void Recorder::message(Record message) {
  if (message.track == kNone || message.peer == kNone || !in_range(message.at) || !in_range(message.until) ||
      !in_range(message.physical_receive))
    return;
  // Parts and one-sided transfers end when they arrive, whatever their receiver does then.
  if ((message.flags & (Record::part | Record::one_sided)) == 0) {
    close_state(message.peer, message.until);
    tell_call(message.peer);
  }
  message.kind = Kind::message;
  add(message);
  message.kind = Kind::arrival;
  add(message);
}

void Recorder::request(Kind kind, std::uint32_t track, std::uint32_t slot, std::int64_t at) {
  if (track == kNone || !has_all()) return;
  close_state(track, at);
  add_at(kind, track, 0, at, slot);
}

void Recorder::level(std::uint32_t level, std::int64_t value, std::int64_t at) {
  if (in_range(at)) add_at(Kind::level, kNone, level, at, value);
}

void Recorder::finish(std::int64_t end) {
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    end_collective(i, end);
    leave(i, end);
    close_state(i, end);
  }
  end_ = rounded(std::min(end, range_.to));
}

}  // namespace busline::timeline
