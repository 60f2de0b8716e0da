// CPUs that ranks share round robin in time slices, when none ever gives its slice up: ranks that wait poll
// (docs/model.md, section 2.4).
//
// Who has a CPU when then depends on nothing that happens, so a rank's share follows in constant time,
// without an event for each slice. All CPUs change at once: in slice k they serve the numbers k cpus ...
// (k+1) cpus - 1, of which each member has every members-th.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

namespace busline {

/// Times are picoseconds. Undefined unless 0 < cpus < members and quantum >= kShortest.
class TimeSlices {
 public:
  static constexpr std::int64_t kShortest = 1'000'000;  ///< so that 64 bits can count slices times CPUs

  TimeSlices() = default;
  /// `ahead`, from 0 to 1: the share of a whole round, in which each member has `cpus` slices, that has
  /// passed at time 0.
  TimeSlices(std::int64_t quantum, std::uint32_t cpus, std::uint32_t members, double ahead)
      : quantum_(static_cast<std::uint64_t>(quantum)),
        cpus_(cpus),
        members_(members),
        ahead_(static_cast<std::uint64_t>(
            std::min(ahead * static_cast<double>(quantum) * members, kMostAhead))) {}

  /// When the member has had `work` of CPU time since `now`, or a CPU at all if `work` is 0. The largest
  /// number if the clock does not reach that far.
  std::int64_t after(std::uint32_t member, std::int64_t now, std::int64_t work) const {
    const auto u = static_cast<std::uint64_t>(now) + ahead_;
    if (work == 0) {
      const auto slice = slice_of(member, slices_before(member, u / quantum_));
      return slice == u / quantum_ ? now : from_begin(slice, 0);
    }
    const auto all = had_by(member, u) + static_cast<std::uint64_t>(work);
    const auto whole = (all - 1) / quantum_;
    return from_begin(slice_of(member, whole), all - whole * quantum_);
  }

  /// CPU time of the member between two instants.
  std::int64_t between(std::uint32_t member, std::int64_t from, std::int64_t to) const {
    return static_cast<std::int64_t>(had_by(member, static_cast<std::uint64_t>(to) + ahead_) -
                                     had_by(member, static_cast<std::uint64_t>(from) + ahead_));
  }

  /// The end of the slice that `now` is in.
  std::int64_t end_of_slice(std::int64_t now) const {
    return from_begin((static_cast<std::uint64_t>(now) + ahead_) / quantum_ + 1, 0);
  }

 private:
  static constexpr double kMostAhead = 1e18;
  static constexpr std::uint64_t kEnd = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

  /// How many of the first `slices` are the member's.
  std::uint64_t slices_before(std::uint32_t member, std::uint64_t slices) const {
    const auto served = slices * cpus_;
    return served > member ? (served - member - 1) / members_ + 1 : 0;
  }
  /// The slice that is the member's `nth`, counted from 0.
  std::uint64_t slice_of(std::uint32_t member, std::uint64_t nth) const {
    std::uint64_t number = 0;
    if (__builtin_mul_overflow(nth, std::uint64_t{members_}, &number) ||
        __builtin_add_overflow(number, std::uint64_t{member}, &number))
      return kEnd;
    return number / cpus_;
  }
  std::uint64_t had_by(std::uint32_t member, std::uint64_t u) const {
    const auto slice = u / quantum_;
    const auto before = slices_before(member, slice);
    return before * quantum_ + (slice_of(member, before) == slice ? u % quantum_ : 0);
  }
  std::int64_t from_begin(std::uint64_t slice, std::uint64_t rest) const {
    std::uint64_t at = 0;
    if (__builtin_mul_overflow(slice, quantum_, &at) || __builtin_add_overflow(at, rest, &at) ||
        at - ahead_ >= kEnd)
      return static_cast<std::int64_t>(kEnd);
    return static_cast<std::int64_t>(at - ahead_);
  }

  std::uint64_t quantum_ = kShortest;
  std::uint32_t cpus_ = 1, members_ = 2;
  std::uint64_t ahead_ = 0;
};

}  // namespace busline
