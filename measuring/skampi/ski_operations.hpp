// What SKaMPI 5's scripts can measure: the operations of the registry under their names there, with their
// arguments.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "workloads/kernels/operations.hpp"

namespace busline::skampi {

struct SkiOperation {
  std::string_view name;       ///< KernelOperation::skampi5
  std::string_view arguments;  ///< a letter for each: SkiArgument
  /// Buffers that one process needs: that many of the message's size, and that many for each process.
  std::uint32_t buffers = 0, buffers_each = 0;
  /// The message is a vector of which each process gets a part: the kernel's size is the part.
  bool is_split = false;
};

/// Letters of SkiOperation::arguments.
namespace ski_argument {
inline constexpr char kCount = 'c', kDatatype = 'd', kReduction = 'o', kRoot = 'r', kTag = 't',
                      kIterations = 'i';
}

/// nullptr: there is none. An operation that is in the registry, but not in this table, cannot be called.
const SkiOperation* find_ski_operation(std::string_view name);
/// A hint for an unknown name: the operation that it probably stands for. MPI_Bcast is Bcast here.
std::string operation_meant(std::string_view name);

}  // namespace busline::skampi
