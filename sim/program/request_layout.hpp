// The layout of requests: those of all ranks in one array, and one more for each strand's blocking calls.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/program/program.hpp"

namespace busline {

class RequestLayout {
 public:
  explicit RequestLayout(const Program& program) {
    base_.reserve(program.ranks());
    for (std::uint32_t r = 0; r < program.ranks(); ++r) {
      base_.push_back(size_);
      size_ += program.request_slots(r);
    }
    first_own_ = size_;
    size_ += static_cast<std::uint32_t>(program.strands().size());
  }

  std::uint32_t size() const { return size_; }
  /// Index of a rank's slot.
  RequestId of(RankId rank, std::uint32_t slot) const { return RequestId{base_[rank] + slot}; }
  /// Index of the request for a strand's blocking calls.
  RequestId own(StrandId strand) const { return RequestId{first_own_ + raw(strand)}; }

 private:
  IdVector<RankId, std::uint32_t> base_;
  std::uint32_t first_own_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace busline
