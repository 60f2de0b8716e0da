// What the records of all ranks share when a Program is written as a DUMPI trace: the communicators' ids, the
// root of each collective, and what is lost.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/program/program.hpp"

namespace busline::dumpi {

/// Numbers of a Program's communicators and ranks in a trace. Communicator 0 is MPI_COMM_WORLD.
class JobLayout {
 public:
  explicit JobLayout(const Program& program);

  /// Those that are used, except 0, in the order in which all ranks make them.
  const std::vector<std::uint32_t>& made() const { return made_; }
  std::int64_t id(std::uint32_t communicator) const;
  /// All ranks are members of a communicator that only messages name.
  std::uint32_t size(std::uint32_t communicator) const;
  bool holds(std::uint32_t communicator, std::uint32_t rank) const {
    return place(communicator, rank) != kAnySource;
  }
  /// A rank of the job as a rank of the communicator; kAnySource if it is not a member.
  std::uint32_t place(std::uint32_t communicator, std::uint32_t rank) const;
  /// The place of the root of collective n on a communicator, from 0; 0 if no rank is marked as the root.
  std::uint32_t root(std::uint32_t communicator, std::size_t n) const;

 private:
  const Program& program_;
  std::vector<std::uint32_t> made_;
  std::vector<std::int64_t> ids_;                   // by communicator
  std::vector<std::vector<std::uint32_t>> places_;  // by communicator, if its order is not that of the job
  std::vector<std::vector<std::uint32_t>> roots_;   // by communicator and call
};

/// Where the trace differs from the Program, counted.
struct Replaced {
  std::uint64_t collectives = 0;  ///< written as another one, such as a barrier
  std::uint64_t sizes = 0;        ///< collectives with two sizes, of which the trace holds one
  std::uint64_t events = 0;       ///< user events, which are left out

  void tell(const JobLayout& layout, Diagnostics& diagnostics) const;
};

}  // namespace busline::dumpi
