#include "measuring/mpi/buffer_ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sim/base/random.hpp"

namespace busline::mpi {
namespace {

// Buffers share no line of a cache.
constexpr std::uint64_t kLine = 64;

}  // namespace

Expected<void> BufferRing::prepare(std::uint64_t bytes, const KernelBuffers& buffers) {
  const auto count = std::max<std::uint64_t>(buffers.count, 1);
  if (bytes > kMostRingMemory || (bytes + kLine) > kMostRingMemory / count) {
    Error e;
    e.kind = Error::Kind::unsupported;
    e.message =
        fmt::format("{} buffers of {} bytes are more than {} GiB", count, bytes, kMostRingMemory >> 30U);
    e.hint = "use fewer buffers or smaller messages";
    return tl::unexpected(std::move(e));
  }
  stride_ = std::max<std::uint64_t>((bytes + kLine - 1) / kLine, 1) * kLine;
  count_ = count;
  if (turn_ >= count_) turn_ = 0;
  const auto before = memory_.size();
  const bool otherwise =
      buffers.random != filled_for_.random || (buffers.random && buffers.seed != filled_for_.seed);
  filled_for_ = buffers;
  if (memory_.size() < stride_ * count_) memory_.resize(stride_ * count_);
  if (otherwise || memory_.size() > before) fill(otherwise ? 0 : before, buffers);
  return {};
}

void BufferRing::fill(std::size_t from, const KernelBuffers& buffers) {
  if (!buffers.random) {
    std::fill(memory_.begin() + static_cast<std::ptrdiff_t>(from), memory_.end(), std::byte{1});
    return;
  }
  Random random(buffers.seed + from);
  for (auto at = from; at + sizeof(std::uint64_t) <= memory_.size(); at += sizeof(std::uint64_t)) {
    const auto word = random.next();
    std::memcpy(memory_.data() + at, &word, sizeof word);
  }
}

}  // namespace busline::mpi
