// The pending-event set: takes the earliest event out; equal times leave in the order they came in.
//
// A monotone radix queue whose lowest bucket is kept sorted. Events due now wait in a FIFO lane behind those
// that were already pending for this instant, which is insertion order at constant cost (docs/decisions/003).
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace busline {

/// 16 bytes. `kind` and `subject` are the owner's business.
struct Event {
  std::int64_t time = 0;  // picoseconds
  std::uint32_t kind = 0;
  std::uint32_t subject = 0;
};

/// Events may not be pushed for a time before the one popped last. push: amortised O(log of the spread of
/// times) moves of 16 bytes; no allocation once warm.
class PendingEvents {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Time of the event popped last.
  std::int64_t now() const { return now_; }

  void push(const Event& e) {
    ++size_;
    if (e.time == now_) {
      lane_.push_back(e);
    } else {
      push_later(e);
    }
  }

  /// The earliest event. The set must not be empty.
  Event pop() {
    --size_;
    if (front_ != sorted_.size() && sorted_[front_].time == now_) return sorted_[front_++];
    if (lane_front_ != lane_.size()) {
      const Event e = lane_[lane_front_++];
      if (lane_front_ == lane_.size() || (lane_front_ >= kDropAbove && lane_front_ * 2 >= lane_.size()))
        drop_popped(lane_, lane_front_);
      return e;
    }
    if (front_ == sorted_.size()) refill();
    now_ = sorted_[front_].time;
    return sorted_[front_++];
  }

  /// Time of the event that pop would give; the set must not be empty.
  std::int64_t next_time() {
    if (lane_front_ != lane_.size()) return now_;
    if (front_ == sorted_.size()) refill();
    return sorted_[front_].time;
  }

  /// Whether nothing is pending for the time of the event popped last.
  bool nothing_now() const {
    return lane_front_ == lane_.size() && (front_ == sorted_.size() || sorted_[front_].time != now_);
  }

  /// Bytes that the set holds on to.
  std::size_t memory() const {
    std::size_t n = lane_.capacity() + sorted_.capacity();
    for (const auto& b : buckets_) n += b.capacity();
    return n * sizeof(Event);
  }

 private:
  static constexpr std::size_t kSortAtOnce = 48;  // buckets up to this are sorted, larger ones are spread
  static constexpr std::size_t kSplitAbove = 160;
  static constexpr std::size_t kKeepCapacity = 256;  // of an emptied bucket: 64 large ones would add up
  static constexpr std::size_t kDropAbove = 512;     // popped entries that are kept at most

  // Apart from push, so that push stays small enough to be inlined where fillers are scheduled.
  [[gnu::noinline]] void push_later(const Event& e) {
    if (e.time < sorted_limit_)
      insert_sorted(e);
    else
      put_in_bucket(e);
  }

  void put_in_bucket(const Event& e) {
    const auto index = static_cast<std::size_t>(
        std::bit_width(static_cast<std::uint64_t>(e.time) ^ static_cast<std::uint64_t>(last_)));
    buckets_[index].push_back(e);
    occupied_ |= std::uint64_t{1} << (index & 63);  // times are below 2^63, so an index is below 64
  }

  void insert_sorted(const Event& e) {
    if (front_ > kDropAbove) drop_popped(sorted_, front_);
    if (sorted_.size() - front_ > kSplitAbove) {
      split_sorted();
      if (e.time >= sorted_limit_) return put_in_bucket(e);
    }
    sorted_.push_back(e);
    std::size_t i = sorted_.size() - 1;
    for (; i > front_ && e.time < sorted_[i - 1].time; --i) sorted_[i] = sorted_[i - 1];
    sorted_[i] = e;
  }

  static void drop_popped(std::vector<Event>& events, std::size_t& front) {
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(front));
    front = 0;
  }

  // Sends the later half back to the buckets, so that insertion stays cheap.
  void split_sorted() {
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>((front_ + sorted_.size()) / 2);
    const auto cut = std::upper_bound(middle, sorted_.end(), middle->time,
                                      [](std::int64_t t, const Event& x) { return t < x.time; });
    if (cut == sorted_.end()) return;
    sorted_limit_ = cut->time;
    for (auto i = cut; i != sorted_.end(); ++i) put_in_bucket(*i);
    sorted_.erase(cut, sorted_.end());
  }

  void refill() {
    sorted_.clear();
    front_ = 0;
    for (;;) {
      const auto index = static_cast<std::size_t>(std::countr_zero(occupied_));
      auto& bucket = buckets_[index];
      occupied_ &= ~(std::uint64_t{1} << index);
      std::int64_t least = bucket.front().time;
      for (const auto& e : bucket) least = std::min(least, e.time);
      // All times of bucket k share the bits above bit k-1; the block ends where that bit overflows.
      const int width = index == 0 ? 0 : static_cast<int>(index) - 1;
      const std::uint64_t block = (static_cast<std::uint64_t>(least) >> width) + 1;
      last_ = least;
      if (bucket.size() <= kSortAtOnce || index == 0) {
        sorted_limit_ = static_cast<std::int64_t>(
            std::min<std::uint64_t>(block << width, std::uint64_t{0x7fff'ffff'ffff'ffff}));
        sorted_.swap(bucket);
        if (index != 0) sort_small();
        return;
      }
      for (const auto& e : bucket) put_in_bucket(e);  // all of them into lower buckets
      bucket.clear();
      if (bucket.capacity() > kKeepCapacity) bucket.shrink_to_fit();
    }
  }

  void sort_small() {
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      const Event e = sorted_[i];
      std::size_t j = i;
      for (; j > 0 && e.time < sorted_[j - 1].time; --j) sorted_[j] = sorted_[j - 1];
      sorted_[j] = e;
    }
  }

  std::size_t size_ = 0;
  std::int64_t now_ = 0;
  std::vector<Event> lane_;  // due now, after what sorted_ holds for now
  std::size_t lane_front_ = 0;
  std::vector<Event> sorted_;  // pending before sorted_limit_, from front_ on
  std::size_t front_ = 0;
  std::int64_t sorted_limit_ = 0;
  std::int64_t last_ = 0;  // bucket i: times whose highest bit that differs from last_ is bit i-1
  std::array<std::vector<Event>, 64> buckets_;
  std::uint64_t occupied_ = 0;
};

}  // namespace busline
