// The clock of one rank, from the stamps of its records (docs/reference/dumpi.md, "Time").
#pragma once
#include <cstdint>
#include <optional>

#include "workloads/dumpi/format/record.hpp"

namespace busline::dumpi {

/// When a call was entered and left, in nanoseconds since an arbitrary origin of the rank.
struct Interval {
  std::int64_t entry = 0, exit = 0;
};

/// How long a call took, in nanoseconds; modulo 18.2 hours. 0 without times.
inline std::int64_t length_of(const RecordPrefix& r) {
  if ((r.mask & (Record::has_wall_time | Record::has_cpu_time)) == 0) return 0;
  const auto& s = (r.mask & Record::has_wall_time) != 0 ? r.wall : r.cpu;
  const auto seconds = static_cast<std::uint16_t>(s.exit_seconds - s.entry_seconds);
  const auto length = std::int64_t{seconds} * 1'000'000'000 + s.exit_nanoseconds - s.entry_nanoseconds;
  return length < 0 ? 0 : length;
}

/// One clock of a rank. Records store seconds modulo 65536 (18.2 hours); a second that is far below the
/// latest one has rolled over.
class UnrolledClock {
 public:
  /// Call it with the stamps of the rank's records, in order.
  Interval read(const Stamps& s, std::uint16_t thread) {
    const auto entry = unroll(s.entry_seconds, thread);
    const auto exit = unroll(s.exit_seconds, thread);
    return Interval{entry * kSecond + s.entry_nanoseconds, exit * kSecond + s.exit_nanoseconds};
  }
  std::int64_t rollovers() const { return rollovers_; }
  /// True if the clock went backwards so often that the file must be damaged (a clock of 7 years).
  bool is_implausible() const { return rollovers_ > kMostRollovers; }

 private:
  static constexpr std::int64_t kSecond = 1'000'000'000;
  static constexpr std::int64_t kPeriod = 65536;
  static constexpr std::int64_t kMostRollovers = 3600;

  std::int64_t unroll(std::uint16_t seconds, std::uint16_t thread) {
    std::int64_t s = rollovers_ * kPeriod + seconds;
    if (s < latest_ - kPeriod / 2) {
      if (rollovers_ <= kMostRollovers) ++rollovers_;
      s += kPeriod;
    } else if (s > latest_ + kPeriod / 2 && rollovers_ > 0 && thread != thread_) {
      return s - kPeriod;  // another thread entered its call before the clock rolled over
    }
    if (s >= latest_) {
      latest_ = s;
      thread_ = thread;
    }
    return s;
  }

  std::int64_t rollovers_ = 0;
  std::int64_t latest_ = 0;
  std::uint16_t thread_ = 0;  // that was seen at latest_
};

/// The clock that measures a rank's computation.
class RankClock {
 public:
  /// Wall time unless the records have none, or CPU time if `prefer_cpu` unless they have none.
  explicit RankClock(bool prefer_cpu) : prefer_cpu_(prefer_cpu) {}

  /// Nothing if the record has no time, or none of the clock of the first record with a time.
  std::optional<Interval> read(const Record& record) {
    const auto both = Record::has_cpu_time | Record::has_wall_time;
    if ((record.mask & both) == 0) return std::nullopt;
    if (source_ == 0) {
      const auto preferred = prefer_cpu_ ? Record::has_cpu_time : Record::has_wall_time;
      source_ = (record.mask & preferred) != 0 ? preferred : record.mask & both;
    }
    if ((record.mask & source_) == 0) return std::nullopt;
    return clock_.read(source_ == Record::has_wall_time ? record.wall : record.cpu, record.thread);
  }
  bool has_time() const { return source_ != 0; }
  bool is_wall() const { return source_ == Record::has_wall_time; }
  std::int64_t rollovers() const { return clock_.rollovers(); }
  bool is_implausible() const { return clock_.is_implausible(); }

 private:
  bool prefer_cpu_;
  int source_ = 0;  // a bit of Record::Mask
  UnrolledClock clock_;
};

}  // namespace busline::dumpi
