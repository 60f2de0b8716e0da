// The pending-event set: returns the earliest event; equal times leave in the order of insertion, or in one
// chosen by a seed.
//
// A monotone radix queue whose lowest bucket is kept sorted. Events due now wait in a FIFO lane behind those
// that were already pending for this instant, which is insertion order at constant cost (docs/decisions/003).
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/base/random.hpp"

namespace busline {

/// 16 bytes. `kind` and `subject` belong to the owner.
struct Event {
  std::int64_t time = 0;  // picoseconds
  std::uint32_t kind = 0;
  std::uint32_t subject = 0;
};

/// Events must not be pushed for a time before that of the last popped event. push: amortised O(log of the
/// spread of times) moves of 16 bytes; no allocation once warm.
class PendingEvents {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// Time of the event popped last.
  std::int64_t now() const { return now_; }

  /// Call it before anything is popped: `seed`, which is not 0, then decides the order of equal times by
  /// their subjects. Two groups keep the order of insertion: events of the same subject, where a later one
  /// may be a consequence of an earlier one, and, after all others, events pushed for the time of the last
  /// popped event, which are its consequences.
  void order_ties_by(std::uint64_t seed) {
    tie_seed_ = seed;
    order_lane();
  }

  [[gnu::always_inline]] void push(const Event& e) {
    ++size_;
    if (e.time == now_) {
      lane_.push_back({e.kind, e.subject});
    } else {
      push_later(e);
    }
  }

  /// The earliest event. The set must not be empty.
  [[gnu::always_inline]] Event pop() {
    --size_;
    if (front_ != sorted_.size() && sorted_[front_].time == now_) return sorted_[front_++];
    if (lane_front_ != lane_.size()) return pop_lane();
    if (front_ == sorted_.size() && refill()) return pop_lane();
    now_ = sorted_[front_].time;
    return sorted_[front_++];
  }

  /// Time of the next event; the set must not be empty. Linear in the events due next.
  std::int64_t next_time() const {
    if (lane_front_ != lane_.size()) return now_;
    if (front_ != sorted_.size()) return sorted_[front_].time;
    return earliest_of(buckets_[static_cast<std::size_t>(std::countr_zero(occupied_))]).time;
  }

  /// Whether nothing is pending for the time of the event popped last.
  bool nothing_now() const {
    return lane_front_ == lane_.size() && (front_ == sorted_.size() || sorted_[front_].time != now_);
  }

 private:
  static constexpr std::uint32_t kNil = 0xffff'ffff;
  static constexpr std::size_t kSortAtOnce =
      96;  // buckets up to this size are sorted, larger ones are spread
  static constexpr std::size_t kSplitAbove = 160;  // maximum of kept sorted events
  static constexpr std::size_t kDropAbove = 64;    // maximum of kept popped events, if half of all

  struct Due {  // an event for now
    std::uint32_t kind, subject;
  };
  // A bucket's events are a list of chunks from one pool, so that memory follows the events pending. A chunk
  // is eight places of slots_: seven events, and in the last one's `subject` the next chunk.
  static constexpr std::uint32_t kChunk = 8, kInChunk = kChunk - 1;
  struct Bucket {
    std::uint32_t head = kNil;     // the first chunk
    std::uint32_t end = kInChunk;  // the place for the next event; its chunk has no more room, or there is
                                   // none yet, if this is a chunk's last place
  };
  struct Earliest {
    std::int64_t time = 0;
    std::size_t events = 0;  // in the whole bucket
  };

  Event pop_lane() {
    const Due d = lane_[lane_front_++];
    if (lane_front_ == lane_.size() || (lane_front_ >= kDropAbove && lane_front_ * 2 >= lane_.size()))
      drop_popped(lane_, lane_front_);
    return {now_, d.kind, d.subject};
  }

  // Separate from push, so that push stays small enough to be inlined where fillers are scheduled.
  [[gnu::noinline]] void push_later(const Event& e) {
    if (e.time < sorted_limit_)
      insert_sorted(e);
    else
      put_in_bucket(e);
  }

  void put_in_bucket(const Event& e) {
    const auto index = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(e.time) ^
                                                               static_cast<std::uint64_t>(last_))) &
                       63;  // times are below 2^63, so it is below 64 anyway
    auto& b = buckets_[index];
    if (b.end % kChunk == kInChunk) add_chunk(b, index);
    slots_[b.end++] = e;
  }

  [[gnu::noinline]] void add_chunk(Bucket& b, std::size_t index) {
    const auto chunk = take_chunk();
    (b.head == kNil ? b.head : slots_[b.end].subject) = chunk;
    b.end = chunk * kChunk;
    occupied_ |= std::uint64_t{1} << index;
  }

  std::uint32_t take_chunk() {
    if (free_ == kNil) {
      if (slots_.size() == slots_.capacity())
        slots_.reserve(slots_.size() + (slots_.size() / 32 + 8) * kChunk);
      slots_.resize(slots_.size() + kChunk);
      return static_cast<std::uint32_t>(slots_.size() / kChunk - 1);
    }
    const auto chunk = free_;
    free_ = next_of(chunk);
    return chunk;
  }

  std::uint32_t& next_of(std::uint32_t chunk) { return slots_[chunk * kChunk + kInChunk].subject; }

  // Calls f(first place, places in use) for the chunks of a bucket that is not empty. `f` may free its chunk
  // and push events.
  template <class F>
  void for_chunks(const Bucket& bucket, F&& f) const {
    const auto last = bucket.end / kChunk;
    for (auto chunk = bucket.head;;) {
      const auto next = slots_[chunk * kChunk + kInChunk].subject;
      f(chunk * kChunk, chunk == last ? bucket.end % kChunk : kInChunk);
      if (chunk == last) return;
      chunk = next;
    }
  }

  void insert_sorted(const Event& e) {
    if (front_ >= kDropAbove && front_ * 2 >= sorted_.size()) drop_popped(sorted_, front_);
    if (sorted_.size() - front_ > kSplitAbove) {
      split_sorted();
      if (e.time >= sorted_limit_) return put_in_bucket(e);
    }
    insert_last(e);
  }

  template <class T>
  static void drop_popped(std::vector<T>& events, std::size_t& front) {
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

  // Splits the earliest bucket until it has few events or a single time. With a single time, moves them to
  // the lane, sets now_ and returns true; else sorts them and returns false.
  [[gnu::noinline]] bool refill() {
    sorted_.clear();
    front_ = 0;
    for (;;) {
      const auto index = static_cast<std::size_t>(std::countr_zero(occupied_));
      const Bucket bucket = buckets_[index];
      buckets_[index] = {};
      occupied_ &= ~(std::uint64_t{1} << index);
      const auto earliest = earliest_of(bucket);
      last_ = earliest.time;
      if (index == 0) {
        now_ = sorted_limit_ = last_;
        ++sorted_limit_;
        empty(bucket, [this](const Event& e) { lane_.push_back({e.kind, e.subject}); });
        if (tie_seed_ != 0) order_lane();  // all of it, since nothing was due now
        return true;
      }
      if (earliest.events <= kSortAtOnce) {
        // All times of bucket k share the bits above bit k-1; the block ends where that bit overflows.
        const int width = static_cast<int>(index) - 1;
        const std::uint64_t block = (static_cast<std::uint64_t>(last_) >> width) + 1;
        sorted_limit_ = static_cast<std::int64_t>(
            std::min<std::uint64_t>(block << width, std::uint64_t{0x7fff'ffff'ffff'ffff}));
        empty(bucket, [this](const Event& e) { insert_last(e); });
        return false;
      }
      empty(bucket, [this](const Event& e) { put_in_bucket(e); });  // all of them go to lower buckets
    }
  }

  Earliest earliest_of(const Bucket& bucket) const {
    Earliest e{slots_[bucket.head * kChunk].time, 0};
    for_chunks(bucket, [&](std::uint32_t place, std::uint32_t used) {
      for (std::uint32_t i = place; i < place + used; ++i) e.time = std::min(e.time, slots_[i].time);
      e.events += used;
    });
    return e;
  }

  // Returns a bucket's events in order and frees its chunks.
  template <class F>
  void empty(const Bucket& bucket, F&& take) {
    for_chunks(bucket, [&](std::uint32_t place, std::uint32_t used) {
      std::array<Event, kInChunk> events;  // what is taken may be pushed into this chunk again
      std::copy_n(slots_.begin() + place, kInChunk, events.begin());
      next_of(place / kChunk) = free_;
      free_ = place / kChunk;
      for (std::uint32_t i = 0; i < used; ++i) take(events[i]);
    });
  }

  void insert_last(const Event& e) {
    sorted_.push_back(e);
    std::size_t i = sorted_.size() - 1;
    for (; i > front_ && e.time < sorted_[i - 1].time; --i) sorted_[i] = sorted_[i - 1];
    sorted_[i] = e;
    if (tie_seed_ != 0) move_among_equals(i);
  }

  std::uint64_t tie_key(std::uint32_t subject) const { return Random(tie_seed_ + subject).next(); }

  void order_lane() {
    std::stable_sort(lane_.begin(), lane_.end(),
                     [this](const Due& a, const Due& b) { return tie_key(a.subject) < tie_key(b.subject); });
  }

  // Inserts it as the last of the events of its time.
  [[gnu::noinline]] void move_among_equals(std::size_t i) {
    const Event e = sorted_[i];
    for (;
         i > front_ && e.time == sorted_[i - 1].time && tie_key(e.subject) < tie_key(sorted_[i - 1].subject);
         --i)
      sorted_[i] = sorted_[i - 1];
    sorted_[i] = e;
  }

  std::size_t size_ = 0;
  std::int64_t now_ = 0;
  std::vector<Due> lane_;  // due now, after the events of now in sorted_
  std::size_t lane_front_ = 0;
  std::vector<Event> sorted_;  // pending before sorted_limit_, from front_ on
  std::size_t front_ = 0;
  std::int64_t sorted_limit_ = 0;
  std::int64_t last_ = 0;  // bucket i: times whose highest bit that differs from last_ is bit i-1
  std::array<Bucket, 64> buckets_{};
  std::vector<Event> slots_;  // of chunks
  std::uint32_t free_ = kNil;
  std::uint64_t occupied_ = 0;
  std::uint64_t tie_seed_ = 0;  // 0: insertion order
};

}  // namespace busline
