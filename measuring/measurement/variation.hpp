// What a suite of measurements varies: SKaMPI's variations and ours. A new one is a line in the registry
// (docs/reference/kernels.md, "A new variation").
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "measuring/measurement/measurement.hpp"
#include "workloads/kernels/kernel.hpp"
#include "workloads/kernels/operations.hpp"

namespace busline::measure {

struct Variation {
  Varies varies = Varies::nothing;
  std::string_view skampi;  ///< in parameter files
  std::string_view words;   ///< in result files: "message length"
  /// Makes `kernel` the one at an argument. It holds all possible participants and everything that does not
  /// vary.
  void (*apply)(Kernel& kernel, std::uint64_t argument);
  /// The smallest argument that makes sense, and the largest with `memory` bytes for buffers.
  std::uint64_t (*least)(const KernelOperation& operation);
  std::uint64_t (*most)(const KernelOperation& operation, const Kernel& kernel, std::uint64_t memory);
};

std::span<const Variation> variations();
/// The entry of one that is in the registry: all of Varies are.
const Variation& variation_of(Varies varies);

}  // namespace busline::measure
