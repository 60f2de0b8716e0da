// Replay of operations that depend on the match of an open receive: answers to its sender, and loops that end
// with a certain message. Benchmarks need both (a master serves workers in the order of their requests).
#pragma once
#include "sim/replay/replay.hpp"

namespace busline {

/// The send with its actual receiver. Without one, the message goes to the rank itself: before the first open
/// receive, or if that came from a rank to which the Program has no such channel.
template <class Model, class Observer>
Operation Replay<Model, Observer>::to_last_source(const Operation& op, RankId rank) {
  if (answers_.empty())
    for (const auto i : ids<ChannelId>(program_.channels().size())) {
      const auto& c = program_.channels()[raw(i)];
      answers_[{c.source, c.destination, c.communicator, static_cast<std::uint32_t>(c.tag)}] = i;
    }
  const ChannelId last = is_open(rank) ? open_[rank].last_match : kNone;
  const auto& pattern = program_.channels()[op.detail];
  Operation answer = op;
  answer.peer = raw(rank);
  if (last == kNone) return answer;
  const auto source = program_.channels()[raw(last)].source;
  const auto found =
      answers_.find({raw(rank), source, pattern.communicator, static_cast<std::uint32_t>(pattern.tag)});
  if (found == answers_.end()) return answer;
  answer.peer = source;
  answer.detail = raw(found->second);
  return answer;
}

/// True if the next operation is also to be executed.
template <class Model, class Observer>
bool Replay<Model, Observer>::execute_repeat(StrandId strand, const Operation& op) {
  auto& s = strands_[strand];
  if (repeats_.empty()) repeats_.resize(strands_.size());
  auto& repeats = repeats_[strand];
  const ChannelId last = is_open(s.rank) ? open_[s.rank].last_match : kNone;
  const auto& end = program_.channels()[op.detail];
  const bool ended = last != kNone && program_.channels()[raw(last)].tag == end.tag &&
                     program_.channels()[raw(last)].communicator == end.communicator;
  if (ended || repeats.now == op.request) {
    repeats.now = 0;
    return step_over(strand, false);
  }
  ++repeats.now;
  const auto length = static_cast<std::uint64_t>(op.amount);
  repeats.operations += length + 1;
  for (const auto& done : std::span(s.at - length, length))
    if (done.kind == OpKind::send || done.kind == OpKind::isend) {
      ++repeats.messages;
      repeats.bytes += static_cast<std::uint64_t>(done.amount);
    }
  s.at -= length + 1;  // step_over moves on to the next one
  return step_over(strand, false);
}

}  // namespace busline
