// Records the times of each rank at the borders of a region: two of the rank's operations.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"
#include "sim/replay/observer.hpp"
#include "sim/results/result.hpp"

namespace busline {

/// The borders of a region on one strand, as positions in Program::operations(): passed when the strand
/// reaches that operation. `from` == `to` is an empty region.
struct RegionBorders {
  std::uint64_t from = 0, to = 0;
};

/// An observer that queries a strand's times (through `times_now`, set by the owner of the replay) when the
/// strand reaches a border.
class RegionObserver final : public RunObserver {
 public:
  explicit RegionObserver(IdVector<StrandId, RegionBorders> borders)
      : borders_(std::move(borders)), marks_(borders_.size()) {}

  /// Also records the time of each call of `program`, whose strands are those of the borders. It must outlive
  /// this.
  void take_call_times(const Program& program);

  std::function<RankTimes(StrandId strand)> times_now;

  void reached(StrandId strand, std::uint64_t index, std::int64_t now) override {
    if (program_) add_call_time(strand, index, now);
    if (index != borders_[strand].from && index != borders_[strand].to) return;
    auto& m = marks_[strand];
    if (index == borders_[strand].from && !m.from)
      m.from = Mark{now, times_now ? times_now(strand) : RankTimes{}};
    if (index == borders_[strand].to && !m.to) m.to = Mark{now, times_now ? times_now(strand) : RankTimes{}};
  }

  /// The longest time between a strand's borders, and each strand's activities there. Strands that did not
  /// reach both count as zero.
  RegionResult result() const;

 private:
  struct Mark {
    std::int64_t at;
    RankTimes times;
  };
  struct Marks {
    std::optional<Mark> from, to;
  };
  // The position of a strand: its operation, since when, and whether that is inside the region.
  struct Place {
    std::uint64_t index = 0;
    std::int64_t since = 0;
    bool inside = false;
  };
  void add_call_time(StrandId strand, std::uint64_t index, std::int64_t now);

  IdVector<StrandId, RegionBorders> borders_;
  IdVector<StrandId, Marks> marks_;
  const Program* program_ = nullptr;  // whose calls are timed
  IdVector<StrandId, Place> places_;
  IdVector<StrandId, std::vector<Duration>> call_times_;
};

}  // namespace busline
