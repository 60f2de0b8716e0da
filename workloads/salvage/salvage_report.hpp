// What was used of an incomplete trace, and what was left out.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "workloads/salvage/consistent_part.hpp"

namespace busline {

/// A rank's file of which not everything could be used.
struct PartOfFile {
  std::uint32_t rank = 0;
  std::string path;                       ///< empty: there is no file
  std::uint64_t records = 0;              ///< that were used
  std::optional<std::uint64_t> recorded;  ///< how many there should be, if the file says it
  std::optional<std::uint64_t> offset;    ///< of the first byte that was not used
  std::string why;                        ///< "MPI_Send record 121: is truncated"
};

struct SalvageReport {
  std::vector<PartOfFile> files;     ///< by rank; those that were used as a whole are not listed
  std::vector<EarlyEnd> early_ends;  ///< what follows from that, and from calls that were not recorded
  Unmatched unmatched;
  bool whole() const { return files.empty() && early_ends.empty() && unmatched == Unmatched{}; }
};

/// Says it in warnings ("salvaged"), of no more than a few ranks. `path`: the trace.
void tell(const SalvageReport& report, const std::string& path, Diagnostics& diagnostics);

}  // namespace busline
