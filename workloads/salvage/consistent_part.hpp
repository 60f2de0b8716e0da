// Finds the largest part of an incomplete Program that can be replayed to its end. A trace gives an
// incomplete Program when files are truncated or calls were not recorded.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "sim/program/program.hpp"

namespace busline {

/// A strand that ends early.
struct EarlyEnd {
  std::uint32_t rank = 0;
  std::uint64_t operations = 0, kept = 0;
  std::uint64_t call = 0;  ///< number and name of the first call that is not completed, from 1 in its strand
  std::string call_name;
  std::string waits_for;  ///< "a message from rank 3, tag 7, communicator 0"
};

/// Operations removed because their counterpart is missing.
struct Unmatched {
  std::uint64_t sends = 0, receives = 0, probes = 0, collectives = 0;  ///< the last: non-blocking ones
  auto operator<=>(const Unmatched&) const = default;
};

struct ConsistentPart {
  Program program;
  std::vector<EarlyEnd> early_ends;  ///< in the order of the strands
  Unmatched unmatched;
  /// The Program is unchanged.
  bool whole() const { return early_ends.empty() && unmatched == Unmatched{}; }
};

/// Ends each strand where it would wait forever, and removes operations that then lack their counterpart. If
/// anything was left out, open receives are closed: they get the message that the others leave them, whatever
/// the simulated order of arrival, and the traced run time is dropped. A consistent Program is returned
/// unchanged.
///
/// The result completes on any platform on which the complete Program does; where that deadlocks, its part
/// may too.
///
/// `sends_may_lack`, by rank (none if empty): the rank sent messages that are not in the Program. Surplus
/// receives are then removed one by one, and their rank continues. Cost: as UntimedRun.
ConsistentPart consistent_part(const Program& program, const std::vector<bool>& sends_may_lack = {});

}  // namespace busline
