// Nodes with more strands than CPUs whose waiting ranks poll: all strands share the CPUs in time slices, up
// to the end of the run. Follows docs/model.md, section 2.4. Such a node has no ready queue: the end of a
// strand's work is known when it begins.
#pragma once
#include <cmath>

#include "sim/replay/replay.hpp"

namespace busline {

template <class Model, class Observer>
void Replay<Model, Observer>::share_in_slices() {
  IdVector<NodeId, std::uint32_t> strands;
  for (const auto i : strands_.ids()) {
    const auto n = strands_[i].node;
    if (machine_.nodes[n].polling_quantum == Duration{}) continue;
    strands.resize(nodes_.size());
    slice_number_.resize(strands_.size());
    slice_number_[i] = strands[n]++;
  }
  if (strands.empty()) return;
  slices_.resize(nodes_.size());
  for (const auto n : nodes_.ids()) {
    auto& node = nodes_[n];
    if (strands[n] <= node.cpus) continue;
    // The clocks of nodes are not in step. Multiples of the golden ratio are spread evenly for any number.
    constexpr double kGoldenRatio = 0.618'033'988'749'894'8;
    const double turns = raw(n) * kGoldenRatio;
    slices_[n] = TimeSlices(machine_.nodes[n].polling_quantum.count(), node.cpus, strands[n],
                            turns - std::floor(turns));
    node.polls = true;
    node.busy = node.cpus;  // for good
  }
}

/// The strand does its work when its node serves it.
template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::work_in_slices(StrandId strand) {
  const auto& s = strands_[strand];
  if (s.work != StrandState::Work::filler) {
    charge(strand, now_, s.work_activity());
    observer_.works(strand, s.at, s.work_length, now_);
  }
  schedule(slices_[s.node].after(slice_number_[strand], now_, s.work_length) - now_, work_over, strand);
}

/// Tells observers in which slices a strand has done the work that is over now.
template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::report_slices(StrandId strand) {
  const auto& s = strands_[strand];
  if (!nodes_[s.node].polls) return;
  const auto& slices = slices_[s.node];
  const auto number = slice_number_[strand];
  auto at = s.since;
  for (auto left = s.work_length; left > 0;) {
    const auto begin = slices.after(number, at, 0);
    if (begin > at) {
      observer_.charged(strand, Activity::cpu_wait, at);
      observer_.charged(strand, s.work_activity(), begin);
    }
    const auto part = std::min(left, slices.end_of_slice(begin) - begin);
    at = begin + part;
    left -= part;
  }
}

/// The strand's work is over.
template <class Model, class Observer>
[[gnu::noinline]] void Replay<Model, Observer>::end_slices(StrandState& s) {
  if (s.work == StrandState::Work::filler) return;
  const auto since = s.since;
  s.charge(now_, s.activity);
  s.count_as_waiting(now_ - since - s.work_length);
}

}  // namespace busline
