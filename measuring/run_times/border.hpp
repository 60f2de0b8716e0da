// One end of the region that is timed: the n-th call of a function.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace busline::record {

/// Index into runs::kBorderCalls.
using CallIndex = std::size_t;

/// Keeps the times of the calls that may be the n-th: for those counted from the end, the latest.
class Border {
 public:
  /// Is no call's yet.
  constexpr Border() = default;

  /// "MPI_Barrier:1", "MPI_Reduce:-3". False if it is not that, or no call of kBorderCalls.
  bool set(std::string_view text);

  bool is(CallIndex call) const { return call_ == call; }
  /// The call was made once more. Allocates nothing.
  void see(std::int64_t moment) {
    ++seen_;
    if (number_ < 0)
      latest_[static_cast<std::size_t>((seen_ - 1) % -number_)] = moment;
    else if (seen_ == number_)
      latest_.front() = moment;
  }
  /// The moment of the n-th call, if there was one.
  std::optional<std::int64_t> found() const;

 private:
  static constexpr CallIndex kNone = static_cast<CallIndex>(-1);
  CallIndex call_ = kNone;
  std::int64_t number_ = 0, seen_ = 0;
  std::vector<std::int64_t> latest_;  // a ring of as many as count from the end; else one
};

}  // namespace busline::record
