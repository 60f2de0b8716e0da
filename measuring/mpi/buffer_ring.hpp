// The memory for a rank's messages: one buffer, or several used in turn so that a message is not already in
// the cache.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/kernels/kernel.hpp"

namespace busline::mpi {

/// Memory limit of a ring; a larger request is an error, so that no rank runs out of memory.
inline constexpr std::uint64_t kMostRingMemory = std::uint64_t{1} << 34U;

class BufferRing {
 public:
  /// Makes ready for messages of `bytes` in each of `buffers.count` buffers, all touched. Contents are
  /// written when memory is got or asked to look otherwise. Memory is kept, never given back. Errors
  /// (unsupported): more than kMostRingMemory. Cost: linear in what is written.
  Expected<void> prepare(std::uint64_t bytes, const KernelBuffers& buffers);

  /// The next one in turn. Turns go on from one prepare() to the next.
  std::byte* next() {
    turn_ = turn_ + 1 < count_ ? turn_ + 1 : 0;
    return memory_.data() + turn_ * stride_;
  }
  /// All of it.
  std::vector<std::byte>& memory() { return memory_; }

 private:
  void fill(std::size_t from, const KernelBuffers& buffers);

  std::vector<std::byte> memory_;
  std::size_t stride_ = 0, count_ = 1, turn_ = 0;
  KernelBuffers filled_for_;
};

}  // namespace busline::mpi
