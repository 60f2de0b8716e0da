// The meaning of access patterns in 2.1.x files, which their documentation does not state: the partner by
// step, or the step by partner. The numbers themselves show which (docs/reference/linktest.md, "Version
// 2.1").
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "measuring/linktest/linktest_result.hpp"

namespace busline::linktest {

/// The numbers of all ranks, each with equally many entries. Entries that are not the number of a rank or
/// step may be anything above `ranks`.
struct AccessEntries {
  std::uint32_t ranks = 0, entries = 0;
  std::vector<std::uint32_t> values;  ///< by rank and entry

  std::uint32_t operator()(std::uint32_t rank, std::uint32_t entry) const {
    return values[std::size_t{rank} * entries + entry];
  }
};

/// How to find partner and step of an entry.
struct AccessReading {
  AccessPattern pattern = AccessPattern::unmapped;
  std::uint32_t first_step = 1;  ///< step_of_partner: the number of the first step, 0 or 1
  std::uint32_t columns = 0;     ///< entries of a rank that count; others are unused

  struct Meeting {
    std::uint32_t partner, step;  ///< the step from 1
  };
  /// Nothing if the rank met nobody then.
  std::optional<Meeting> meeting(const AccessEntries& access, std::uint32_t rank, std::uint32_t entry) const;
};

/// The reading under which every pair meets once at most and both ranks agree on the step.
///
/// partner_of_step: a rank's entries are distinct ranks, or its own rank where it pauses, and the partner
/// names this rank in the same entry. step_of_partner: by partner without the rank itself; a rank's entries
/// are distinct numbers, and those of both ranks are equal; they count from 1 (then 0 means never) or, if all
/// of 0 to N - 2 are there, from 0. With `bisection` the second half of the entries may be unused.
AccessReading reading_of(const AccessEntries& access, bool bisection);

}  // namespace busline::linktest
