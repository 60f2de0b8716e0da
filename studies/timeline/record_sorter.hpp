// Records of a timeline in the order that a format wants them, however many there are: sorted pieces in a
// file, which are merged (Knuth, The Art of Computer Programming, volume 3, section 5.4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/timeline/timeline.hpp"

namespace busline::timeline {

/// What records are ordered by. Those with the same key keep the order in which they were added.
using Key = std::int64_t (*)(const Record&);

class RecordSorter {
 public:
  static constexpr std::size_t kRoom = 1U << 18;

  /// Keeps `room` records (64 bytes each) in memory and the rest in an unnamed file in `folder`, which the
  /// operating system removes when the process ends, however it ends.
  RecordSorter(Key key, std::string folder, std::size_t room = kRoom);
  RecordSorter(const RecordSorter&) = delete;
  RecordSorter& operator=(const RecordSorter&) = delete;
  ~RecordSorter();

  /// After an Error, which for_each gives, nothing is kept any more.
  void add(const Record& record);
  bool failed() const { return error_.has_value(); }
  std::uint64_t size() const { return added_; }

  /// Passes all of them to `take` in order, until it returns false. Can be called once. Errors are of kind
  /// unreadable. Takes n log n for the pieces, and n log(n / room) to merge them.
  Expected<void> for_each(const std::function<bool(const Record&)>& take);

 private:
  struct Place {  // sorts faster than the records themselves
    std::int64_t key;
    std::size_t index;
    auto operator<=>(const Place&) const = default;
  };
  class Piece;

  const std::vector<Place>& sort();
  void spill();
  void fail(const char* what, int code);
  Expected<void> merge(const std::function<bool(const Record&)>& take);

  Key key_;
  std::string folder_;
  std::size_t room_;
  std::vector<Record> records_;
  std::vector<Place> places_;
  std::vector<std::uint64_t> pieces_;  // where each begins in the file, in records
  std::uint64_t added_ = 0, spilled_ = 0;
  int file_ = -1;
  std::optional<Error> error_;
};

}  // namespace busline::timeline
