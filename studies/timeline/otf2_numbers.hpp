// The numbers that identify things in an OTF2 archive. A location is a track, a task a rank that has tracks;
// both are numbered in the order of tracks.
#pragma once
#ifdef BUSLINE_HAS_OTF2
#include <otf2/otf2.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "studies/timeline/timeline.hpp"

namespace busline::timeline {

/// Collectives that move data, as the format knows them; others are reported as calls only.
std::optional<OTF2_CollectiveOp> otf2_operation(CollectiveKind kind);

class Otf2Numbers {
 public:
  /// The timeline outlives it.
  explicit Otf2Numbers(const Timeline& timeline);

  /// For a call, an index into Timeline::calls, or of a state. Numbers are those of first use: otf2-print
  /// warns of gaps.
  OTF2_RegionRef region(std::size_t call) {
    auto& self = regions_[call];
    if (self == OTF2_UNDEFINED_REGION) {
      self = static_cast<OTF2_RegionRef>(used_.size());
      used_.push_back(call);
    }
    return self;
  }
  OTF2_RegionRef region(State s) { return region(timeline_.calls.size() + static_cast<std::size_t>(s)); }
  /// For a type of user event.
  OTF2_ParameterRef parameter(std::uint32_t type) {
    return parameters_.emplace(type, static_cast<OTF2_ParameterRef>(parameters_.size())).first->second;
  }
  /// Communicators without known members occur only in messages: they are written as all ranks.
  OTF2_CommRef communicator(std::uint32_t c) const {
    return c < positions_.size() && !positions_[c].empty() ? c : 0;
  }
  /// Messages name ranks of their communicator.
  std::uint32_t position(std::uint32_t c, std::uint32_t track) const {
    const auto& of = positions_[communicator(c)];
    const auto found = of.find(timeline_.tracks[track].rank);
    return found == of.end() ? OTF2_UNDEFINED_UINT32 : found->second;
  }

  /// The calls by region; from Timeline::calls.size() on states.
  const std::vector<std::size_t>& used_regions() const { return used_; }
  /// By type of user event.
  const std::map<std::uint32_t, OTF2_ParameterRef>& parameters() const { return parameters_; }
  /// By task.
  const std::vector<std::uint32_t>& first_tracks() const { return first_tracks_; }
  std::uint32_t task_of_track(std::uint32_t track) const { return tasks_[track]; }
  /// The rank has tracks.
  std::uint32_t task_of_rank(std::uint32_t rank) const { return task_of_rank_.at(rank); }

 private:
  void add_track(const Track& t);

  const Timeline& timeline_;
  std::vector<OTF2_RegionRef> regions_;      // by call, then by state
  std::vector<std::size_t> used_;            // the other way round
  std::vector<std::uint32_t> first_tracks_;  // by task
  std::vector<std::uint32_t> tasks_;         // by track
  std::map<std::uint32_t, std::uint32_t> task_of_rank_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> positions_;  // by communicator, of ranks
  std::map<std::uint32_t, OTF2_ParameterRef> parameters_;
};

}  // namespace busline::timeline
#endif
